/**
 * Returns a text without the characters at its end that are in a set. It looks at each of them once:
 * an expression such as /x+$/ begins anew at each x of a text, in a time that grows with the square
 * of its length.
 */
export function trimmedEnd(text: string, set: string): string {
  let end = text.length;
  while (end > 0 && set.includes(text[end - 1] as string)) end--;
  return text.slice(0, end);
}
