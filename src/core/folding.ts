/**
 * What a comparison ignores, because Unicode's collation (UTS #10) ignores it at the first level:
 * combining marks, points of Hebrew and Arabic, the tatweel, nuktas and nasal signs of Indic
 * scripts, tone marks of Thai, soft hyphens, and characters without width.
 */
const IGNORED = new RegExp(
  [
    '[\\u00ad\\u0300-\\u036f\\u0483-\\u0489\\u0591-\\u05bd\\u05bf\\u05c1-\\u05c2\\u05c4-\\u05c5\\u05c7',
    '\\u0610-\\u061a\\u061c\\u0640\\u064b-\\u065f\\u0670\\u06d6-\\u06dc\\u06df-\\u06e4\\u06e7-\\u06e8',
    '\\u06ea-\\u06ed\\u0711\\u0730-\\u074a\\u0900-\\u0903\\u093c\\u0951-\\u0954\\u0981-\\u0983\\u09bc',
    '\\u0a01-\\u0a03\\u0a3c\\u0a70-\\u0a71\\u0a81-\\u0a83\\u0abc\\u0b01-\\u0b03\\u0b3c\\u0b82',
    '\\u0c00-\\u0c04\\u0c3c\\u0c81-\\u0c83\\u0cbc\\u0d00-\\u0d03\\u0d81-\\u0d83\\u0e47-\\u0e4e',
    '\\u0ec8-\\u0ece\\u0f35\\u0f37\\u0f39\\u0f7e-\\u0f7f\\u0f82-\\u0f83\\u1036-\\u1038\\u135d-\\u135f',
    '\\u17c6-\\u17d1\\u17d3\\u17dd\\u180b-\\u180f\\u1ab0-\\u1aff\\u1cd0-\\u1cd2\\u1cd4-\\u1ce0',
    '\\u1ce2-\\u1ce8\\u1ced\\u1cf4\\u1cf8-\\u1cf9\\u1dc0-\\u1dff\\u200b-\\u200f\\u202a-\\u202e',
    '\\u2060-\\u2064\\u2066-\\u2069\\u20d0-\\u20f0\\u302a-\\u302d\\u3099-\\u309a\\ufe00-\\ufe0f',
    '\\ufe20-\\ufe2f\\ufeff\\u{e0100}-\\u{e01ef}]+',
  ].join(''),
  'gu',
);

/** Lower-case letters that Unicode does not decompose, and what they are compared as. */
const LETTERS: readonly (readonly [letters: string, plain: string])[] = [
  ['øłđðħıĸŋŧƀɓƒɨəς', 'olddhikntbbfieσ'],
  [
    'ァアィイゥウェエォオカキクケコサシスセソタチッツテトナニヌネノハヒフヘホ',
    'ああいいううええおおかきくけこさしすせそたちつつてとなにぬねのはひふへほ',
  ],
  [
    'マミムメモャヤュユョヨラリルレロヮワヰヱヲンヵヶ',
    'まみむめもややゆゆよよらりるれろわわゐゑをんかけ',
  ],
  ['ぁぃぅぇぉっゃゅょゎゕゖ', 'あいうえおつやゆよわかけ'],
];
const LIGATURES = { ß: 'ss', æ: 'ae', œ: 'oe', þ: 'th' };

/** The zeros of scripts that write decimal digits of their own. */
const ZEROS = '٠۰०০੦૦୦௦౦೦൦๐໐༠၀០';

const PLAIN: ReadonlyMap<string, string> = new Map([
  ...LETTERS.flatMap(([letters, plain]) =>
    [...letters].map((letter, i) => [letter, plain[i] ?? ''] as const),
  ),
  ...Object.entries(LIGATURES),
  ...[...ZEROS].flatMap((zero) =>
    [...'0123456789'].map(
      (digit, i) => [String.fromCodePoint((zero.codePointAt(0) as number) + i), digit] as const,
    ),
  ),
]);

/**
 * Returns a text in lower case, its Latin letters without accents and ligatures. Other scripts keep
 * their accents.
 */
export function foldLatin(text: string): string {
  return text.replace(/\p{Script=Latin}\p{M}*/gu, fold).toLowerCase();
}

/**
 * Returns the form in which texts are compared: lower case without accents in any script, without
 * Latin ligatures, kana as large hiragana, digits as 0 to 9. Slugs, searches, the directory and
 * every key of an order use it. The SQL function `folded` in the migrations does the same;
 * `test/core/folding.test.ts` compares both.
 */
export function fold(text: string): string {
  if (/^[\0-\x7f]*$/.test(text)) return text.toLowerCase();
  const bare = text.normalize('NFKD').replace(IGNORED, '').normalize('NFC').toLowerCase();
  return bare.replace(/[^\0-\x7f]/gu, (letter) => PLAIN.get(letter) ?? letter);
}
