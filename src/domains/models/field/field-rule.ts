import { sanitiseHtml } from '../../content/rendering/sanitise.js';
import { sortKey } from '../../content/rendering/slug.js';
import { type FieldPart, isOn, optionOf } from '../definition/model.document.js';
import { listRule, picksNothing } from './list-rule.js';
import { dateText, momentText, timeText } from './time-values.js';
import type { Checked, KeyKind, Rule, StoredValue } from './value-rule.js';

const KIB = 1024;
const EMAIL = /^[^\s@\p{Cc}\p{Cf}]+@[^\s@\p{Cc}\p{Cf}.]+(\.[^\s@\p{Cc}\p{Cf}.]+)+$/u;

/** Makes the rule of texts that a test accepts. */
function texts(expected: string, fits: (text: string, field: FieldPart) => boolean): Rule {
  const check = (value: unknown, field: FieldPart): Checked =>
    typeof value === 'string' && value !== '' && !/[\0\p{Cs}]/u.test(value) && fits(value, field)
      ? { value }
      : { fault: `must be ${expected}` };
  return { check, key: () => 'text' };
}

const within = (bytes: number) => (text: string) => Buffer.byteLength(text) <= bytes;
const isOneLine = (text: string) => !/[\n\r\u2028\u2029]/.test(text);

/** Makes the rule of texts that one function reads; undefined means that they do not fit. */
const read = (expected: string, reading: (text: string) => string | undefined): Rule => ({
  check(value) {
    const stored = typeof value === 'string' ? reading(value) : undefined;
    return stored === undefined ? { fault: `must be ${expected}` } : { value: stored };
  },
  key: () => 'text',
});

/** Makes a rule that ignores blanks around a text. */
const trimmed = (rule: Rule): Rule => ({
  ...rule,
  check: (value, field) => rule.check(typeof value === 'string' ? value.trim() : value, field),
});

/** Returns the number that an option holds; undefined when it is not set, or none. */
export function numberOption(field: FieldPart, name: string): number | undefined {
  const text = optionOf(field, name)?.trim();
  return text && Number.isFinite(Number(text)) ? Number(text) : undefined;
}

/** Makes the rule of numbers, with the names of the options that bound them. */
function numbers(prefix: 'number' | 'currency', decimals: number | undefined): Rule {
  return {
    check(value, field) {
      const least = numberOption(field, `${prefix}_min`);
      const most = numberOption(field, `${prefix}_max`);
      const places = numberOption(field, `${prefix}_decimals`) ?? decimals;
      const fits =
        typeof value === 'number' &&
        Number.isFinite(value) &&
        (least === undefined || value >= least) &&
        (most === undefined || value <= most) &&
        (places === undefined ||
          Number(value.toFixed(Math.min(Math.max(places, 0), 20))) === value);
      const bounds = [
        least === undefined ? '' : `, at least ${least}`,
        most === undefined ? '' : `, at most ${most}`,
        places === undefined ? '' : `, with at most ${places} decimals`,
      ];
      return fits ? { value: value + 0 } : { fault: `must be a number${bounds.join('')}` };
    },
    key: () => 'number',
  };
}

function isAddress(text: string): boolean {
  if (text.length > 2_000 || /\s/.test(text) || !URL.canParse(text)) return false;
  const { protocol, username, password } = new URL(text);
  return /^https?:$/.test(protocol) && !username && !password;
}

const ADDRESS = trimmed(texts('an http or https address of at most 2,000 characters', isAddress));
const NOTHING: Rule = {
  check: () => ({ fault: 'must be left out: the field holds no value' }),
  key: () => 'none',
};
const anyText = (field: FieldPart) => numberOption(field, 'text_max_length') ?? 255;

const RULES: Readonly<Record<string, Rule>> = {
  text: texts(
    'one line of text, not longer than the field allows',
    (text, field) =>
      isOneLine(text) &&
      within(64 * KIB)(text) &&
      (anyText(field) < 0 || [...text].length <= anyText(field)),
  ),
  website: ADDRESS,
  oembed: ADDRESS,
  phone: texts(
    'a telephone number of 3 to 40 characters',
    (text) => /^[\d +().x/-]{3,40}$/.test(text) && text.replaceAll(/\D/g, '').length >= 3,
  ),
  email: trimmed(texts('an e-mail address', (text) => text.length <= 254 && EMAIL.test(text))),
  password: {
    ...texts('a text of at most 1,024 bytes', within(KIB)),
    key: () => 'none',
  },
  paragraph: texts('a text of at most 65,536 bytes', within(64 * KIB)),
  wysiwyg: { ...texts('a text of at most 1 MiB', within(KIB * KIB)), isHtml: true },
  code: texts('a text of at most 65,536 bytes', within(64 * KIB)),
  datetime: read('a moment in ISO 8601 with an offset', momentText),
  date: read('a day as YYYY-MM-DD', dateText),
  time: read('a time of day as HH:MM or HH:MM:SS', timeText),
  number: numbers('number', undefined),
  currency: numbers('currency', 2),
  file: listRule,
  avatar: listRule,
  pick: listRule,
  boolean: {
    check: (value) => (typeof value === 'boolean' ? { value } : { fault: 'must be true or false' }),
    key: () => 'number',
  },
  color: read('a colour such as #1a2b3c', (text) => {
    const [, digits] = /^#([\da-f]{6}|[\da-f]{3})$/i.exec(text) ?? [];
    if (!digits) return undefined;
    const six = digits.length === 6 ? digits : digits.replaceAll(/./g, '$&$&');
    return `#${six.toLowerCase()}`;
  }),
  slug: texts(
    'lower-case letters and digits in words joined by hyphens, at most 200 characters',
    (text) => text.length <= 200 && /^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(text),
  ),
  heading: NOTHING,
  html: NOTHING,
};

/** What REST stored as a type and is none: such fields hold plain texts. */
const UNKNOWN = RULES.paragraph as Rule;

/** Returns the rule of a field. */
export const ruleOf = ({ type }: Pick<FieldPart, 'type'>): Rule =>
  Object.hasOwn(RULES, type) ? (RULES[type] as Rule) : UNKNOWN;

/** Returns whether every item must have a value: the field is required, and can hold one. */
export const isRequired = (field: FieldPart): boolean =>
  isOn(field, 'required') && ruleOf(field) !== NOTHING && !picksNothing(field);

/** Checks a value that no request waits for, such as a stored one, and sanitises HTML. */
export function storable(field: FieldPart, value: unknown): Checked {
  const { check, isHtml } = ruleOf(field);
  const checked = check(value, field);
  return isHtml && 'value' in checked ? { value: sanitiseHtml(String(checked.value)) } : checked;
}

/** Returns how a field compares its values. */
export const keyKindOf = (field: FieldPart): KeyKind => ruleOf(field).key(field);

/** Returns what a value is compared by; undefined for a field that cannot be compared. */
export function keyOfValue(field: FieldPart, value: StoredValue): string | number | undefined {
  const kind = keyKindOf(field);
  if (kind === 'number') return Number(value);
  return kind === 'text' ? sortKey(String(value)) : undefined;
}

/** Options that decide which values fit. */
const RULE_OPTIONS =
  /^(?:required|default_value|text_max_length|(?:number|currency)_(?:min|max|decimals)|pick_(?:object|val|custom|format_type|limit)|file_(?:format_type|limit))$/;

/** Returns a text that differs where two states of a field accept different values. */
export const ruleText = ({ type, options }: FieldPart): string =>
  JSON.stringify([type, ...options.filter(([name]) => RULE_OPTIONS.test(name)).sort()]);
