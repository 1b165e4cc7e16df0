/** Returns a name of the schema as people read it: `adherenceRate` and `ADHERENCE_RATE` alike. */
export function labelOf(name: string): string {
  const words = name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replaceAll('_', ' ')
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Returns the name of an enum's value for a field: `adherenceRate` is `ADHERENCE_RATE`. */
export const enumName = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();

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
