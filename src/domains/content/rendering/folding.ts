/** Replacements of lower-case letters that Unicode does not decompose. */
const LETTERS: Record<string, string> = {
  ...{
    ß: 'ss',
    æ: 'ae',
    œ: 'oe',
    ø: 'o',
    ł: 'l',
    đ: 'd',
    ð: 'd',
    þ: 'th',
    ħ: 'h',
    ı: 'i',
    ĸ: 'k',
    ŋ: 'n',
    ŧ: 't',
    ƀ: 'b',
  },
  ...{ ɓ: 'b', ƒ: 'f', ɨ: 'i', ə: 'e', ς: 'σ' },
};

/**
 * Returns a text in lower case, its Latin letters without accents and ligatures. Other scripts keep
 * their accents.
 */
export function foldLatin(text: string): string {
  return text.replace(/\p{Script=Latin}\p{M}*/gu, fold).toLowerCase();
}

/** Returns a text in lower case, without accents in any script and without Latin ligatures. */
export function fold(text: string): string {
  const bare = text
    .normalize('NFKD')
    .replace(/\p{Script=Inherited}+/gu, '')
    .normalize('NFC')
    .toLowerCase();
  return bare.replace(/[^\0-\x7f]/gu, (letter) =>
    Object.hasOwn(LETTERS, letter) ? (LETTERS[letter] as string) : letter,
  );
}
