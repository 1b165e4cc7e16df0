import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type { Deps } from '../../../core/deps.js';
import { isolateAmong } from '../../../platform/jobs/isolate.js';
import type {
  Outcome,
  PushMessage,
  PushTransport,
  RecipientKind,
} from '../../../platform/push/push-transport.js';
import { inCall, noteSent } from '../../../platform/tracing/tracing.js';
import { Lanes } from './delivery.lanes.js';
import { observeLateness, observeTurn, observeUnanswered } from './delivery.metrics.js';
import { judge, missed, released, type Verdict } from './delivery.outcome.js';
import { DeliveryState } from './delivery.state.js';
import { recordTurns } from './delivery.turn.js';
import {
  BATCH,
  type Claim,
  type Claimed,
  claimDue,
  stillClaimed,
} from './delivery-claim.service.js';

/** How long one call of a transport may take, a batch that is halved included, in milliseconds. */
const SEND_LIMIT = 20_000;
/** How long a transport may still return its outcomes after it was aborted, in milliseconds. */
const LATE_OUTCOME = 1_000;
/**
 * Sends start no later than this before the lease of a claim ends, in milliseconds. So their
 * outcomes are written while the lease holds.
 */
const MARGIN = SEND_LIMIT + 5_000;
/** How old what is known of a claim may be when something of it is sent, in milliseconds. */
const LOOK_AGAIN = 2_000;
/** How long to wait for what is known of a claim, in milliseconds. */
const LOOK_WITHIN = 1_000;
/** How long to wait for a slow host before its deliveries give up their lanes, in milliseconds. */
const LANE_WAIT = 5_000;
/** Maximum duration of one run while there is more to do, in milliseconds. */
const RUN_LIMIT = 2_000;
/** Longest pause that a provider can ask for, in milliseconds. */
const LONGEST_PAUSE = 60_000;

/**
 * Sends the due deliveries of one kind of recipient: claims a batch, sends it outside of any
 * transaction, and writes what became of it while more is being sent. Any number of processes may
 * do so at once. What a process that dies has sent but not written is sent again, under the same
 * message id, when its lease ends; so little is left unwritten at any moment.
 */
export class DeliveryWorker {
  #pausedUntil = 0;

  /** `sendLimit` bounds one call of a transport, in milliseconds. */
  constructor(
    private readonly deps: Deps,
    private readonly kind: RecipientKind,
    private readonly sendLimit = SEND_LIMIT,
  ) {}

