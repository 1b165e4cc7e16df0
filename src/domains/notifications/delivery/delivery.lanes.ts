import type { PushTransport } from '../../../platform/push/push-transport.js';
import type { Claimed } from './delivery-claim.service.js';

/** The share of a transport's lanes for one account, and for one host, where tokens name hosts. */
const SHARE = { account: 1 / 5, host: 1 / 2 } as const;

/**
 * The concurrent calls of a transport. Where tokens name the hosts that they are sent to, neither a
 * host nor an account may use all lanes: users choose the push service of their browser, and one
 * that hangs must not delay the others.
 */
export class Lanes {
  #waiting: Claimed[];
  readonly #running = new Set<Promise<void>>();
  readonly #taken = new Map<string, number>();
  #failed: { readonly error: unknown } | undefined;

  constructor(
    private readonly transport: PushTransport,
    deliveries: readonly Claimed[],
  ) {
    this.#waiting = [...deliveries];
  }

  get waiting(): readonly Claimed[] {
    return this.#waiting;
  }

  get full(): boolean {
    return this.#running.size >= this.transport.concurrency;
  }

  /**
   * Starts a call with the next deliveries that have a free lane. Returns whether there were any.
   */
  start(send: (chunk: readonly Claimed[]) => Promise<void>): boolean {
    if (this.full) return false;
    const from = this.transport.hostOf
      ? this.#waiting.findIndex((one) => this.#placesOf(one).every((place) => this.#isFree(place)))
      : 0;
    if (from < 0) return false;
    const chunk = this.#waiting.splice(from, this.transport.hostOf ? 1 : this.transport.batch);
    const places = chunk.flatMap((one) => this.#placesOf(one));
    this.#count(places, 1);
    const running = send(chunk)
      .catch((error) => {
        this.#failed ??= { error };
      })
      .finally(() => {
        this.#running.delete(running);
        this.#count(places, -1);
      });
    this.#running.add(running);
    return true;
  }

  /** What is still waiting, which is waited for no more. */
  leave(): Claimed[] {
    return this.#waiting.splice(0);
  }

  /** Resolves when a call has ended; rejects when one failed. */
  async freed(): Promise<void> {
    await Promise.race(this.#running);
    if (this.#failed) throw this.#failed.error;
  }

  /** Resolves when all calls have ended; rejects when one failed. */
  async done(): Promise<void> {
    await Promise.all(this.#running);
    if (this.#failed) throw this.#failed.error;
  }

  #placesOf({ accountId, token }: Claimed): string[] {
    return this.transport.hostOf
      ? [`account ${accountId}`, `host ${this.transport.hostOf(token)}`]
      : [];
  }

  #isFree(place: string): boolean {
    const share = place.startsWith('account ') ? SHARE.account : SHARE.host;
    return (
      (this.#taken.get(place) ?? 0) < Math.max(1, Math.floor(this.transport.concurrency * share))
    );
  }

  #count(places: readonly string[], by: 1 | -1): void {
    for (const place of places) this.#taken.set(place, (this.#taken.get(place) ?? 0) + by);
  }
}
