/** Lower-case letters that Unicode does not decompose, by the letters a reader takes them for. */
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

/** Lower case; Latin letters without accents and ligatures, every other script as it was. */
export function foldLatin(text: string): string {
  return text.replace(/\p{Script=Latin}\p{M}*/gu, fold).toLowerCase();
}

/** Lower case; letters of every script without accents, Latin ones without ligatures. */
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
