/** What runs in a worker thread of worker-threads.ts: it starts a peer and runs the programs that come. */
import { workerData } from 'piscina';
import type { Peer, PeerModule } from './peer.js';

let peer: Promise<Peer> | undefined;

async function start(): Promise<Peer> {
  const module = (await import(workerData as string)) as PeerModule;
  return module.start();
}

export default async function run(program: string): Promise<unknown> {
  peer ??= start();
  return (await peer).run(program);
}
