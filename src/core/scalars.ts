import {
  GraphQLError,
  GraphQLScalarType,
  Kind,
  type ValueNode,
  valueFromASTUntyped,
} from 'graphql';
import { isPlainName } from '../platform/plain-name.js';
import { isZone } from '../platform/zone.js';
import { isBounded, SEARCH_BOUNDS } from './search.js';

/**
 * The scalars of the interface. Each carries the JSON schema of its values in
 * `extensions.jsonSchema`: the REST adapter checks parameters against it and prints it, so a bound
 * stands in one place.
 */
interface Definition<T> {
  readonly name: string;
  readonly description: string;
  readonly jsonSchema: object;
  /** The value as the domain sees it, or undefined when it does not fit. */
  readonly parse: (value: unknown) => T | undefined;
  /** What does fit, for the error's sentence. */
  readonly expected: string;
  /**
   * The refusal of what is of another type, where BAD_USER_INPUT and the usual sentence will not
   * do.
   */
  readonly mistyped?: { readonly type: string; readonly code: string; readonly message: string };
}

function scalar<T>({
  name,
  description,
  jsonSchema,
  parse,
  expected,
  mistyped,
}: Definition<T>): GraphQLScalarType<T, unknown> {
  const misfit = (value: unknown) => {
    const other = mistyped && typeof value !== mistyped.type ? mistyped : undefined;
    const { code, message } = other ?? {
      code: 'BAD_USER_INPUT',
      message: `${name} must be ${expected}.`,
    };
    return new GraphQLError(message, { extensions: { code } });
  };
  const read = (value: unknown): T => {
    const parsed = parse(value);
    if (parsed === undefined) throw misfit(value);
    return parsed;
  };
  const literal = (node: ValueNode, variables?: Record<string, unknown> | null): T => {
    if (node.kind === Kind.INT) return read(Number(node.value));
    if (node.kind === Kind.STRING) return read(node.value);
    if (node.kind === Kind.OBJECT) return read(valueFromASTUntyped(node, variables));
    throw misfit(node);
  };
  return new GraphQLScalarType({
    name,
    description,
    serialize: (value) => value,
    parseValue: read,
    parseLiteral: literal,
    extensions: { jsonSchema },
  });
}

/** A text of `least` to `most` UTF-8 bytes. NUL, which PostgreSQL cannot store, never fits. */
function text(
  name: string,
  description: string,
  most: number,
  { least = 0, form = undefined as 'raw' | undefined } = {},
) {
  return scalar<string>({
    name,
    description,
    jsonSchema: { type: form ? 'object' : 'string', ...(form && { form }) },
    expected: `a text of ${least ? `${least} to ` : 'at most '}${most.toLocaleString('en')} bytes without NUL`,
    parse: (value) => {
      if (typeof value !== 'string' || value.includes('\0')) return undefined;
      const bytes = value.length * 3 <= most ? value.length : Buffer.byteLength(value);
      return bytes >= least && bytes <= most ? value : undefined;
    },
  });
}

/** A whole number of `least` to `most`. */
function integer(name: string, description: string, least: number, most?: number) {
  return scalar<number>({
    name,
    description,
    jsonSchema: { type: 'integer', minimum: least, ...(most !== undefined && { maximum: most }) },
    expected:
      most === undefined
        ? `a whole number of at least ${least}`
        : `a whole number of ${least} to ${most}`,
    parse: (value) =>
      Number.isSafeInteger(value) &&
      (value as number) >= least &&
      (value as number) <= (most ?? 2 ** 31 - 1)
        ? (value as number)
        : undefined,
  });
}

