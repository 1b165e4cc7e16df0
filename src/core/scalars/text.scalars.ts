import { GraphQLString } from 'graphql';
import { isPlainName } from '../../platform/plain-name.js';
import { trimmed } from '../../platform/trimming.js';
import { isBounded, SEARCH_BOUNDS } from '../search.js';
import { scalar, text, writtenText } from './scalar.js';

export const Text = text('Text', 'A text of at most 255 bytes.', 255);
export const ShortText = text('ShortText', 'A text of 1 to 200 bytes.', 200, { least: 1 });
export const QuoteText = text('QuoteText', 'A text of 1 to 2,000 bytes.', 2000, { least: 1 });
export const SlugText = text(
  'SlugText',
  'A slug, as stored, decoded or percent-encoded several times: at most 4,000 bytes.',
  4000,
);
export const CsvText = text('CsvText', 'A CSV of at most 1 MiB.', 1024 * 1024, { least: 1 });
export const DocumentText = text('DocumentText', 'A text of 1 byte to 16 KiB.', 16 * 1024, {
  least: 1,
});
export const LongText = text('LongText', 'A text of at most 64 KiB.', 64 * 1024);

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

/** A name that others read in a mail or a list: it cannot contain a line break, a link or a tag. */
export const PlainName = scalar<string>({
  name: 'PlainName',
  description:
    'A name of 1 to 200 bytes on one line, without a tag of HTML, and without the address of a ' +
    'web page: a blank follows each dot, except after a title or initials ("Dr.Weiss"). Blanks and ' +
    'marks of writing direction around it are left out.',
  jsonSchema: { type: 'string' },
  expected:
    'one line of 1 to 200 bytes without tags and without the address of a web page: put a blank ' +
    'after each dot',
  parse: (value) => {
    if (typeof value !== 'string') return undefined;
    const name = trimmed(value) || value;
    const fits = name.length > 0 && Buffer.byteLength(name) <= 200 && isPlainName(name);
    return fits ? name : undefined;
  },
});

const { terms, characters } = SEARCH_BOUNDS;
const PHRASES = `at most ${terms} words and "quoted phrases" of at most ${characters} characters each`;
const SEARCH = `${PHRASES}, 1,000 bytes in all`;

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

const FOOTNOTES = 64 * 1024;

/**
 * The domain checks its content after the access rule, so REST reports its refusal separately from
 * those of other parameters.
 */
export const Footnotes = scalar<string>({
  name: 'Footnotes',
  description: 'Footnotes of an item, as JSON: at most 64 KiB.',
  jsonSchema: { type: 'string', loose: {} },
  expected: 'a text of at most 64 KiB without NUL',
  mistyped: {
    type: 'string',
    code: 'META_INVALID',
    message: 'meta.footnotes is not of type string.',
  },
  parse: (value) =>
    typeof value === 'string' && Buffer.byteLength(value) <= FOOTNOTES && !value.includes('\0')
      ? value
      : undefined,
});

export const Reason = scalar<string>({
  name: 'Reason',
  description:
    'Why something is done, in words: 10 to 500 characters not counting blanks at either end.',
  jsonSchema: { type: 'string', minLength: 10, maxLength: 500 },
  expected: 'a reason of 10 to 500 characters',
  parse: (value) => {
    const reason = typeof value === 'string' && !value.includes('\0') ? value.trim() : '';
    const length = [...reason.slice(0, 1001)].length;
    return length >= 10 && length <= 500 ? reason : undefined;
  },
});

export const CountryCode = scalar<string>({
  name: 'CountryCode',
  description: 'A country by its two letters (ISO 3166-1), such as DE.',
  jsonSchema: { type: 'string' },
  expected: 'the two letters of a country (ISO 3166-1), such as DE',
  parse: (value) =>
    typeof value === 'string' && /^[a-z]{2}$/i.test(value) ? value.toUpperCase() : undefined,
});

/** Returns the canonical form of a BCP 47 tag; undefined for a text that is none. */
function languageTag(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.length > 35) return undefined;
  try {
    return Intl.getCanonicalLocales(value)[0];
  } catch {
    return undefined;
  }
}

export const LanguageTag = scalar<string>({
  name: 'LanguageTag',
  description: 'A language by its BCP 47 tag, such as en or pt-BR.',
  jsonSchema: { type: 'string' },
  expected: 'the BCP 47 tag of a language, such as en or pt-BR',
  parse: languageTag,
});

/**
 * What the interface gives no type: a text of GraphQL callers; of the REST editions whatever they
 * send, which is kept.
 */
export const WrittenText = scalar<string>({
  name: 'WrittenText',
  description: 'Whatever was written, as a text: of what is none, its JSON. At most 64 KiB.',
  jsonSchema: {},
  expected: 'a text of at most 65,536 bytes without NUL',
  servedAs: GraphQLString,
  parse: writtenText,
});

/** Most characters of what is kept as it was sent: 64 KiB as of long texts. */
const LONGEST_SENT = 64 * 1024;

export const SentText = scalar<string>({
  name: 'SentText',
  description: 'Whatever was sent, as a text: of what is none, its JSON. At most 64 KiB.',
  jsonSchema: {},
  expected: 'at most 64 KiB',
  parse: (value) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    return text !== undefined && Buffer.byteLength(text) <= LONGEST_SENT ? text : undefined;
  },
});

/** A text that is never refused. A known answer is read; anything else is ignored. */
export const AnyAnswer = scalar<string>({
  name: 'AnyAnswer',
  description:
    'What became of a dose: taken, skipped, refused or unneeded, whatever the case. Anything else ' +
    'says nothing.',
  jsonSchema: {},
  expected: 'anything',
  parse: (value) => (typeof value === 'string' ? value.trim().toLowerCase().slice(0, 20) : ''),
});
