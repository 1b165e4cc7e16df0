import { type DestinationStream, pino } from 'pino';

/** Milliseconds for which lines of requests are kept, to be written together. */
const TOGETHER = 50;
/** UTF-16 code units of lines that are written at once. */
const MANY = 8 * 1024;
/** The level of `warn`: lines from there on are written at once. */
const WARN = 40;

/** What pino tells a destination that names itself so of each line. */
const METADATA = Symbol.for('pino.metadata');

/**
 * Standard output for log lines. A write to it costs about as much as a statement of the database,
 * so lines below `warn` are written together: after 50 ms at most, and at once when there are 8 KiB
 * of them, when a warning or an error follows, and when the process ends, also by an error that
 * nobody caught. A process that is killed by SIGKILL loses those of the last 50 ms. Writes do not
 * stop the process, so whoever reads the log may be slow; what was not read yet is in memory.
 */
export class LogLines implements DestinationStream {
  /** Set by pino before each line. */
  lastLevel = 0;
  readonly [METADATA] = true;
  readonly #out = pino.destination({ dest: 1, sync: false });
  #lines = '';
  #timer: NodeJS.Timeout | undefined;

  constructor() {
    // Before pino ends its stream, which it does on an empty event loop.
    process.prependOnceListener('beforeExit', () => this.#flush());
    process.prependOnceListener('exit', () => this.#flush());
  }

  write(line: string): void {
    this.#lines += line;
    if (this.lastLevel >= WARN || this.#lines.length >= MANY) this.#flush();
    else this.#timer ??= setTimeout(() => this.#flush(), TOGETHER).unref();
  }

  #flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#lines) this.#out.write(this.#lines);
    this.#lines = '';
  }
}
