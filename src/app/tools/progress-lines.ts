import type { MovingProgress } from '../moving/kind-import.service.js';

/** A line of progress is written at most so often, in milliseconds. */
const PAUSE = 5_000;

/** Says how far each kind is: when it is done, and every five seconds. */
export function progressLines(say: (line: string) => void): MovingProgress {
  let last = Date.now();
  return (kind, done, all) => {
    if (done < all && Date.now() - last < PAUSE) return;
    last = Date.now();
    say(`${kind}: ${done} of ${all}`);
  };
}