export const Text = text('Text', 'A text of at most 255 bytes.', 255);
export const ShortText = text('ShortText', 'A text of 1 to 200 bytes.', 200, { least: 1 });
/** What others read in a mail or a list: it must not imitate a paragraph or bear a link. */
export const PlainName = scalar<string>({
  name: 'PlainName',
  description:
    'A name of 1 to 200 bytes on one line, without the address of a web page: a blank follows ' +
    'each dot, except after a title or initials ("Dr.Weiss").',
  jsonSchema: { type: 'string' },
  expected:
    'one line of 1 to 200 bytes without the address of a web page: put a blank after each dot',
  parse: (value) =>
    typeof value === 'string' &&
    value.length > 0 &&
    Buffer.byteLength(value) <= 200 &&
    isPlainName(value)
      ? value
      : undefined,
});
const SEARCH = `at most ${SEARCH_BOUNDS.terms} words and "quoted phrases" of at most ${SEARCH_BOUNDS.characters} characters each, 1,000 bytes in all`;
export const SearchText = scalar<string>({
  name: 'SearchText',
  description: `What to search for: ${SEARCH}.`,
  jsonSchema: { type: 'string' },
  expected: SEARCH,
  parse: (value) =>
    typeof value === 'string' &&
    !value.includes('\0') &&
    Buffer.byteLength(value) <= 1000 &&
    isBounded(value)
      ? value
      : undefined,
});
export const Secret = text(
  'Secret',
  'A password or code: at most 4,096 bytes. Never logged.',
  4096,
);
export const ProviderToken = text(
  'ProviderToken',
  "An identity provider's token: at most 8 KiB. Never logged.",
  8 * 1024,
);
/**
 * A code, token or state as somebody shows it to be let in. What is no text is as good as a wrong
 * one, and no mistake of its own kind.
 */
export const Presented = scalar<string>({
  name: 'Presented',
  description:
    'A code, token or state to be checked: a text of at most 4,096 bytes. Anything else is a ' +
    'wrong one. Never logged.',
  jsonSchema: {},
  expected: 'a text',
  parse: (value) =>
    typeof value === 'string' && Buffer.byteLength(value) <= 4096 && !value.includes('\0')
      ? value
      : NEVER_RIGHT,
});
const NEVER_RIGHT = '\uFFFD';
export const TitleText = text(
  'TitleText',
  'A title as typed, HTML allowed: at most 64 KiB.',
  64 * 1024,
  { form: 'raw' },
);
export const RichText = text(
  'RichText',
  'Content as typed, HTML and blocks allowed: at most 1 MiB.',
  1024 * 1024,
  {
    form: 'raw',
  },
);
export const LongText = text('LongText', 'A text of at most 64 KiB.', 64 * 1024);

const FOOTNOTES = 64 * 1024;
/**
 * Judged by the domain alone, after the right to write: the interface refuses it apart from other
 * parameters.
 */
export const Footnotes = scalar<string>({
  name: 'Footnotes',
  description: 'Footnotes of a content, as JSON: at most 64 KiB.',
  jsonSchema: { type: 'string', loose: {} },
  expected: 'a text of at most 64 KiB without NUL',
  mistyped: {
    type: 'string',
    code: 'META_INVALID',
    message: 'meta.footnotes is not of type string.',
  },
  parse: (value) =>
    typeof value === 'string' && value.length <= FOOTNOTES && !value.includes('\0')
      ? value
      : undefined,
});

export const Uuid = scalar<string>({
  name: 'Uuid',
  description: 'An id of 32 hexadecimal digits in five groups (UUID).',
  jsonSchema: { type: 'string' },
  expected: 'a UUID',
  parse: (value) =>
    typeof value === 'string' && /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(value)
      ? value.toLowerCase()
      : undefined,
});

export const TimeZone = scalar<string>({
  name: 'TimeZone',
  description: 'A time zone by its IANA name, such as Europe/Berlin.',
  jsonSchema: { type: 'string' },
  expected: 'the IANA name of a time zone, such as Europe/Berlin',
  parse: (value) => (typeof value === 'string' && isZone(value) ? value : undefined),
});

export const TimeOfDay = scalar<string>({
  name: 'TimeOfDay',
  description: 'A time of day by a clock of 24 hours: HH:MM, 00:00 to 23:59.',
  jsonSchema: { type: 'string' },
  expected: 'a time of day such as 08:00',
  parse: (value) =>
    typeof value === 'string' && /^([01]\d|2[0-3]):[0-5]\d$/.test(value) ? value : undefined,
});

export const PageNumber = integer('PageNumber', 'Number of a page, from 1.', 1);
export const PageSize = integer('PageSize', 'How many rows at most: 1 to 100.', 1, 100);

