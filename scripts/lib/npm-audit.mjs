// What npm's registry says against the packages of package-lock.json. It knows nothing of what is argued away.
import { spawnSync } from 'node:child_process';
import { npmCommand } from './npm.mjs';
import { root } from './project.mjs';

/** @typedef {import('./advisories.mjs').Advisory} Advisory */

const auditTimeoutMs = 2 * 60_000;

/**
 * What the registry knows against the packages of package-lock.json, each advisory once.
 * @returns {{ advisories?: Advisory[], refusal?: string }} `refusal`: why there is no answer
 */
export function askForAdvisories() {
  // Its exit status says only that there are some, or that there was no answer; what it prints says which.
  const { stdout, error } = spawnSync(
    process.execPath,
    [npmCommand(), 'audit', '--json', '--package-lock-only', '--include=dev', '--loglevel=error'],
    {
      cwd: root,
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
      timeout: auditTimeoutMs,
      killSignal: 'SIGKILL',
    },
  );
  if (error) return { refusal: error.message };
  const report = parseReport(stdout);
  if (report?.vulnerabilities === undefined) {
    return { refusal: report?.message ?? report?.error?.summary ?? 'npm audit printed no report' };
  }
  /** @type {Map<string, Advisory>} */
  const advisories = new Map();
  for (const { via } of Object.values(report.vulnerabilities)) {
    for (const cause of via) {
      // A string names another package of the report, from which this one has it.
      if (typeof cause === 'string') continue;
      const id = cause.url.slice(cause.url.lastIndexOf('/') + 1);
      advisories.set(`${cause.name} ${id}`, {
        package: cause.name,
        id,
        severity: cause.severity,
        title: cause.title,
      });
    }
  }
  return { advisories: [...advisories.values()] };
}

/**
 * @typedef {{ name: string, url: string, severity: string, title: string }} Cause
 * @typedef {{ vulnerabilities?: Record<string, { via: (Cause | string)[] }>, message?: string, error?: { summary?: string } }} Report
 */

/**
 * @param {string} text
 * @returns {Report | undefined}
 */
function parseReport(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
