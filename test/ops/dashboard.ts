/** The dashboard of `ops`, as far as tests look at it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { OPS } from './prometheus.js';

interface Dashboard {
  templating: { list: { name: string; type: string }[] };
  panels: {
    id: number;
    title: string;
    gridPos: { x: number; y: number; w: number; h: number };
    datasource?: object;
    targets?: { expr: string; datasource: object }[];
  }[];
}

export const dashboard: Dashboard = JSON.parse(readFileSync(join(OPS, 'grafana/wardenpool.json'), 'utf8'));

/** The queries of all panels, as they are written. */
export function expressions(): string[] {
  return dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
}

/** A query as Grafana sends it, with everything selected. */
export function asSent(expression: string): string {
  return expression
    .replaceAll('$__rate_interval', '1m')
    .replaceAll('$__range', '1h')
    .replaceAll('$job', '.*')
    .replaceAll('$instance', '.*');
}