export const Minutes = integer('Minutes', 'Minutes: 1 to 720.', 1, 720);

/** No character that takes no room: two addresses would look the same. */
const EMAIL = /^[^\s@\p{Cc}\p{Cf}]+@[^\s@\p{Cc}\p{Cf}.]+(\.[^\s@\p{Cc}\p{Cf}.]+)+$/u;
export const Email = scalar<string>({
  name: 'Email',
  description: 'An e-mail address of at most 254 characters, all of them visible.',
  jsonSchema: { type: 'string', format: 'email' },
  expected: 'an e-mail address',
  parse: (value) =>
    typeof value === 'string' && value.length <= 254 && EMAIL.test(value) ? value : undefined,
});

export const WebAddress = scalar<string>({
  name: 'WebAddress',
  description:
    'An absolute http or https address of at most 2,000 characters, without credentials.',
  jsonSchema: { type: 'string', format: 'uri' },
  expected: 'an http or https address of at most 2,000 characters',
  parse: (value) => {
    if (typeof value !== 'string' || value.length > 2000 || !URL.canParse(value)) return undefined;
    const { protocol, username, password, href } = new URL(value);
    return (protocol === 'http:' || protocol === 'https:') && !username && !password
      ? href
      : undefined;
  },
});

export const MimeType = scalar<string>({
  name: 'MimeType',
  description: 'A media type such as image/jpeg, without parameters.',
  jsonSchema: { type: 'string' },
  expected: 'a media type such as image/jpeg',
  parse: (value) =>
    typeof value === 'string' && value.length <= 100 && /^[a-z]+\/[a-z0-9][a-z0-9.+-]*$/.test(value)
      ? value
      : undefined,
});

export const PixelCount = integer('PixelCount', 'Pixels: 0 to 100,000.', 0, 100_000);

export const Reason = scalar<string>({
  name: 'Reason',
  description:
    'Why something is done, in words: 10 to 500 characters without the blanks around them.',
  jsonSchema: { type: 'string', minLength: 10, maxLength: 500 },
  expected: 'a reason of 10 to 500 characters',
  parse: (value) => {
    const reason = typeof value === 'string' && !value.includes('\0') ? value.trim() : '';
    const length = [...reason.slice(0, 1001)].length;
    return length >= 10 && length <= 500 ? reason : undefined;
  },
});

const DATE_TIME = /^(\d{4})-(\d\d)-(\d\d)[T ](\d\d):(\d\d):(\d\d)(?:\.\d+)?(Z|[+-]\d\d:?\d\d)?$/i;

/**
 * A moment as a caller names it: by the clock of some zone (`local`, milliseconds as if UTC), and
 * the offset in minutes if given.
 */
export interface SiteMoment {
  readonly local: number;
  readonly offset?: number;
}

/**
 * Reads `YYYY-MM-DDTHH:MM:SS` with an optional fraction and offset; a day beyond its month rolls
 * over. Undefined for anything else.
 */
export function parseSiteTime(value: unknown): SiteMoment | undefined {
  const parts = typeof value === 'string' ? DATE_TIME.exec(value) : null;
  if (!parts) return undefined;
  const [year, month, day, hour, minute, second] = parts.slice(1, 7).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  if (
    month < 1 ||
    month > 12 ||
    day < 1 ||
    day > 31 ||
    hour > 23 ||
    minute > 59 ||
    second > 59 ||
    year < 1
  )
    return undefined;
  const local =
    new Date(0).setUTCFullYear(year, month - 1, day) + ((hour * 60 + minute) * 60 + second) * 1000;
  const zone = parts[7];
  const [hours, minutes] =
    zone && zone.length > 1 ? [Number(zone.slice(1, 3)), Number(zone.slice(-2))] : [0, 0];
  const offset = zone && (zone[0] === '-' ? -1 : 1) * (hours * 60 + minutes);
  const instant = local - (offset || 0) * 60_000;
  if (instant < EARLIEST || instant > LATEST) return undefined;
  return offset === undefined || offset === '' ? { local } : { local, offset };
}

/**
 * A day within the years 1 to 9999, so that a moment stands in them by the clocks of every zone.
 */