  /** Delivers what is due; returns how many deliveries it claimed. */
  async run(stopping: AbortSignal): Promise<number> {
    const end = performance.now() + RUN_LIMIT;
    let sum = 0;
    while (!stopping.aborted && this.deps.clock() >= this.#pausedUntil) {
      const claim = await claimDue(this.deps, this.kind);
      observeTurn(this.kind, DeliveryState.MISSED, claim.missed);
      observeTurn(this.kind, DeliveryState.CANCELLED, claim.cancelled);
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
    const wanted = new Wanted(this.deps, claim);
    while (lanes.isWaiting) {
      const now = clock();
      if (stopping.aborted || now > claim.until - MARGIN || now < this.#pausedUntil) {
        release(lanes.leave(), ({ nextAt }) => Math.max(nextAt.getTime(), this.#pausedUntil));
      } else if (!lanes.start((chunk) => this.#send(transport, chunk, recorder, wanted))) {
        // Those left wait for places that are slow: whoever is behind them goes first.
        if (now > claim.at + LANE_WAIT && !lanes.full) release(lanes.leave(), () => now);
        else await lanes.freed();
      } else await nextTurn(); // what others wait for, turns of Expo too, comes in between
    }
    await lanes.done();
    await recorder.done();
  }

  async #send(
    transport: PushTransport,
    chunk: readonly Claimed[],
    recorder: Recorder,
    wanted: Wanted,
  ): Promise<void> {
    const { clock } = this.deps;
    const [going, left] = await wanted.among(chunk);
    // Whoever claims them next finds out why.
    for (const delivery of left) recorder.add(delivery, released(clock()));
    const [fresh, late] = split(going, ({ expiresAt }) => expiresAt.getTime() > clock());
    for (const delivery of late) recorder.add(delivery, missed(clock()));
    if (fresh.length === 0) return;
    const began = performance.now();
    const outcomes = await inCall(this.kind, () => this.#attempt(transport, fresh));
    const now = clock();
    for (const delivery of fresh) {
      const outcome = outcomes.get(delivery.id) ?? LOST;
      const { messageId } = delivery;
      noteSent({ messageId, provider: this.kind, outcome: outcome.kind, began });
      this.#pausedUntil = Math.max(this.#pausedUntil, now + pauseOf(outcome));
      if (outcome.kind === 'retry' && UNANSWERED.has(outcome.code)) observeUnanswered(this.kind);
      recorder.add(
        delivery,
        judge(
          outcome,
          {
            attempts: delivery.attempts,
            dueAt: delivery.dueAt.getTime(),
            expiresAt: delivery.expiresAt.getTime(),
          },
          now,
        ),
      );
    }
  }

  /**
   * Returns the outcomes of a transport, whatever it does. What makes it hang or throw is tried
   * again later.
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
        timer = setTimeout(() => resolve([]), LATE_OUTCOME).unref();
      }, this.sendLimit).unref();
    });
    await isolateAmong(chunk, { job: `deliver ${this.kind}`, log }, async (part) => {
      const responses = await Promise.race([
        transport.send(part.map(messageOf(clock())), { signal: limit.signal }),
        hung,
      ]);
      for (const [i, { id }] of part.entries()) outcomes.set(id, responses[i] ?? LOST);
    }).finally(() => clearTimeout(timer)); // a transport may take one message at a time: many calls
    return outcomes;
  }
}

/** Returns for how many milliseconds all messages wait after an outcome of one. */
function pauseOf(outcome: Outcome): number {
  const pauses = outcome.kind === 'unsent' || (outcome.kind === 'retry' && outcome.pause);
  return pauses ? Math.min(outcome.after ?? 1_000, LONGEST_PAUSE) : 0;
}

/** The states of a delivery that a provider took. */
const TAKEN: ReadonlySet<DeliveryState> = new Set([DeliveryState.SENT, DeliveryState.ACCEPTED]);

const LOST: Outcome = { kind: 'retry', code: 'lost' };
/** Codes of turns after which nobody knows whether the provider took the message. */
const UNANSWERED: ReadonlySet<string | undefined> = new Set(['timeout', 'network', LOST.code]);

/** The message of a delivery. Its id is the provider's collapse key. */
const messageOf =
  (now: number) =>
  ({ messageId, token, title, body, data, ...rest }: Claimed): PushMessage => ({
    id: collapseKey(messageId),
    token,
    title,
    body,
    data: data ? (JSON.parse(data) as Record<string, unknown>) : {},
    silent: rest.silent,
    ttl: Math.ceil((rest.expiresAt.getTime() - now) / 1000),
    kind: rest.kind,
    dueAt: rest.dueAt,
    expiresAt: rest.expiresAt,
  });

/**
 * Returns the id by which providers and devices know a message: the 16 bytes of its UUID as 22
 * characters of URL-safe base64.
 */
export const collapseKey = (messageId: string) =>
  Buffer.from(messageId.replaceAll('-', ''), 'hex').toString('base64url');

function split<T>(all: readonly T[], test: (one: T) => boolean): [T[], T[]] {
  return [all.filter(test), all.filter((one) => !test(one))];
}

/**
 * What is still to be sent of a claim. The claim itself has looked; while a slow provider takes long, a
 * dose is answered, a phone changes hands, or a machine sleeps until others have claimed the rest.
 */
class Wanted {
  #lookedAt = performance.now();
  #ids: Promise<ReadonlySet<number> | undefined> | undefined;

  constructor(
    private readonly deps: Deps,
    private readonly claim: Claim<Claimed>,
  ) {}

  /**
   * Returns which of these are to be sent, and which are not. A database that is away, or takes its time,
   * changes nothing, unless the claim ends meanwhile.
   */
  async among(chunk: readonly Claimed[]): Promise<[Claimed[], Claimed[]]> {
    const { deps, claim } = this;
    if (performance.now() - this.#lookedAt > LOOK_AGAIN) {
      this.#lookedAt = performance.now();
      const all = claim.deliveries.map(({ id }) => id);
      this.#ids = Promise.race([
        stillClaimed(deps, claim.id, all),
        sleep(LOOK_WITHIN, undefined, { ref: false }),
      ]);
      this.#ids.catch(() => {}); // the next look may succeed
    }
    const ids = await this.#ids?.catch(() => undefined);
    if (deps.clock() > claim.until - MARGIN) return [[], [...chunk]];
    return split(chunk, ({ id }) => ids?.has(id) ?? true);
  }
}

/**
 * Writes verdicts as they come: everything that arrived while one statement ran goes into the next.
 */
class Recorder {
  #waiting: (Verdict & { delivery: Claimed })[] = [];
  #writing: Promise<void> | undefined;

  constructor(
    private readonly deps: Deps,
    private readonly kind: RecipientKind,
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
        if (attempted || state === DeliveryState.MISSED) observeTurn(this.kind, state);
        if (TAKEN.has(state)) observeLateness(this.kind, now - delivery.dueAt.getTime());
      }
    }
    this.#writing = undefined;
  }

  /**
   * Tries until the lease is nearly over: a database that is away for a moment must not make
   * everything be sent again.
   */
  async #persist(batch: readonly (Verdict & { delivery: Claimed })[]): Promise<void> {
    const { deps, claim } = this;
    const sentAt = new Date(claim.at);
    const turns = batch.map(({ delivery: { id, deviceId, tokenHash }, ...verdict }) => ({
      ...verdict,
      id,
      deviceId,
      tokenHash,
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
