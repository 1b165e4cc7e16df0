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
