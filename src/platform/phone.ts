import { isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/max';

/** Longer texts are no telephone numbers. */
const LONGEST = 40;
/** Numbers such as 112 and 116117, which are dialled as they are. */
const SHORT = /^\d{2,6}$/;

/**
 * Returns a number with the code of its country, as +49 30 901820 or 0049…, in the international
 * form; a short number as it is; undefined for anything else.
 */
export function internationalPhone(text: string): string | undefined {
  const given = text.trim();
  if (SHORT.test(given)) return given;
  if (given.length > LONGEST) return undefined;
  const phone = parsePhoneNumberFromString(given.replace(/^00/, '+'));
  return phone?.isValid() && !phone.ext ? phone.formatInternational() : undefined;
}

export { isSupportedCountry };
