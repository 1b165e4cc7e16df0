import { randomUUID } from 'node:crypto';
import type { ExpoPushMessage, ExpoPushReceipt, ExpoPushTicket } from 'expo-server-sdk';
import { CheckFailed } from '../check.js';
import { dataOf, isTooLarge } from './payload.js';
import type { Outcome, PushMessage, PushTransport } from './push-transport.js';
import { type ProviderResponse, post } from './request.js';
import { ASK_AGAIN, type SendingTurn, type Turns } from './shared-rate.js';
import { byStatus, EXPO } from './verdicts.js';

/** Most messages of one request to Expo. */
const BATCH = 100;
/** What Expo takes of one project: messages a second, and simultaneous connections. */
export const EXPO_LIMIT = { messagesPerSecond: 600, connections: 6 } as const;

/**
 * Expo's push service: sends batches of 100, gets tickets at once and receipts later.
 *
 * Only the types of the SDK are used, not its client. The client has a fixed address,
 * cannot be aborted, and repeats a 429 by itself without showing Retry-After. The worker repeats
 * messages. A batch that is refused as a whole (400) is split by project where the refusal names
 * projects, else in halves, so that one bad message does not fail the others.
 */
export class ExpoTransport implements PushTransport {
  readonly name = 'expo';
  readonly batch = BATCH;
  readonly concurrency = EXPO_LIMIT.connections;

  /**
   * `url` is the origin of the service. `turns`: those that all processes of the project share.
   * What has no turn within five seconds is not sent: the outcome says when to try again. Without
   * turns, and while these cannot be had, everything is sent at once: a reminder is not held up by
   * a limit that Expo keeps itself.
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
    return messages.map(
      (message) => outcomes.get(message) ?? { kind: 'refused', code: 'MessageTooBig' },
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
    const outcomes = ids.flatMap((id) => {
      const outcome = Object.hasOwn(known, id) && outcomeOf(known[id], { kind: 'delivered' });
      return outcome ? [[id, outcome] as const] : [];
    });
    return new Map(outcomes);
  }

  /** Asks for a receipt that there is not. */
  async check(signal: AbortSignal): Promise<void> {
    const { status, failure } = await this.#post('getReceipts', { ids: [randomUUID()] }, signal);
    if (status !== 200) throw new CheckFailed(`It answered with ${failure ?? status}.`);
  }

  async #sendAll(messages: readonly PushMessage[], signal: AbortSignal): Promise<Outcomes> {
    if (messages.length === 0) return new Map();
    const turn = await this.#take(messages.length, signal);
    if (turn?.isTaken === false)
      return outcomesOf(messages, () => ({ kind: 'unsent', after: turn.after }));
    const hold = async () => turn?.hold().catch(() => {});
    const outcomes = await this.#sendInTurn(messages, signal, hold);
    turn?.done().catch(() => {}); // it ends by itself
    return outcomes;
  }

  /** Sends messages whose turn it is, which each request for parts of a refused batch holds on to. */
  async #sendInTurn(
    messages: readonly PushMessage[],
    signal: AbortSignal,
    hold: () => Promise<void>,
  ): Promise<Outcomes> {
    const response = await this.#post('send', messages.map(wireMessage), signal);
    const tickets = (response.body as { data?: ExpoPushTicket[] } | null | undefined)?.data;
    if (response.status === 200 && Array.isArray(tickets) && tickets.length === messages.length) {
      return outcomesOf(messages, (i) => outcomeOfTicket(tickets[i]));
    }
    const outcome = outcomeOfFailure(response);
    if (outcome.kind === 'retry' && outcome.pause)
      await this.options.turns?.pause(outcome.after ?? ASK_AGAIN).catch(() => {});
    if (outcome.kind !== 'refused' || response.status !== 400 || messages.length === 1)
      return outcomesOf(messages, () => outcome);
    const outcomes = new Map<PushMessage, Outcome>();
    for (const part of partsOf(messages, response.body)) {
      await hold();
      for (const [message, one] of await this.#sendInTurn(part, signal, hold))
        outcomes.set(message, one);
    }
    return outcomes;
  }

  async #take(messages: number, signal: AbortSignal): Promise<SendingTurn | undefined> {
    return this.options.turns?.take(messages, signal).catch(() => undefined);
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

type Outcomes = ReadonlyMap<PushMessage, Outcome>;

const outcomesOf = (messages: readonly PushMessage[], outcome: (i: number) => Outcome): Outcomes =>
  new Map(messages.map((message, i) => [message, outcome(i)]));

const UNREADABLE: Outcome = { kind: 'retry', code: 'unreadable' };

function outcomeOfTicket(ticket: ExpoPushTicket | undefined): Outcome {
  const id = ticket?.status === 'ok' && ticket.id;
  const taken: Outcome = id ? { kind: 'accepted', receipt: textOf(id) } : UNREADABLE;
  return outcomeOf(ticket, taken) ?? UNREADABLE;
}

/** Returns what a ticket or receipt says; undefined when it says neither ok nor error. */
function outcomeOf(
  response: ExpoPushTicket | ExpoPushReceipt | undefined,
  success: Outcome,
): Outcome | undefined {
  if (response?.status === 'ok') return success;
  if (response?.status !== 'error') return undefined;
  const code = textOf(response.details?.error ?? 'unknown').slice(0, 60);
  const verdict = EXPO.get(code) ?? 'refused';
  return { kind: verdict === 'suspect' ? 'refused' : verdict, code };
}

function outcomeOfFailure({ status, failure, body, retryAfter }: ProviderResponse): Outcome {
  if (status === 0) return { kind: 'retry', code: failure ?? 'network' };
  if (status === 200) return UNREADABLE;
  const code = textOf(errorOf(body).code ?? status).slice(0, 60);
  const verdict = byStatus(status) === 'retry' ? 'retry' : EXPO.get(code);
  if (verdict !== 'retry') return { kind: 'refused', code };
  return {
    kind: 'retry',
    code,
    pause: status === 429,
    ...(retryAfter !== undefined && { after: retryAfter }),
  };
}

/** Returns the first error of a failed request; nothing of a body of another shape. */
function errorOf(body: unknown): { readonly code?: unknown; readonly details?: unknown } {
  const errors = (body as { errors?: unknown } | null | undefined)?.errors;
  const error: unknown = Array.isArray(errors) ? errors[0] : undefined;
  return typeof error === 'object' && error !== null ? error : {};
}

/**
 * Returns the parts in which messages are sent again after they were refused together: those of each
 * project that the refusal names with its tokens, else halves.
 */
function partsOf(messages: readonly PushMessage[], body: unknown): PushMessage[][] {
  const { code, details } = errorOf(body);
  const named = Object.values(code === 'PUSH_TOO_MANY_EXPERIENCE_IDS' ? (details ?? {}) : {});
  const projects = named.map((tokens) => new Set<unknown>(Array.isArray(tokens) ? tokens : []));
  const parts = new Map<number, PushMessage[]>();
  for (const message of messages) {
    const project = projects.findIndex((tokens) => tokens.has(message.token));
    parts.set(project, [...(parts.get(project) ?? []), message]);
  }
  if (parts.size > 1) return [...parts.values()];
  const half = Math.ceil(messages.length / 2);
  return [messages.slice(0, half), messages.slice(half)];
}

const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value);
