import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ExpoPushMessage, ExpoPushReceipt, ExpoPushTicket } from 'expo-server-sdk';
import { CheckFailed } from '../check.js';
import { dataOf, isTooLarge } from './payload.js';
import type { Outcome, PushMessage, PushTransport } from './push-transport.js';
import { type ProviderResponse, post } from './request.js';
import { NEAR, ownTurns, type Turns } from './shared-rate.js';
import { byStatus, EXPO } from './verdicts.js';

/** Most messages of one request to Expo. */
const BATCH = 100;
/** Limits of Expo for one project: simultaneous connections, and messages a second. */
const CONNECTIONS = 6;
export const EXPO_RATE = 600;
/**
 * Messages a second that are sent. So seven batches that are late by some milliseconds are not in
 * one second of Expo's.
 */
export const EXPO_PACE = 0.95 * EXPO_RATE;
/** Milliseconds after which a batch asks again for a turn that was too far ahead. */
const ASK_AGAIN = 1_000;
/**
 * Milliseconds after its turn at which a batch may still go: later it would come together with
 * those behind it. A process that is too busy to be in time goes at its last turn all the same.
 */
const LATE = 25;
const MOST_TURNS = 4;

/**
 * Expo's push service: sends batches of 100, gets tickets at once and receipts later.
 *
 * Only the types of the SDK are used, not its client. The client has a fixed address,
 * cannot be aborted, and repeats a 429 by itself without showing Retry-After. The worker repeats
 * messages. A batch that is refused as a whole (400) is split in halves, so that one bad message
 * does not fail the others.
 */
export class ExpoTransport implements PushTransport {
  readonly name = 'expo';
  readonly batch = BATCH;
  readonly concurrency = CONNECTIONS;
  readonly #ownTurns = ownTurns(EXPO_PACE);

  /**
   * `url` is the origin of the service. `turns`: those that all processes of the project share; by
   * default, and while these cannot be had, this process keeps the limit by itself. What has no
   * turn within five seconds is not sent: the outcome says when to try again.
   */
  constructor(
    private readonly options: {
      url: string;
      accessToken?: string | undefined;
      turns?: Turns | undefined;
    },
  ) {}

  async send(
    messages: readonly PushMessage[],
    { signal }: { signal: AbortSignal },
  ): Promise<Outcome[]> {
    const fitting = messages.filter((message) => !isTooLarge('expo', message));
    const outcomes = await this.#sendAll(fitting, signal);
    const byMessage = new Map(fitting.map((message, i) => [message, outcomes[i]]));
    return messages.map(
      (message) => byMessage.get(message) ?? { kind: 'refused', code: 'MessageTooBig' },
    );
  }

  async receipts(
    ids: readonly string[],
    { signal }: { signal: AbortSignal },
  ): Promise<Map<string, Outcome>> {
    const { status, body } = await this.#post('getReceipts', { ids }, signal);
    const known =
      status === 200
        ? (body as { data?: Record<string, ExpoPushReceipt> } | null | undefined)?.data
        : undefined;
    if (typeof known !== 'object' || known === null) return new Map();
    const asked = ids.filter((id) => Object.hasOwn(known, id));
    return new Map(asked.map((id) => [id, outcomeOf(known[id], { kind: 'delivered' })]));
  }

  /** Asks for a receipt that there is not. */
  async check(signal: AbortSignal): Promise<void> {
    const { status, failure } = await this.#post('getReceipts', { ids: [randomUUID()] }, signal);
    if (status !== 200) throw new CheckFailed(`It answered with ${failure ?? status}.`);
  }

