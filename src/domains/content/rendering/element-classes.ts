import { scanTag, tokens } from '../../../platform/markup.js';

/** Adds classes to the first element if its name is one of `elements`. */
export function withClasses(
  html: string,
  elements: readonly string[],
  classes: readonly string[],
): string {
  let at = 0;
  for (const token of tokens(html)) {
    if (token.kind === 'tag') {
      const { name, closing } = token.tag;
      return closing || !elements.includes(name)
        ? html
        : html.slice(0, at) +
            addClasses(token.source, classes) +
            html.slice(at + token.source.length);
    }
    at += token.source.length;
  }
  return html;
}

/**
 * Adds classes to the element that holds the blocks in it, at the beginning of a block's markup: as in the
 * original, the first whose classes are or have those of the last that has some. Where it holds no others, the
 * first element gets them.
 */
export function withInnerClasses(
  html: string,
  classes: readonly string[],
  holdsOthers: boolean,
): string {
  const tags: { readonly at: number; readonly source: string; readonly classes: string }[] = [];
  let at = 0;
  for (const { kind, source, ...token } of tokens(html)) {
    if (kind === 'tag' && 'tag' in token && !token.tag.closing)
      tags.push({ at, source, classes: classOf(source) });
    if (tags.length > 0 && !holdsOthers) break;
    at += source.length;
  }
  const last = tags.filter((one) => one.classes !== '').at(-1)?.classes ?? '';
  const found = holdsOthers ? tags.find((one) => one.classes.includes(last)) : tags[0];
  if (!found) return html;
  const { at: start, source } = found;
  return html.slice(0, start) + addClasses(source, classes) + html.slice(start + source.length);
}

const classOf = (source: string): string =>
  scanTag(source, 0)?.attributes.find(({ name }) => name === 'class')?.value ?? '';

function addClasses(source: string, classes: readonly string[]): string {
  const tag = scanTag(source, 0);
  const given = tag?.attributes.find((attribute) => attribute.name === 'class');
  const present = given?.value?.split(/\s+/) ?? [];
  const missing = classes.filter((name) => !present.includes(name));
  if (!tag || missing.length === 0) return source;
  if (given?.value === undefined) {
    const nameEnd = 1 + tag.name.length;
    return `${source.slice(0, nameEnd)} class="${missing.join(' ')}"${source.slice(nameEnd)}`;
  }
  const valueEnd = given.at + given.value.length;
  const value = [given.value.trim(), ...missing].filter((name) => name !== '').join(' ');
  const quote = given.quoted ? '' : '"';
  return `${source.slice(0, given.at)}${quote}${value}${quote}${source.slice(valueEnd)}`;
}
