import { setTimeout as sleep } from 'node:timers/promises';
import type { Deps } from '../../../core/deps.js';
import { isolateAmong } from '../../../platform/jobs/isolate.js';
import type {
  Outcome,
  PushMessage,
  PushTransport,
  TokenKind,
} from '../../../platform/push/transport.js';
import { Lanes } from './delivery.lanes.js';
import { observeLateness, observeTurn } from './delivery.metrics.js';
import { judge, missed, released, type Verdict } from './delivery.outcome.js';
import { BATCH, type Claim, type Claimed, claimDue } from './delivery.service.js';
import { recordTurns } from './delivery.turn.js';

/** How long one call of a transport may take, a batch that is halved included, in milliseconds. */
const SEND_LIMIT = 20_000;
/**
 * How long a transport that was given up on may still say what it did, so that this is not done
 * again, in milliseconds.
 */
const LAST_WORD = 1_000;
/**
 * Sends are begun until this long before a claim's lease ends, so that what they say is written
 * while the lease holds.
 */
const MARGIN = SEND_LIMIT + 5_000;
/**
 * How long messages to a place that takes all of its lanes are waited with before others are looked
 * for, in milliseconds.
 */
const PATIENCE = 5_000;
/** How long one run goes on while there is more to do, in milliseconds. */
const STINT = 2_000;
/** How long a provider that asks for it is left alone at most, in milliseconds. */
const LONGEST_PAUSE = 60_000;

/**
 * Sends the due deliveries of one kind of device: claims a batch, sends it outside of any
 * transaction, and writes what became of it while more is being sent. Any number of processes may
 * do so at once. What dies in between is sent again, under the same message id, when its lease
 * ends; that is why little is left unwritten at any moment.
 */
export class DeliveryWorker {
  #pausedUntil = 0;

  constructor(
    private readonly deps: Deps,
    private readonly kind: TokenKind,
  ) {}

  /** Delivers what is due; answers how many deliveries it claimed. */
  async run(stopping: AbortSignal): Promise<number> {
    const end = performance.now() + STINT;
    let sum = 0;
    while (!stopping.aborted && this.deps.clock() >= this.#pausedUntil) {
      const claim = await claimDue(this.deps, this.kind);
      observeTurn(this.kind, 'missed', claim.missed);
      observeTurn(this.kind, 'cancelled', claim.cancelled);
      await this.#deliver(claim, stopping);
      const count = claim.deliveries.length + claim.missed + claim.cancelled;
      sum += count;
      if (count < BATCH || performance.now() > end) break;
    }
    return sum;
  }

  async #deliver(claim: Claim<Claimed>, stopping: AbortSignal): Promise<void> {
    const { clock, push } = this.deps;
    const transport = push[this.kind];
    const recorder = new Recorder(this.deps, this.kind, claim);
    const release = (waiting: readonly Claimed[], nextAt: (one: Claimed) => number) => {
      for (const delivery of waiting) recorder.add(delivery, released(nextAt(delivery)));
    };
    const lanes = new Lanes(transport, claim.deliveries);
    while (lanes.waiting.length > 0) {
      const now = clock();
      if (stopping.aborted || now > claim.until - MARGIN || now < this.#pausedUntil) {
        release(lanes.leave(), ({ nextAt }) => Math.max(nextAt.getTime(), this.#pausedUntil));
      } else if (!lanes.start((chunk) => this.#send(transport, chunk, recorder))) {
        // Those left wait for places that are slow: whoever is behind them goes first.
        if (now > claim.at + PATIENCE && !lanes.full) release(lanes.leave(), () => now);
        else await lanes.freed();
      }
    }
    await lanes.done();
    await recorder.done();
  }

  async #send(
    transport: PushTransport,
    chunk: readonly Claimed[],
    recorder: Recorder,
  ): Promise<void> {
    const { clock } = this.deps;
    const [fresh, late] = split(chunk, ({ expiresAt }) => expiresAt.getTime() > clock());
    for (const delivery of late) recorder.add(delivery, missed(clock()));
    if (fresh.length === 0) return;
    const outcomes = await this.#attempt(transport, fresh);
    const now = clock();
    for (const delivery of fresh) {
      const outcome = outcomes.get(delivery.id) ?? LOST;
      if (outcome.kind === 'retry' && outcome.pause) {
        this.#pausedUntil = Math.max(
          this.#pausedUntil,
          now + Math.min(outcome.after ?? 1_000, LONGEST_PAUSE),
        );
      }
      recorder.add(
        delivery,
        judge(
          outcome,
          { attempts: delivery.attempts, expiresAt: delivery.expiresAt.getTime() },
          now,
        ),
      );
    }
  }