  async #sendAll(messages: readonly PushMessage[], signal: AbortSignal): Promise<Outcome[]> {
    if (messages.length === 0) return [];
    const after = await this.#waitForRate(messages.length, signal);
    if (after !== undefined) return messages.map(() => ({ kind: 'unsent', after }));
    const response = await this.#post('send', messages.map(wireMessage), signal);
    const tickets = (response.body as { data?: ExpoPushTicket[] } | null | undefined)?.data;
    if (response.status === 200 && Array.isArray(tickets) && tickets.length === messages.length) {
      return tickets.map((ticket) =>
        outcomeOf(
          ticket,
          ticket?.status === 'ok' && ticket.id
            ? { kind: 'accepted', receipt: String(ticket.id) }
            : UNREADABLE,
        ),
      );
    }
    const outcome = outcomeOfFailure(response);
    if (outcome.kind === 'retry' && outcome.pause)
      await this.options.turns?.pause(outcome.after ?? ASK_AGAIN).catch(() => {});
    if (outcome.kind !== 'refused' || response.status !== 400 || messages.length === 1)
      return messages.map(() => outcome);
    const half = Math.ceil(messages.length / 2);
    return [
      ...(await this.#sendAll(messages.slice(0, half), signal)),
      ...(await this.#sendAll(messages.slice(half), signal)),
    ];
  }

  /**
   * Waits until `count` messages can be sent without exceeding EXPO_RATE. Returns after how many
   * milliseconds to ask again when that is too far ahead to wait for it.
   */
  async #waitForRate(count: number, signal: AbortSignal): Promise<number | undefined> {
    for (let turns = 1; ; turns++) {
      const shared = await this.options.turns?.take(count).catch(() => undefined);
      if (shared?.isTaken === false) return Math.max(ASK_AGAIN, shared.wait - NEAR);
      const own = await this.#ownTurns.take(count);
      const { wait } = shared ?? own;
      const at = performance.now() + wait;
      // When the wait is aborted, the request after it fails with the same signal
      if (wait > 0) await sleep(wait, undefined, { signal }).catch(() => {});
      if (signal.aborted || turns === MOST_TURNS || performance.now() - at <= LATE)
        return undefined;
    }
  }

  #post(action: string, body: unknown, signal: AbortSignal): Promise<ProviderResponse> {
    const { url, accessToken } = this.options;
    const headers = {
      'Content-Type': 'application/json',
      Accept: 'application/json',
      // Expo may send a response twice. On a kept connection the second one would be read as the
      // answer to the next batch, whose own response would be lost.
      Connection: 'close',
      ...(accessToken && { Authorization: `Bearer ${accessToken}` }),
    };
    return post(`${url}/--/api/v2/push/${action}`, { body: JSON.stringify(body), headers, signal });
  }
}

/**
 * With `collapseId` (iOS) and `tag` (Android) a repetition replaces the notification that is shown.
 */
function wireMessage(message: PushMessage): ExpoPushMessage {
  const { id, token, title, body, ttl, silent } = message;
  const sound = silent ? {} : { sound: 'default' as const };
  return {
    to: token,
    title,
    body,
    data: dataOf(message),
    ttl,
    priority: 'high',
    ...sound,
    collapseId: id,
    tag: id,
  };
}

const UNREADABLE: Outcome = { kind: 'retry', code: 'unreadable' };

function outcomeOf(
  response: ExpoPushTicket | ExpoPushReceipt | undefined,
  success: Outcome,
): Outcome {
  if (response?.status === 'ok') return success;
  if (response?.status !== 'error') return UNREADABLE;
  const code = String(response.details?.error ?? 'unknown').slice(0, 60);
  const verdict = EXPO.get(code) ?? 'refused';
  return { kind: verdict === 'suspect' ? 'refused' : verdict, code };
}

function outcomeOfFailure({ status, failure, body, retryAfter }: ProviderResponse): Outcome {
  if (status === 0) return { kind: 'retry', code: failure ?? 'network' };
  if (status === 200) return UNREADABLE;
  const [error] = (body as { errors?: { code?: string }[] } | null | undefined)?.errors ?? [];
  const code = String(error?.code ?? status).slice(0, 60);
  const verdict = byStatus(status) === 'retry' ? 'retry' : EXPO.get(code);
  if (verdict !== 'retry') return { kind: 'refused', code };
  return {
    kind: 'retry',
    code,
    pause: status === 429,
    ...(retryAfter !== undefined && { after: retryAfter }),
  };
}
