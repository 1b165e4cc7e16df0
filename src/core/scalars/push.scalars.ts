import { GraphQLJSONObject } from 'graphql-scalars';
import { scalar } from './scalar.js';

/** Limit of a text that may be a token, in characters. Tokens have at most 4,096 bytes. */
const LONGEST = 16 * 1024;

export const PushToken = scalar<string>({
  name: 'PushToken',
  description:
    'What a device is sent pushes by, at most 4,096 bytes: an Expo push token, an FCM registration ' +
    'token, or a Web Push subscription `{endpoint, keys: {p256dh, auth}}` as an object or as ' +
    'its JSON. Blanks around it do not count. Never shown and never logged.',
  jsonSchema: {},
  expected: 'a push token of Expo or FCM, or a Web Push subscription',
  parse: (value) => {
    const token = (typeof value === 'string' ? value : jsonOf(value))?.trim();
    return token && token.length <= LONGEST ? token : undefined;
  },
});

export const AnyToken = scalar<string>({
  name: 'AnyToken',
  description:
    "Whatever may be a device's token: any text of at most 16 KiB. " +
    'Of a Web Push subscription, its JSON or its endpoint.',
  jsonSchema: { type: 'string' },
  expected: 'a text of at most 16 KiB',
  parse: (value) =>
    typeof value === 'string' && value.length <= LONGEST ? value.trim() : undefined,
});

/** Names that FCM keeps for itself. */
const RESERVED_KEY =
  /^(?:from|message_type|collapse_key|message_id|notification|google\..*|gcm\..*)$/;

export const PushData = scalar<Readonly<Record<string, unknown>>>({
  name: 'PushData',
  description:
    'What an app gets beside the words of a push: a JSON object, as such or as text. With title ' +
    'and body at most 4,096 bytes. Not the names that providers keep: from, message_type, ' +
    'message_id, collapse_key, notification, google.* and gcm.*.',
  jsonSchema: {},
  expected: 'a JSON object without the names that providers keep',
  servedAs: GraphQLJSONObject,
  parse: (value) => {
    const data = typeof value === 'string' ? parsedOf(value) : value;
    if (!isRecord(data) || jsonOf(data) === undefined) return undefined;
    return Object.keys(data).some((key) => RESERVED_KEY.test(key)) ? undefined : data;
  },
});

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** JSON of a value; undefined for what has none, and when it is nested too deep. */
function jsonOf(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}

function parsedOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
