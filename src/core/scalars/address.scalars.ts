import { GraphQLUUID } from 'graphql-scalars';
import { trimmed } from '../../platform/trimming.js';
import { isUuid } from '../../platform/uuid.js';
import { scalar, servedText, text } from './scalar.js';

export const Uuid = scalar<string>({
  name: 'Uuid',
  description: 'An id of 32 hexadecimal digits in five groups (UUID).',
  jsonSchema: { type: 'string' },
  expected: 'a UUID',
  servedAs: GraphQLUUID,
  parse: (value) => (typeof value === 'string' && isUuid(value) ? value.toLowerCase() : undefined),
});

/** No invisible characters: two addresses would look the same. */
const EMAIL = /^[^\s@\p{Cc}\p{Cf}]+@[^\s@\p{Cc}\p{Cf}.]+(\.[^\s@\p{Cc}\p{Cf}.]+)+$/u;

/** That of graphql-scalars refuses addresses with letters beyond ASCII, which people have. */
const EmailAddress = servedText(
  'EmailAddress',
  'An e-mail address of at most 254 characters, all of them visible; blanks around it do not count.',
);

export const Email = scalar<string>({
  name: 'Email',
  description: 'An e-mail address of at most 254 characters, all of them visible.',
  jsonSchema: { type: 'string', format: 'idn-email' },
  expected: 'an e-mail address',
  servedAs: EmailAddress,
  parse: (value) => {
    const address = typeof value === 'string' ? trimmed(value) : '';
    return address.length <= 254 && EMAIL.test(address) ? address : undefined;
  },
});

/** That of graphql-scalars makes objects, and rewrites the texts that are read. */
const Url = servedText('URL', 'An absolute http or https address without credentials.');

export const WebAddress = scalar<string>({
  name: 'WebAddress',
  description:
    'An absolute http or https address of at most 2,000 characters, without credentials.',
  jsonSchema: { type: 'string', format: 'uri' },
  expected: 'an http or https address of at most 2,000 characters',
  servedAs: Url,
  parse: (value) => {
    if (typeof value !== 'string' || value.length > 2000 || !URL.canParse(value)) return undefined;
    const { protocol, username, password, href } = new URL(value);
    return (protocol === 'http:' || protocol === 'https:') && !username && !password
      ? href
      : undefined;
  },
});

const ORIGIN =
  /^(?:https:\/\/(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z][a-z0-9-]*|http:\/\/(?:localhost|127\.0\.0\.1))(?::\d{1,5})?$/;

/**
 * It becomes a part of a header: nothing but letters, digits, dots and dashes is a host, and no
 * star stands for several.
 */
export const FrameOrigin = scalar<string>({
  name: 'FrameOrigin',
  description:
    'An origin whose pages may frame something: https, a host and perhaps a port, such as ' +
    'https://www.example.org; http for localhost alone. At most 260 characters, no path, no star.',
  jsonSchema: { type: 'string' },
  expected:
    'an origin of at most 260 characters without a path, such as https://www.example.org (http ' +
    'for localhost alone)',
  parse: (value) => {
    if (typeof value !== 'string' || value.length > 260 || !URL.canParse(value)) return undefined;
    const { origin, href, pathname } = new URL(value);
    const isBare = pathname === '/' && (href === origin || href === `${origin}/`);
    return isBare && ORIGIN.test(origin) ? origin : undefined;
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

export const Cursor = text(
  'Cursor',
  'Opaque position in a list, from `cursor` or `pageInfo`.',
  1000,
);
