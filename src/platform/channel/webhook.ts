import { createHash } from 'node:crypto';
import type { ChannelKind, Outcome, PushMessage, PushTransport } from '../push/push-transport.js';
import { type ProviderResponse, post } from '../push/request.js';
import { signedHeaders } from './webhook-signature.js';

/** Where texts are posted, and what signs them. */
export interface WebhookOptions {
  readonly url: string;
  /** One or, while it is being replaced, two. */
  readonly secrets: readonly Buffer[];
  /** Returns the address of a stored text; undefined when it cannot be read now. */
  readonly addressOf: (token: string) => string | undefined;
}

/**
 * Posts texts for a kind of channel to the operator's receiver, one in each request: see
 * docs/channels.md. The worker repeats them, under the same `webhook-id`.
 */
export class WebhookTransport implements PushTransport {
  readonly name = 'webhook';
  readonly batch = 1;
  readonly concurrency = 25;

  constructor(
    private readonly kind: ChannelKind,
    private readonly options: WebhookOptions,
  ) {}

  send(messages: readonly PushMessage[], { signal }: { signal: AbortSignal }): Promise<Outcome[]> {
    return Promise.all(messages.map((message) => this.#sendOne(message, signal)));
  }

  async #sendOne(message: PushMessage, signal: AbortSignal): Promise<Outcome> {
    const { url, secrets, addressOf } = this.options;
    const to = addressOf(message.token);
    if (to === undefined) return { kind: 'retry', code: 'unknown_key' };
    const channel = this.kind.toUpperCase();
    const body = JSON.stringify(wireMessage(message, channel, to));
    const id = webhookId(message.id, channel, to);
    const headers = {
      'content-type': 'application/json',
      accept: 'application/json',
      ...signedHeaders(secrets, { id, body, at: Date.now() }),
    };
    return outcomeOf(await post(url, { body, headers, signal, leaves: isTaken }));
  }
}

/** A body says nothing more once the text is taken, so none can make the text be sent again. */
const isTaken = (status: number) => status >= 200 && status < 300;

const wireMessage = (
  { title, body, kind, silent = false, dueAt, expiresAt }: PushMessage,
  channel: string,
  to: string,
) => ({
  channel,
  to,
  text: [title, body].filter(Boolean).join(': '),
  kind: kind.toUpperCase(),
  silent,
  due_at: dueAt.toISOString(),
  expires_at: expiresAt.toISOString(),
});

/** The same at every repetition, and another one for each address that a message goes to. */
const webhookId = (...about: readonly string[]) =>
  `msg_${createHash('sha256').update(about.join(' ')).digest('base64url')}`;

/** Statuses that say that this text will never be taken. */
const REFUSED: ReadonlySet<number> = new Set([400, 413, 422]);

/**
 * Other failures are tried again, those of a wrong path or secret too: an operator may mend them
 * before the text expires.
 */
function outcomeOf({ status, failure, body, retryAfter }: ProviderResponse): Outcome {
  const code = failure ?? String(status);
  if (isTaken(status)) return { kind: 'delivered', code };
  const error = (body as { error?: unknown } | null | undefined)?.error;
  if (status === 410 || (REFUSED.has(status) && error === 'address_gone'))
    return { kind: 'dead', code };
  if (REFUSED.has(status)) return { kind: 'refused', code };
  const pause = status === 429;
  return { kind: 'retry', code, pause, ...(retryAfter !== undefined && { after: retryAfter }) };
}
