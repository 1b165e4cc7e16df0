import { isPushService } from '../../../platform/push/push-services.js';
import type { PushTransport } from '../../../platform/push/push-transport.js';
import type { Claimed } from './delivery-claim.service.js';

/**
 * Shares of a transport's lanes, of which each is one lane at least: for one account, for one host,
 * for all hosts together that are not known push services, and for those that one account has.
 */
const SHARE = { account: 1 / 5, host: 1 / 2, unknown: 1 / 2, unknownOfAccount: 0 } as const;

/** Something that has a limited number of lanes. */
type LaneLimit = readonly [name: string, share: number];

/** A delivery, and where it goes, if its transport tells. */
interface Waiting {
  readonly delivery: Claimed;
  readonly host: string | undefined;
}

/**
 * The concurrent calls of a transport. Where tokens name the hosts that they are sent to, neither a
 * host nor an account may use all lanes: users choose the push service of their browser, and one
 * that hangs must not delay the others. Since one user may have any number of hosts, those that are no
 * known push service share some lanes, of which each account has one.
 */
export class Lanes {
  #waiting: Waiting[];
  readonly #running = new Set<Promise<void>>();
  readonly #taken = new Map<string, number>();
  #failed: { readonly error: unknown } | undefined;

  constructor(
    private readonly transport: PushTransport,
    deliveries: readonly Claimed[],
  ) {
    this.#waiting = deliveries.map((delivery) => ({
      delivery,
      host: transport.hostOf?.(delivery.token),
    }));
  }

  get isWaiting(): boolean {
    return this.#waiting.length > 0;
  }

  get full(): boolean {
    return this.#running.size >= this.transport.concurrency;
  }

  /**
   * Starts a call with the next deliveries that have a free lane. Returns whether there were any.
   */
  start(send: (chunk: readonly Claimed[]) => Promise<void>): boolean {
    if (this.full) return false;
    const from = this.#waiting.findIndex((one) =>
      this.#placesOf(one).every((place) => this.#isFree(place)),
    );
    if (from < 0) return false;
    const chunk = this.#waiting.splice(from, this.transport.hostOf ? 1 : this.transport.batch);
    const places = chunk.flatMap((one) => this.#placesOf(one));
    this.#count(places, 1);
    const running = send(chunk.map(({ delivery }) => delivery))
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
    return this.#waiting.splice(0).map(({ delivery }) => delivery);
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

  #placesOf({ delivery: { accountId }, host }: Waiting): LaneLimit[] {
    if (host === undefined) return [];
    const places: LaneLimit[] = [
      [`account ${accountId}`, SHARE.account],
      [`host ${host}`, SHARE.host],
    ];
    return isPushService(host)
      ? places
      : [...places, ['unknown', SHARE.unknown], [`unknown ${accountId}`, SHARE.unknownOfAccount]];
  }

  #isFree([name, share]: LaneLimit): boolean {
    return (
      (this.#taken.get(name) ?? 0) < Math.max(1, Math.floor(this.transport.concurrency * share))
    );
  }

  #count(places: readonly LaneLimit[], by: 1 | -1): void {
    for (const [name] of places) this.#taken.set(name, (this.#taken.get(name) ?? 0) + by);
  }
}
