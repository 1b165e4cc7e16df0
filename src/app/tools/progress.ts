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

/**
 * Shows how far each kind is: on a terminal as a bar, which stays when the kind is done; elsewhere by
 * lines, when it is done and every five seconds.
 */
export const progressOf = (
  say: (line: string) => void,
  terminal: Terminal = process.stderr,
): MovingProgress => (terminal.isTTY ? barsOn(terminal) : lines(say));

function lines(say: (line: string) => void): MovingProgress {
  let last = Date.now();
  return (kind, done, all) => {
    if (done < all && Date.now() - last < PAUSE) return;
    last = Date.now();
    say(`${kind}: ${done} of ${all}`);
  };
}

function barsOn(terminal: Terminal): MovingProgress {
  let last = 0;
  let open: string | undefined;
  return (kind, done, all) => {
    const isDone = done >= all;
    if (!isDone && open === kind && Date.now() - last < FRAME) return;
    if (open !== undefined && open !== kind) terminal.write('\n');
    last = Date.now();
    open = isDone ? undefined : kind;
    const part = all > 0 ? Math.min(1, done / all) : 1;
    const bar = '#'.repeat(Math.floor(part * WIDTH)).padEnd(WIDTH, '.');
    const percent = `${Math.floor(part * 100)}`.padStart(3);
    // A line that wraps could not be drawn over.
    const line = `${bar} ${percent} %  ${kind}: ${done} of ${all}`.slice(
      0,
      (terminal.columns ?? 80) - 1,
    );
    terminal.write(`\r${line}${CLEAR_REST}${isDone ? '\n' : ''}`);
  };
}
