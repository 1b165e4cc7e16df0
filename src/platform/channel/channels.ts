import type { Keys } from '../keys.js';
import {
  type ChannelKind,
  type Outcome,
  type PushMessage,
  type PushTransport,
} from '../push/push-transport.js';
import { openAddress } from './channel-address.js';
import { WebhookTransport } from './webhook.js';

/** The environment variables that configure channels. */
export interface ChannelSettings {
  readonly MESSAGES_WEBHOOK_URL: string | undefined;
  readonly MESSAGES_WEBHOOK_SECRET: readonly Buffer[] | undefined;
}

/**
 * Leaves what is queued for channels to processes that have the webhook, while a deployment brings it
 * or takes it away. What none sends expires.
 */
class NoChannel implements PushTransport {
  readonly name = 'none';
  readonly batch = 1_000;
  readonly concurrency = 1;

  async send(messages: readonly PushMessage[]): Promise<Outcome[]> {
    return messages.map(() => ({ kind: 'retry', code: 'not_configured' }));
  }
}

/** Returns the transport of each kind of channel. */
export function openChannels(
  { MESSAGES_WEBHOOK_URL: url, MESSAGES_WEBHOOK_SECRET: secrets }: ChannelSettings,
  keys: Keys,
): Readonly<Record<ChannelKind, PushTransport>> {
  if (!url || !secrets) return { sms: new NoChannel(), chat: new NoChannel() };
  const options = { url, secrets, addressOf: (token: string) => openAddress(keys, token) };
  return {
    sms: new WebhookTransport('sms', options),
    chat: new WebhookTransport('chat', options),
  };
}
