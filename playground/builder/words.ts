/** What people call arguments and fields whose names alone say too little. */
const CALLED: Readonly<Record<string, string>> = {
  compare: 'Compare with',
  cumulative: 'Running sum',
  fill: 'Fill gaps',
  grain: 'Length of dates',
  over: 'Rows of the moving average',
  weekStart: 'Weeks begin on',
};

/** What it is called that nothing is chosen of an argument. */
const UNCHOSEN: Readonly<Record<string, string>> = {
  compare: 'Nothing',
  grain: 'By what suits the time',
};

/** Returns what it is called that nothing is chosen of an argument. */
export const unchosenText = (name: string): string => UNCHOSEN[name] ?? 'As usual';

/** Returns a name of the schema as people read it: `adherenceRate` and `ADHERENCE_RATE` alike. */
export function labelOf(name: string): string {
  const called = CALLED[name];
  if (called) return called;
  const words = name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replaceAll('_', ' ')
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Returns the name of an enum's value for a field: `adherenceRate` is `ADHERENCE_RATE`. */
export const enumName = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();

/** Returns the name of a field for an enum's value: `ADHERENCE_RATE` is `adherenceRate`. */
export const fieldName = (name: string): string =>
  name.toLowerCase().replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

/** The least and the most of a number. */
export type Bounds = readonly [least: number, most: number];

/** Returns the bounds that a description says of a number. */
export function boundsOf(description: string): Bounds | undefined {
  const [, least, most] = /whole number of (\d+) to (\d+)/.exec(description) ?? [];
  return least && most ? [Number(least), Number(most)] : undefined;
}

/** Sentences of a description that name codes of errors, and the bounds of arguments. */
const FOR_PROGRAMS = /\b[A-Z]{2,}(_[A-Z]+)+\b|^Must be |^Default: |^FORBIDDEN/;

/** Returns what a description says to people, without codes and bounds. */
export const sentenceOf = (description: string): string =>
  description
    .replaceAll('`', '')
    .split(/(?<=\.)\s+/)
    .filter((sentence) => !FOR_PROGRAMS.test(sentence))
    .join(' ');

/** Returns the first sentence of a description. */
export const firstSentence = (description: string): string =>
  description.replaceAll('`', '').split(/(?<=\.)\s+/)[0] ?? '';
