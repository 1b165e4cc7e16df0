/**
 * What stands around a text and is not seen: blanks, and the marks of writing direction that
 * keyboards and address books of Arabic and Hebrew add. Joiners belong to the letters beside them.
 */
const UNSEEN = /[\s\u0085\u061c\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/;

/** Returns a text without blanks and marks of direction around it. */
export function trimmed(text: string): string {
  let from = 0;
  let to = text.length;
  while (from < to && UNSEEN.test(text[from] as string)) from++;
  while (to > from && UNSEEN.test(text[to - 1] as string)) to--;
  return text.slice(from, to);
}
