import type { Database } from '../database/database.js';
import { EXPO_LIMIT, ExpoTransport } from './expo.js';
import { FcmTransport } from './fcm.js';
import type { ServiceAccount } from './fcm-account.js';
import { NoProvider } from './no-provider.js';
import { Outbox, outboxFile } from './push-outbox.js';
import type { PushTransport, TokenKind } from './push-transport.js';
import { sharedTurns } from './shared-rate.js';
import { WebPushTransport } from './web-push.js';

/** The environment variables that configure how pushes are sent. */
export interface PushSettings {
  readonly DATA_DIR: string;
  readonly EXPO_URL: string | undefined;
  readonly EXPO_ACCESS_TOKEN: string | undefined;
  readonly FCM_SERVICE_ACCOUNT: ServiceAccount | undefined;
  readonly FCM_URL: string;
  readonly FCM_TOKEN_URL: string | undefined;
  readonly VAPID_PUBLIC_KEY: string | undefined;
  readonly VAPID_PRIVATE_KEY: string | undefined;
  readonly VAPID_SUBJECT: string | undefined;
  readonly WEB_PUSH_LOOPBACK: 'on' | 'off';
}

type Transports = Readonly<Record<string, PushTransport>>;

const EXPO = 'https://exp.host';

/**
 * Returns the transport of each kind of token. Without any provider all kinds go to the local
 * outbox. With one, kinds that have none are not served: nobody reads the outbox then. Processes of
 * one database share the limit of Expo; without `database` this process keeps it by itself.
 */
export function openPush(
  settings: PushSettings,
  database?: Pick<Database, 'query'>,
): Readonly<Record<TokenKind, PushTransport>> {
  const providers = { expo: expo(settings, database), fcm: fcm(settings), web: web(settings) };
  const file = outboxFile(settings.DATA_DIR);
  const hasAny = Object.values(providers).some(Boolean);
  const other = (kind: TokenKind) => (hasAny ? new NoProvider() : new Outbox(file, kind));
  return {
    expo: providers.expo ?? other('expo'),
    fcm: providers.fcm ?? other('fcm'),
    web: providers.web ?? other('web'),
  };
}

function expo(
  { EXPO_URL: url, EXPO_ACCESS_TOKEN: accessToken }: PushSettings,
  database: Pick<Database, 'query'> | undefined,
): ExpoTransport | undefined {
  if (!url && !accessToken) return undefined;
  const turns = database && sharedTurns(database, 'expo', EXPO_LIMIT);
  return new ExpoTransport({ url: url ?? EXPO, accessToken, turns });
}

function fcm({
  FCM_SERVICE_ACCOUNT: key,
  FCM_URL: url,
  FCM_TOKEN_URL: tokenUri,
}: PushSettings): FcmTransport | undefined {
  return key && new FcmTransport({ url, account: { ...key, ...(tokenUri && { tokenUri }) } });
}

function web(settings: PushSettings): WebPushTransport | undefined {
  const {
    VAPID_PUBLIC_KEY: publicKey,
    VAPID_PRIVATE_KEY: privateKey,
    VAPID_SUBJECT: subject,
  } = settings;
  if (!publicKey || !privateKey || !subject) return undefined;
  return new WebPushTransport({
    publicKey,
    privateKey,
    subject,
    loopback: settings.WEB_PUSH_LOOPBACK === 'on',
  });
}

/** Returns the path of the outbox file while pushes go there; undefined with a provider. */
export const outboxOf = (transports: Transports, dataDir: string): string | undefined =>
  Object.values(transports).some(({ name }) => name === 'outbox') ? outboxFile(dataDir) : undefined;

/** Returns the name of the transport of each kind, for the log. */
export const transportNames = (transports: Transports): Record<string, string> =>
  Object.fromEntries(Object.entries(transports).map(([kind, { name }]) => [kind, name]));