const EARLIEST = Date.parse('0001-01-02T00:00:00Z');
const LATEST = Date.parse('9999-12-30T23:59:59Z');

export const SiteTime = scalar<SiteMoment>({
  name: 'SiteTime',
  description:
    'Date and time as YYYY-MM-DDTHH:MM:SS. Without an offset it is the clock of the site; with ' +
    'one (Z, +02:00) it is converted.',
  jsonSchema: { type: 'string', format: 'date-time' },
  expected: 'a date and time such as 2026-03-01T08:00:00',
  parse: parseSiteTime,
});

export const GmtTime = scalar<SiteMoment>({
  name: 'GmtTime',
  description:
    'Date and time as YYYY-MM-DDTHH:MM:SS. Without an offset it is GMT; with one it is converted.',
  jsonSchema: { type: 'string', format: 'date-time' },
  expected: 'a date and time such as 2026-03-01T08:00:00',
  parse: (value) => {
    const moment = parseSiteTime(value);
    return moment && { offset: 0, ...moment };
  },
});

export const ClockTime = scalar<string>({
  name: 'ClockTime',
  description: 'Date and time by some clock, without an offset: YYYY-MM-DDTHH:MM:SS.',
  jsonSchema: { type: 'string', format: 'date-time' },
  expected: 'a date and time without an offset',
  parse: (value) => (typeof value === 'string' ? value : undefined),
});

export const Cursor = text(
  'Cursor',
  'Opaque position in a list, from `cursor` or `pageInfo`.',
  1000,
);

const LARGEST_TOKEN = 4096;
export const PushToken = scalar<string>({
  name: 'PushToken',
  description:
    'What a device is sent pushes by, 1 to 4,096 bytes: an Expo push token, an FCM registration token, or a Web Push subscription ' +
    '`{endpoint, keys: {p256dh, auth}}` as an object or as its JSON. Never shown and never logged.',
  jsonSchema: {},
  expected: `a text of 1 to ${LARGEST_TOKEN.toLocaleString('en')} bytes without NUL, or a Web Push subscription`,
  parse: (value) => {
    const token = isRecord(value)
      ? jsonOf(value)
      : typeof value === 'number'
        ? String(value)
        : value;
    if (typeof token !== 'string' || token.includes('\0') || !token.trim()) return undefined;
    return Buffer.byteLength(token) <= LARGEST_TOKEN ? token : undefined;
  },
});

export const AnyToken = scalar<string>({
  name: 'AnyToken',
  description:
    "Whatever may be a device's token: any text of at most 16 KiB. Of a Web Push subscription, its JSON or its endpoint.",
  jsonSchema: { type: 'string' },
  expected: 'a text of at most 16 KiB',
  parse: (value) => (typeof value === 'string' && value.length <= 16 * 1024 ? value : undefined),
});

/** What FCM keeps for itself. */
const RESERVED_KEY =
  /^(?:from|message_type|collapse_key|message_id|notification|google\..*|gcm\..*)$/;
export const PushData = scalar<Readonly<Record<string, unknown>>>({
  name: 'PushData',
  description:
    'What an app gets beside the words of a push: a JSON object, as such or as text. With title and body at most 4,096 bytes. ' +
    'Not the names that providers keep: from, message_type, message_id, collapse_key, ' +
    'notification, google.* and gcm.*.',
  jsonSchema: {},
  expected: 'a JSON object without the names that providers keep',
  parse: (value) => {
    const data = typeof value === 'string' ? parsedOf(value) : value;
    if (!isRecord(data) || jsonOf(data) === undefined) return undefined;
    return Object.keys(data).some((key) => RESERVED_KEY.test(key)) ? undefined : data;
  },
});

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** JSON of a value, or undefined for one that is nested too deep for it. */
function jsonOf(value: object): string | undefined {
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

export const WaitMinutes = integer(
  'WaitMinutes',
  'Minutes until somebody is told again, or the next one is: 1 to 120.',
  1,
  120,
);
export const RenotifyTimes = integer(
  'RenotifyTimes',
  'How often a reminder is repeated at most: 0 to 10.',
  0,
  10,
);
