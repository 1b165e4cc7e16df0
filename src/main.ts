import cluster from 'node:cluster';
import { fileURLToPath } from 'node:url';
import { hearSignals } from './process/shutdown.js';

/**
 * Signals are heard before the service is loaded, which takes a second or more: process 1 would not
 * hear what came meanwhile.
 */
const signals = hearSignals();
const isOne = cluster.isWorker || ['', '1'].includes(process.env.WORKERS ?? '');

async function start(): Promise<void> {
  if (!isOne) {
    const { supervise } = await import('./process/primary.js');
    if (await supervise(signals, fileURLToPath(import.meta.url))) return;
  }
  const { main } = await import('./process/process.js');
  await main(signals);
}

/** Resolves when the service answers. */
export const started = start();
