import { Worker } from 'node:worker_threads';

/** Memory of the thread in MiB. Above it the thread ends, and what waits for it fails. */
const MEMORY = 512;

interface Waiting {
  readonly resolve: (made: unknown) => void;
  readonly reject: (error: Error) => void;
}

/**
 * A thread for work that would stop the process from answering. It starts with the first work, does
 * one after the other in the order in which they came, and does not keep the process alive. After a
 * fault, which fails what waits, the next work starts another.
 */
export class WorkThread {
  #worker: Worker | undefined;
  readonly #waiting = new Map<number, Waiting>();
  #count = 0;

  /** `program`: the module that the thread runs. It answers `{ id, name, given }` by `{ id, made }`. */
  constructor(private readonly program: URL) {}

  /** Returns what the thread makes. Rejects when it ends. */
  run(name: string, given: readonly unknown[]): Promise<unknown> {
    const id = ++this.#count;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#started().postMessage({ id, name, given });
    });
  }

  #started(): Worker {
    if (this.#worker) return this.#worker;
    const worker = new Worker(this.program, {
      resourceLimits: { maxOldGenerationSizeMb: MEMORY },
    });
    const end = (error: Error) => {
      if (this.#worker !== worker) return;
      this.#worker = undefined;
      for (const { reject } of this.#waiting.values()) reject(error);
      this.#waiting.clear();
    };
    worker.on('message', ({ id, made }: { id: number; made: unknown }) => {
      this.#waiting.get(id)?.resolve(made);
      this.#waiting.delete(id);
    });
    worker.on('error', (error: Error) => end(error));
    worker.on('exit', () => end(new Error('A thread has ended.')));
    worker.unref();
    this.#worker = worker;
    return worker;
  }
}
