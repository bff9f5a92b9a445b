/** A small HTTP server for what watches a pool: GET /metrics, /healthz and /readyz. Must not know runs. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { Registry } from 'prom-client';
import { describeThrown } from '../tools/describe-value.js';
import { InvalidOptionError } from './errors.js';

export interface WatchedPool {
  readonly registry: Registry;
  /** Why it takes no run now; undefined while it does. */
  notReady(): string | undefined;
}

/** Resolves when it listens, without keeping the process alive; rejects with InvalidOptionError if it cannot. `port` 0 takes a free one. */
export async function startMetricsServer(pool: WatchedPool, port: number, host: string): Promise<Server> {
  const server = createServer((request, response) => {
    const answer = (status: number, text: string, type = 'text/plain; charset=utf-8'): void => {
      response.writeHead(status, { 'content-type': type });
      response.end(request.method === 'HEAD' ? undefined : text);
    };
    if (request.method !== 'GET' && request.method !== 'HEAD') return answer(405, 'use GET\n');
    switch (request.url?.split('?')[0]) {
      case '/metrics':
        pool.registry.metrics().then(
          (text) => answer(200, text, pool.registry.contentType),
          (error: unknown) => answer(500, `${describeThrown(error)}\n`),
        );
        return;
      case '/healthz':
        return answer(200, 'ok\n');
      case '/readyz': {
        const reason = pool.notReady();
        return reason === undefined ? answer(200, 'ready\n') : answer(503, `${reason}\n`);
      }
      default:
        return answer(404, 'there are /metrics, /healthz and /readyz\n');
    }
  });
  server.listen(port, host);
  try {
    await once(server, 'listening');
  } catch (error) {
    throw cannotListen(error as NodeJS.ErrnoException, port, host);
  }
  // A connection that cannot be accepted, for lack of descriptors, is the client's loss and not the process's.
  server.on('error', () => {});
  // Whoever asks may keep the connection for as long as it likes, so neither it nor the server may keep the process.
  server.on('connection', (socket) => socket.unref());
  return server.unref();
}

function cannotListen(cause: NodeJS.ErrnoException, port: number, host: string): InvalidOptionError {
  const address = `${host.includes(':') ? `[${host}]` : host}:${port}`;
  const remedy = ['EADDRINUSE', 'EACCES'].includes(cause.code ?? '')
    ? 'give another port, or 0 for a free one'
    : 'give the address of an interface of this machine as host';
  const message = `metricsServer() cannot listen on ${address}: ${cause.message}; ${remedy}`;
  return new InvalidOptionError(message, {}, false, { cause });
}
