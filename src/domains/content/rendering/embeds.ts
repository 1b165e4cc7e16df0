import { hash } from 'node:crypto';
import { tokens } from '../../../platform/markup.js';
import { type Attributes, attributesOf } from './shortcode-attributes.js';

type Embeds = Readonly<Record<string, string>>;

/** How large the original lets an embed be, in pixels, where nothing says otherwise. */
const ROOM = { width: 500, height: 750 } as const;
const EMBED = /\[embed(\s[^[\]<>]{0,2000})?\]([^[\]<>]{1,2000})\[\/embed\]/g;
const ADDRESS = /^([\t-\r ]*)(https?:\/\/[^\s<>"]+)([\t-\r ]*)$/i;

/** Characters of embeds that one content shows at most. */
const MOST = 1024 * 1024;

/** Returns a function that tells what is embedded at an address; undefined where it is not known. */
function embedder(embeds: Embeds): (address: string, given?: Attributes) => string | undefined {
  let left = MOST;
  return (address, given) => {
    const html = embedOf(embeds, address, given);
    left -= html?.length ?? 0;
    return left < 0 ? undefined : html;
  };
}

function embedOf(embeds: Embeds, address: string, given: Attributes = {}): string | undefined {
  const url = address.replaceAll('&amp;', '&');
  const attributes = Object.entries({ ...ROOM, ...given }).map(([name, value]) =>
    [name, value ?? ''].map(serialized).join(''),
  );
  const key = hash('md5', `${url}a:${attributes.length}:{${attributes.join('')}}`);
  return Object.hasOwn(embeds, key) ? embeds[key] : undefined;
}

/** Returns a value as PHP serializes it: the original names an embed by the sum of this. */
const serialized = (value: string | number) =>
  typeof value === 'number' ? `i:${value};` : `s:${Buffer.byteLength(value)}:"${value}";`;

/** Returns a content with what is embedded in place of shortcodes and of addresses on their own. */
export function embedded(raw: string, embeds: Embeds = {}): string {
  if (Object.keys(embeds).length === 0) return raw;
  const embed = embedder(embeds);
  const text = raw.replaceAll(
    EMBED,
    (all, attributes = '', content: string) =>
      embed(content.trim(), attributesOf(attributes)) ?? all,
  );
  return withEmbeds(text, embed);
}

/**
 * Returns a content with what is embedded in place of addresses that are lines or paragraphs of their
 * own. Those in tags stay.
 */
export const embeddedLines = (raw: string, embeds: Embeds = {}): string =>
  Object.keys(embeds).length === 0 ? raw : withEmbeds(raw, embedder(embeds));

function withEmbeds(raw: string, embed: (address: string) => string | undefined): string {
  const list = [...tokens(raw)];
  const isTag = (at: number, closing: boolean) => {
    const token = list[at];
    return token?.kind === 'tag' && token.tag.name === 'p' && token.tag.closing === closing;
  };
  const line = (text: string) =>
    text.replace(ADDRESS, (all, before: string, address: string, after: string) => {
      const html = embed(address);
      return html === undefined ? all : before + html + after;
    });
  return list
    .map(({ kind, source }, at) => {
      if (kind !== 'text' || !source.includes('://')) return source;
      if (isTag(at - 1, false) && isTag(at + 1, true)) return line(source);
      const lines = source.split('\n');
      return lines
        .map((one, i) => {
          const starts = i > 0 || at === 0;
          const ends = i < lines.length - 1 || at === list.length - 1;
          return starts && ends ? line(one) : one;
        })
        .join('\n');
    })
    .join('');
}
