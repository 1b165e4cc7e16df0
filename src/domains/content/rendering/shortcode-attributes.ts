/** Attributes of a shortcode, by their names in lower case. */
export type Attributes = Readonly<Record<string, string | undefined>>;

/** Returns a text as it stands in HTML; entities in it stay. */
export const escaped = (text: string) =>
  text
    .replace(/&(?!#?\w+;)/g, '&amp;')
    .replaceAll('"', '&quot;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');

/** Returns the attributes that have a name. */
export function attributesOf(source: string): Attributes {
  const pairs = source.matchAll(
    /(?<![\w-])([\w-]{1,200})\s{0,20}=\s{0,20}(?:"([^"]*)"|'([^']*)'|([^\s"']+))/g,
  );
  return Object.fromEntries(
    [...pairs].map(([, name = '', double, single, bare]) => [
      name.toLowerCase(),
      double ?? single ?? bare,
    ]),
  );
}
