// The program of the thread that works on long HTML. See `WorkThread`.
import { parentPort } from 'node:worker_threads';
import { WORK } from './work.js';

interface RenderingTask {
  readonly id: number;
  readonly name: keyof typeof WORK;
  readonly given: never[];
}

parentPort?.on('message', ({ id, name, given }: RenderingTask) => {
  const work = WORK[name] as (...given: never[]) => unknown;
  parentPort?.postMessage({ id, made: work(...given) });
});
