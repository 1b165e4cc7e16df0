import { DomainError } from '../../core/errors.js';
import type { FeedMove, Watched, WatchedSignIn } from '../../core/live.js';

interface Listening {
  /** Called when a feed is watched no more. */
  readonly left: (name: string) => void;
  /** Called when no feed is watched any more. */
  readonly ended: () => void;
  /** See `Live.watch`. */
  readonly signIn: WatchedSignIn | undefined;
  readonly quiet: number | undefined;
}

/** The version of a feed that was told last, and the newest one. */
interface Versions {
  told: number;
  newest: number;
}

/**
 * One watcher of several feeds. Yields each version of a feed once, and only the newest when
 * several changes happen; of several feeds first the one that changed first. A version below the
 * known one, such as after a restore of the database, counts as new too. Ending the watcher ends a
 * pending call; the end of the sign-in refuses it.
 */
export class Watcher implements AsyncIterableIterator<FeedMove> {
  readonly #feeds: Map<string, Versions>;
  /** Names of feeds with a version that was not told, the first change first. */
  readonly #moved = new Set<string>();
  readonly #timer: NodeJS.Timeout | undefined;
  #wake: (() => void) | undefined;
  #isRefused = false;

  constructor(
    feeds: readonly Watched[],
    private readonly listening: Listening,
  ) {
    this.#feeds = new Map(feeds.map(({ name, since }) => [name, { told: since, newest: since }]));
    const { quiet } = listening;
    if (quiet !== undefined && this.#feeds.size > 0)
      this.#timer = setTimeout(() => this.#repeat(), quiet).unref();
  }

  /** The feeds that it watches. */
  get names(): string[] {
    return [...this.#feeds.keys()];
  }

  /** Takes the present version of a feed, or the end of the sign-in. */
  hear(name: string, version: number): void {
    if (name === this.listening.signIn?.name) {
      if (version > 0) this.#refuse();
      return;
    }
    const feed = this.#feeds.get(name);
    if (!feed || version === feed.newest) return;
    feed.newest = version;
    if (version === feed.told) this.#moved.delete(name);
    else this.#moved.add(name);
    this.#wake?.();
  }

  async next(): Promise<IteratorResult<FeedMove>> {
    while (!this.#isRefused && this.#feeds.size > 0 && this.#moved.size === 0) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    if (this.#isRefused && this.listening.signIn) {
      this.#isRefused = false;
      throw new DomainError(this.listening.signIn.refusal);
    }
    const [name] = this.#moved;
    const feed = name === undefined ? undefined : this.#feeds.get(name);
    if (name === undefined || !feed) return { done: true, value: undefined };
    this.#moved.delete(name);
    clearTimeout(this.#timer);
    const before = feed.told;
    feed.told = feed.newest;
    const leave = () => this.#leave(name);
    return { done: false, value: { name, version: feed.newest, before, leave } };
  }

  async return(): Promise<IteratorResult<FeedMove>> {
    for (const name of this.names) this.#leave(name);
    this.#end();
    return { done: true, value: undefined };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  #leave(name: string): void {
    if (!this.#feeds.delete(name)) return;
    this.#moved.delete(name);
    this.listening.left(name);
    if (this.#feeds.size === 0) this.#end();
  }

  /** Ends everything, and has the next call throw why. */
  #refuse(): void {
    this.#isRefused = true;
    void this.return();
  }

  #end(): void {
    clearTimeout(this.#timer);
    this.listening.ended();
    this.#wake?.();
  }

  #repeat(): void {
    const [name] = this.#feeds.keys();
    if (name !== undefined) this.#moved.add(name);
    this.#wake?.();
  }
}
