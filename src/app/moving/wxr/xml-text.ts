/** What stands in place of a character that XML 1.0 does not allow. */
const REPLACEMENT = '\uFFFD';
/** The controls but for tab, LF and CR, halves of characters, and two that are none. */
const FORBIDDEN = /[\0-\x08\x0B\x0C\x0E-\x1F\uD800-\uDFFF\uFFFE\uFFFF]/gu;
const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\t': '&#9;',
  '\n': '&#10;',
  '\r': '&#13;',
};

/** Returns a text as character data of an element: entities, and CR as a reference, which readers keep. */
export const escaped = (text: string): string =>
  text.replaceAll(/[&<>\r]/g, (sign) => ENTITIES[sign] as string);

/** Returns a text as the value of an attribute, in double quotes. */
export const quoted = (text: string): string =>
  `"${text.replaceAll(/[&<>"\t\n\r]/g, (sign) => ENTITIES[sign] as string)}"`;

/**
 * Returns a text as CDATA. It is split where `]]>` stands, and around each CR, which readers of XML would
 * take for LF.
 */
export const cdata = (text: string): string =>
  `<![CDATA[${text.replaceAll(']]>', ']]]]><![CDATA[>').replaceAll('\r', ']]>&#13;<![CDATA[')}]]>`;

/** Returns a value with U+FFFD for each character that XML 1.0 does not allow, and how many there were. */
export function allowed<T>(value: T): { readonly value: T; readonly replaced: number } {
  let replaced = 0;
  const clean = (one: unknown): unknown => {
    if (typeof one === 'string')
      return one.replaceAll(FORBIDDEN, () => {
        replaced++;
        return REPLACEMENT;
      });
    if (one === null || typeof one !== 'object' || one instanceof Date) return one;
    if (Array.isArray(one)) return one.map(clean);
    return Object.fromEntries(Object.entries(one).map((entry) => entry.map(clean)));
  };
  return { value: clean(value) as T, replaced };
}
