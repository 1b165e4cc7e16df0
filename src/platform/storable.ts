/**
 * Returns whether PostgreSQL can store a text, alone and in JSON: not NUL, nor halves of
 * characters.
 */
export const isStorable = (text: string): boolean => !/[\0\p{Cs}]/u.test(text);

/** Returns a text without NUL, and with U+FFFD in place of halves of characters. */
export const storableText = (text: string): string => text.replaceAll('\0', '').toWellFormed();
