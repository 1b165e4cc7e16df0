import type { MovingProgress } from '../moving/kind-import.service.js';

/** A line of progress is written at most so often, in milliseconds. */
const PAUSE = 5_000;
/** A bar is drawn at most so often, in milliseconds. */
const FRAME = 100;
const WIDTH = 30;
const CLEAR_REST = '\u001b[K';

/** A stream that may be a terminal. */
export interface Terminal {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

/** What shows how far a move is, until it ends. */
interface Shown {
  readonly step: MovingProgress;
  end(): void;
}

/**
 * Shows how far each kind is: on a terminal as a bar, which stays when the kind is done; elsewhere by
 * lines, when it is done and every five seconds.
 */
export const progressOf = (
  say: (line: string) => void,
  terminal: Terminal = process.stderr,
): Shown => (terminal.isTTY ? new Bars(terminal) : { step: lines(say), end: () => {} });

function lines(say: (line: string) => void): MovingProgress {
  let last = Date.now();
  return (kind, done, all) => {
    if (done < all && Date.now() - last < PAUSE) return;
    last = Date.now();
    say(`${kind}: ${done} of ${all}`);
  };
}

class Bars implements Shown {
  #last = 0;
  /** The kind whose bar is still drawn. */
  #open: string | undefined;

  constructor(private readonly terminal: Terminal) {}

  step = (kind: string, done: number, all: number): void => {
    const isDone = done >= all;
    if (!isDone && this.#open === kind && Date.now() - this.#last < FRAME) return;
    if (this.#open !== kind) this.end();
    this.#last = Date.now();
    this.#open = kind;
    this.terminal.write(`\r${this.#bar(kind, done, all)}${CLEAR_REST}`);
    if (isDone) this.end();
  };

  end(): void {
    if (this.#open !== undefined) this.terminal.write('\n');
    this.#open = undefined;
  }

  #bar(kind: string, done: number, all: number): string {
    const part = all > 0 ? Math.min(1, done / all) : 1;
    const bar = '#'.repeat(Math.floor(part * WIDTH)).padEnd(WIDTH, '.');
    const percent = `${Math.floor(part * 100)}`.padStart(3);
    // A line that wraps could not be drawn over. A terminal without a size has 0 columns.
    const columns = this.terminal.columns || 80;
    return `${bar} ${percent} %  ${kind}: ${done} of ${all}`.slice(0, columns - 1);
  }
}
