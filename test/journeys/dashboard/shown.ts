import { setTimeout as sleep } from 'node:timers/promises';

/** What a screen shows, in order. */
export class Shown<State> {
  readonly states: State[] = [];

  /** Shows another state. */
  readonly next = (state: State): void => void this.states.push(state);

  /**
   * Waits until such a state is shown, as somebody who looks at the screen would: not within the
   * turn in which it is delivered, because a client ends its own work in that turn.
   */
  async until(is: (state: State) => boolean): Promise<State> {
    for (let n = 0; n < 1_000; n++) {
      await sleep(10);
      const last = this.states.at(-1);
      if (last !== undefined && is(last)) return last;
    }
    throw new Error(`The screen never showed it, but ${JSON.stringify(this.states)}`);
  }
}