  /**
   * The outcomes of a transport, whatever it does: one that hangs is tried again later, and so is
   * what makes it throw.
   */
  async #attempt(
    transport: PushTransport,
    chunk: readonly Claimed[],
  ): Promise<ReadonlyMap<number, Outcome>> {
    const { clock, log } = this.deps;
    const outcomes = new Map<number, Outcome>();
    const limit = new AbortController();
    let timer: NodeJS.Timeout | undefined;
    const hung = new Promise<[]>((resolve) => {
      timer = setTimeout(() => {
        limit.abort(new DOMException('The transport took too long.', 'TimeoutError'));
        timer = setTimeout(() => resolve([]), LAST_WORD).unref();
      }, SEND_LIMIT).unref();
    });
    await isolateAmong(chunk, { job: `deliver ${this.kind}`, log }, async (part) => {
      const answers = await Promise.race([
        transport.send(part.map(messageOf(clock())), { signal: limit.signal }),
        hung,
      ]);
      for (const [i, { id }] of part.entries()) outcomes.set(id, answers[i] ?? LOST);
      // Where a transport takes one message at a time, nothing may be left of each for long
    }).finally(() => clearTimeout(timer));
    return outcomes;
  }
}

const LOST: Outcome = { kind: 'retry', code: 'lost' };

/**
 * The message of a delivery; its id is the provider's collapse key: the 16 bytes of a UUID as 22
 * characters.
 */
const messageOf =
  (now: number) =>
  ({ messageId, token, title, body, data, silent, expiresAt }: Claimed): PushMessage => ({
    id: collapseKey(messageId),
    token,
    title,
    body,
    data: data ? (JSON.parse(data) as Record<string, unknown>) : {},
    silent,
    ttl: Math.ceil((expiresAt.getTime() - now) / 1000),
  });

/**
 * How providers and devices know a message: the 16 bytes of its UUID as 22 characters of URL-safe
 * base64.
 */
export const collapseKey = (messageId: string) =>
  Buffer.from(messageId.replaceAll('-', ''), 'hex').toString('base64url');

function split<T>(all: readonly T[], test: (one: T) => boolean): [T[], T[]] {
  return [all.filter(test), all.filter((one) => !test(one))];
}

/**
 * Writes verdicts as they come: everything that arrived while one statement ran goes into the next.
 */
class Recorder {
  #waiting: (Verdict & { delivery: Claimed })[] = [];
  #writing: Promise<void> | undefined;

  constructor(
    private readonly deps: Deps,
    private readonly kind: TokenKind,
    private readonly claim: Claim<Claimed>,
  ) {}

  add(delivery: Claimed, verdict: Verdict): void {
    this.#waiting.push({ ...verdict, delivery });
    this.#writing ??= this.#write();
    this.#writing.catch(() => {}); // `done` reports it
  }

  /** Resolves when everything is written; rejects when it could not be while the lease held. */
  async done(): Promise<void> {
    await this.#writing;
  }

  async #write(): Promise<void> {
    await undefined; // what is added in this turn of the event loop goes together
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0);
      await this.#persist(batch);
      const now = this.deps.clock();
      for (const { state, attempted, delivery } of batch) {
        if (attempted || state === 'missed') observeTurn(this.kind, state);
        if (state === 'sent' || state === 'accepted')
          observeLateness(this.kind, now - delivery.dueAt.getTime());
      }
    }
    this.#writing = undefined;
  }

  /**
   * A database that is away for a moment must not make everything be sent again: it is asked until
   * the lease is nearly over.
   */
  async #persist(batch: readonly (Verdict & { delivery: Claimed })[]): Promise<void> {
    const { deps, claim } = this;
    const sentAt = new Date(claim.at);
    const turns = batch.map(({ delivery: { id, deviceId }, ...verdict }) => ({
      ...verdict,
      id,
      deviceId,
      sentAt,
    }));
    for (let attempt = 1; ; attempt++) {
      try {
        await recordTurns(deps, claim.id, turns);
        return;
      } catch (error) {
        if (attempt === 20 || deps.clock() > claim.until) throw error;
        await sleep(Math.min(250 * attempt, 2_000));
      }
    }
  }
}
