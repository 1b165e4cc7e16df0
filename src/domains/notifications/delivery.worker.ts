import { setTimeout as sleep } from 'node:timers/promises';
import type { Deps } from '../../context.js';
import type { Outcome, PushMessage, PushTransport, TokenKind } from '../../platform/push/transport.js';
import { observeLateness, observeTurn } from './delivery.metrics.js';
import { judge, missed, released, type Verdict } from './delivery.outcome.js';
import { BATCH, type Claim, type Claimed, claimDue, recordVerdicts } from './delivery.service.js';
import { buryDevices } from './device-loss.service.js';

/** How long one call of a transport may take, a batch that is halved included, in milliseconds. */
const SEND_LIMIT = 20_000;
/** Sends are begun until this long before a claim's lease ends, so that what they say is written while the lease holds. */
const MARGIN = SEND_LIMIT + 5_000;
/** How long one run goes on while there is more to do, in milliseconds. */
const STINT = 2_000;
/** How long a provider that asks for it is left alone at most, in milliseconds. */
const LONGEST_PAUSE = 60_000;

/**
 * Sends the due deliveries of one kind of device: claims a batch, sends it outside of any transaction, and writes what became of it
 * while more is being sent. Any number of processes may do so at once. What dies in between is sent again, under the same message
 * id, when its lease ends; that is why little is left unwritten at any moment.
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
    const { deliveries } = claim;
    let next = 0;
    const take = () => {
      next += transport.batch;
      return deliveries.slice(next - transport.batch, next);
    };
    const lane = async () => {
      for (let chunk = take(); chunk.length > 0; chunk = take()) {
        const now = clock();
        if (stopping.aborted || now > claim.until - MARGIN || now < this.#pausedUntil) {
          for (const delivery of chunk) recorder.add(delivery, released(Math.max(now, this.#pausedUntil)));
        } else await this.#send(transport, chunk, recorder);
      }
    };
    await Promise.all(Array.from({ length: Math.min(transport.concurrency, deliveries.length) }, lane));
    await recorder.done();
  }

  async #send(transport: PushTransport, chunk: readonly Claimed[], recorder: Recorder): Promise<void> {
    const { clock } = this.deps;
    const [fresh, late] = split(chunk, ({ expiresAt }) => expiresAt.getTime() > clock());
    for (const delivery of late) recorder.add(delivery, missed(clock()));
    if (fresh.length === 0) return;
    const outcomes = await this.#attempt(transport, fresh.map(messageOf(clock())));
    const now = clock();
    for (const [i, delivery] of fresh.entries()) {
      const outcome = outcomes[i] ?? LOST;
      if (outcome.kind === 'retry' && outcome.pause) {
        this.#pausedUntil = Math.max(this.#pausedUntil, now + Math.min(outcome.after ?? 1_000, LONGEST_PAUSE));
      }
      recorder.add(delivery, judge(outcome, { attempts: delivery.attempts, expiresAt: delivery.expiresAt.getTime() }, now));
    }
  }

  /** The outcomes of a transport, whatever it does: one that hangs or throws is tried again later. */
  async #attempt(transport: PushTransport, messages: readonly PushMessage[]): Promise<readonly Outcome[]> {
    const limit = new AbortController();
    const hung = sleep(SEND_LIMIT, [], { ref: false, signal: limit.signal }).catch(() => []);
    try {
      return await Promise.race([transport.send(messages, { signal: AbortSignal.timeout(SEND_LIMIT) }), hung]);
    } catch (error) {
      this.deps.log.error({ err: error, transport: transport.name }, 'push transport failed');
      return [];
    } finally {
      limit.abort();
    }
  }
}

const LOST: Outcome = { kind: 'retry', code: 'lost' };

/** The message of a delivery; its id is the provider's collapse key: the 16 bytes of a UUID as 22 characters. */
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

/** How providers and devices know a message: the 16 bytes of its UUID as 22 characters of URL-safe base64. */
export const collapseKey = (messageId: string) => Buffer.from(messageId.replaceAll('-', ''), 'hex').toString('base64url');

function split<T>(all: readonly T[], test: (one: T) => boolean): [T[], T[]] {
  return [all.filter(test), all.filter((one) => !test(one))];
}

/** Writes verdicts as they come: everything that arrived while one statement ran goes into the next. */
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
        if (state === 'sent' || state === 'accepted') observeLateness(this.kind, now - delivery.dueAt.getTime());
      }
    }
    this.#writing = undefined;
  }

  /** A database that is away for a moment must not make everything be sent again: it is asked until the lease is nearly over. */
  async #persist(batch: readonly (Verdict & { delivery: Claimed })[]): Promise<void> {
    const { deps, claim } = this;
    const deaths = batch.filter(({ state }) => state === 'dead').map(({ delivery }) => delivery.deviceId);
    for (let attempt = 1; ; attempt++) {
      try {
        const sentAt = new Date(claim.at);
        if (deaths.length > 0)
          await buryDevices(
            deps,
            deaths.map((deviceId) => ({ deviceId, sentAt })),
          );
        await recordVerdicts(
          deps,
          claim.id,
          batch.map(({ delivery, ...verdict }) => ({ ...verdict, id: delivery.id })),
        );
        return;
      } catch (error) {
        if (attempt === 20 || deps.clock() > claim.until) throw error;
        await sleep(Math.min(250 * attempt, 2_000));
      }
    }
  }
}
