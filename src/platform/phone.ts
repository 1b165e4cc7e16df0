import type { CountryCode } from 'libphonenumber-js/max';
import { lazily } from './lazily.js';

const numbers = lazily<typeof import('libphonenumber-js/max')>('libphonenumber-js/max');

/** Longer texts are no telephone numbers. */
const LONGEST = 40;
/** Numbers such as 112 and 116117, which are dialled as they are. */
const SHORT = /^\d{2,6}$/;

function read(text: string, country?: CountryCode) {
  const phone = numbers().parsePhoneNumberFromString(text, country);
  return phone?.isValid() ? phone : undefined;
}

const known = (country: string | undefined): CountryCode | undefined =>
  country && numbers().isSupportedCountry(country) ? country : undefined;

/** How people write numbers: digits of any script, and what parts them. */
const WRITTEN = /^\+?[\p{Nd}\s().,;/x#\u2010-\u2015-]+(?:ext\.? ?\p{Nd}+)?$/iu;

const spelled = (text: string): string | undefined => {
  const given = text.trim();
  return given.length <= LONGEST && WRITTEN.test(given) ? given.replace(/^00/, '+') : undefined;
};

/**
 * Returns a number with the code of its country, as +49 30 901820 or 0049…, in the international
 * form; a short number as it is; undefined for anything else.
 */
export function internationalPhone(text: string): string | undefined {
  const given = spelled(text);
  if (given === undefined || SHORT.test(given)) return given;
  const phone = read(given);
  return phone && !phone.ext ? phone.formatInternational() : undefined;
}

/** The types of numbers that texts go to at the usual price, or that may be such. */
const TEXTED: ReadonlySet<string> = new Set([
  'MOBILE',
  'FIXED_LINE_OR_MOBILE',
  'FIXED_LINE',
  'VOIP',
]);

/** A number that texts can be sent to. */
export interface TextedPhone {
  readonly e164: string;
  /** Two letters (ISO 3166-1); undefined for numbers of no country. */
  readonly country: string | undefined;
}

/**
 * Returns a number that texts can be sent to: with the code of its country, or in any form of the
 * given country. Undefined for anything else, also for extensions, numbers of raised price and
 * personal numbers (+44 70, +1 500), whose price their owner has a share in.
 */
export function textedPhone(text: string, country?: string): TextedPhone | undefined {
  const given = spelled(text);
  if (given === undefined) return undefined;
  const phone = read(given, known(country));
  return phone && !phone.ext && TEXTED.has(phone.getType() ?? '')
    ? { e164: phone.number, country: phone.country }
    : undefined;
}

/** A telephone number as somebody typed it. */
export interface Phone {
  readonly typed: string;
  /** In the form of E.164; undefined when nobody knows the country. */
  readonly e164: string | undefined;
}

/**
 * Returns a number that is valid with the code of its country, in the given country, or, without
 * one, in any country in which it could be dialled: 030 901820. Undefined for anything else. At
 * most some milliseconds for a text that is valid nowhere.
 */
export function anyPhone(text: string, country?: string): Phone | undefined {
  const given = spelled(text);
  if (given === undefined) return undefined;
  const typed = text.trim();
  const from = known(country);
  const phone = read(given, from) ?? (given === typed ? undefined : read(typed, from));
  if (phone) return { typed, e164: phone.number };
  if (country || given.startsWith('+')) return undefined;
  const dialled = numbers()
    .getCountries()
    .some((each) => read(given, each));
  return dialled ? { typed, e164: undefined } : undefined;
}
