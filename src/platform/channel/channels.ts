import type { Keys } from '../keys.js';
import { NoProvider } from '../push/no-provider.js';
import type { ChannelKind, PushTransport } from '../push/push-transport.js';
import { openAddress } from './channel-address.js';
import { WebhookTransport } from './webhook.js';

/** The environment variables that configure channels. */
export interface ChannelSettings {
  readonly MESSAGES_WEBHOOK_URL: string | undefined;
  readonly MESSAGES_WEBHOOK_SECRET: readonly Buffer[] | undefined;
}

/** Returns the transport of each kind of channel. */
export function openChannels(
  { MESSAGES_WEBHOOK_URL: url, MESSAGES_WEBHOOK_SECRET: secrets }: ChannelSettings,
  keys: Keys,
): Readonly<Record<ChannelKind, PushTransport>> {
  if (!url || !secrets) return { sms: new NoProvider(), chat: new NoProvider() };
  const options = { url, secrets, addressOf: (token: string) => openAddress(keys, token) };
  return {
    sms: new WebhookTransport('sms', options),
    chat: new WebhookTransport('chat', options),
  };
}
