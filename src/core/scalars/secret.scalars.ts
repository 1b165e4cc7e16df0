import { GraphQLString } from 'graphql';
import { scalar, text } from './scalar.js';

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

/** Replaces a value that is not a valid text. No code or token equals it. */
const NEVER_RIGHT = '\uFFFD';

/**
 * A code, token or state that a caller sends to sign in. A value that is no text counts as a
 * wrong one, and is no mistake of another kind.
 */
export const Presented = scalar<string>({
  name: 'Presented',
  description:
    'A code, token or state to be checked: a text of at most 4,096 bytes. Anything else is a ' +
    'wrong one. Never logged.',
  jsonSchema: {},
  expected: 'a text',
  servedAs: GraphQLString,
  parse: (value) =>
    typeof value === 'string' && Buffer.byteLength(value) <= 4096 && !value.includes('\0')
      ? value
      : NEVER_RIGHT,
});
