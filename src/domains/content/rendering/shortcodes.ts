import { tokens } from '../../../platform/markup.js';
import { gallery, imagesOf } from './gallery.js';
import type { References } from './references.js';
import { type Attributes, attributesOf, escaped } from './shortcode-attributes.js';

/** What the shortcodes of a content share. */
interface Page {
  readonly references: References | undefined;
  galleries: number;
  /** How many images its galleries may still show. */
  left: number;
}
type Shortcode = (attributes: Attributes, content: string, page: Page) => string;

const digits = (text: string | undefined) => (text && /^\d{1,5}$/.test(text) ? text : undefined);
const webAddress = (text: string | undefined) =>
  text && /^(https?:)?\/\/|^\/(?!\/)/i.test(text) ? text : undefined;

/** The frame of a picture with a caption is wider than the picture by so many pixels. */
const FRAME = 10;

/**
 * `[caption width="300" align="alignleft"]<img> words[/caption]`: shows the picture in a frame with
 * the words below it.
 */
const caption: Shortcode = ({ id, align = 'alignnone', width, caption: given }, content) => {
  const { picture, words } = parted(content);
  const text = (given ?? words).trim();
  if (!digits(width) || text === '') return content;
  const named = id && /^[\w-]+$/.test(id) ? id : undefined;
  const below = named ? `caption-${named.replaceAll('_', '-')}` : undefined;
  const aligned = /^align\w+$/.test(align) ? align : 'alignnone';
  const described = below ? picture.replace('<img ', `<img aria-describedby="${below}" `) : picture;
  return (
    `<div${named ? ` id="${named}"` : ''} style="width: ${Number(width) + FRAME}px" class="wp-caption ${aligned}">` +
    `${described}<p${below ? ` id="${below}"` : ''} class="wp-caption-text">` +
    `${given === undefined ? text : escaped(text)}</p></div>`
  );
};

/** `[audio src="…"]` and `[video src="…"]`: show a player, or nothing without a web address. */
const player =
  (element: 'audio' | 'video', ...formats: string[]): Shortcode =>
  (attributes) => {
    const src = webAddress(
      attributes.src ?? formats.map((format) => attributes[format]).find(Boolean),
    );
    if (!src) return '';
    const size = (['width', 'height'] as const).map(
      (name) => digits(attributes[name]) && ` ${name}="${attributes[name]}"`,
    );
    return `<${element} controls="controls" preload="${element === 'audio' ? 'none' : 'metadata'}" src="${escaped(src)}"${
      element === 'video' ? size.filter(Boolean).join('') : ''
    }></${element}>`;
  };

/** `[embed]https://…[/embed]`: shows a link, because rendering fetches nothing from other hosts. */
const embed: Shortcode = ({ src }, content) => {
  const address = webAddress((src ?? content).trim());
  return address && !/[<>\s]/.test(address)
    ? `<a href="${escaped(address)}">${escaped(address)}</a>`
    : content;
};

/** `[care_phone nr="+49 89 123"]` of the original's own plugin: shows a number to call. */
const carePhone: Shortcode = ({ nr = '' }) =>
  `<a class="care-phone" href="tel:${escaped(nr)}">${escaped(nr)}</a>`;

/** `[gallery ids="5,6"]`: shows images of media. */
const shownGallery: Shortcode = (attributes, _content, page) => {
  if (!page.references) return '';
  const images = imagesOf(attributes, page.references).slice(0, page.left);
  page.left -= images.length;
  return gallery(attributes, images, page.references, ++page.galleries);
};

/** Images that the galleries of one content show at most. */
const MOST_IMAGES = 2_000;

const SHORTCODES: Readonly<Record<string, Shortcode>> = {
  caption,
  wp_caption: caption,
  audio: player('audio', 'mp3', 'ogg', 'wav', 'm4a', 'flac'),
  video: player('video', 'mp4', 'webm', 'ogv', 'm4v'),
  embed,
  gallery: shownGallery,
  care_phone: carePhone,
};
const NAMES = Object.keys(SHORTCODES).join('|');
const OPENING = new RegExp(`\\[(\\[?)(${NAMES})(?![\\w-])([^[\\]<>]{0,2000}?)(/?)\\](\\]?)`, 'g');
/** The source of a pattern of a shortcode that is known, opening or closing: typography leaves it as it is. */
export const SHORTCODE = `\\[\\/?(?:${NAMES})(?![\\w-])[^[\\]<>]{0,2000}\\]`;
const ALONE = new RegExp(`<p>(${SHORTCODE})</p>`, 'g');

/** Returns HTML whose shortcodes that are paragraphs of their own have no paragraph around them. */
export const bareShortcodes = (html: string): string => html.replaceAll(ALONE, '$1');

/**
 * Replaces the shortcodes in HTML by their output. One that is a paragraph of its own takes its place. Unknown shortcodes, and those in tags,
 * attributes and comments, are unchanged. `[[x]]` becomes `[x]`.
 */
export function runShortcodes(html: string, references?: References): string {
  const page = { references, galleries: 0, left: MOST_IMAGES };
  return replaceShortcodes(html, (run, attributes, content) => run(attributes, content, page));
}

/** Returns HTML without its shortcodes and their content, as automatic excerpts need it. */
export function stripShortcodes(html: string): string {
  return replaceShortcodes(html, () => '');
}

const PARAGRAPH = '<p>';
const PARAGRAPH_END = '</p>';

function replaceShortcodes(
  html: string,
  show: (run: Shortcode, attributes: Attributes, content: string) => string,
): string {
  if (!html.includes('[')) return html;
  let ranges: ReturnType<typeof textRanges> | undefined;
  const inText = (at: number) => {
    ranges ??= textRanges(html);
    return ranges(at);
  };
  const missing = new Set<string>();
  let out = '';
  let from = 0;
  for (const match of html.matchAll(OPENING)) {
    const [all, doubled = '', name = '', attributes = '', selfClosing, doubledEnd = ''] = match;
    const at = match.index;
    if (at < from || !inText(at)) continue;
    if (doubled && doubledEnd) {
      out += html.slice(from, at) + all.slice(1, -1);
      from = at + all.length;
      continue;
    }
    const start = at + doubled.length;
    const bodyAt = at + all.length - doubledEnd.length;
    const closer = `[/${name}]`;
    const close = selfClosing || missing.has(name) ? -1 : closing(html, closer, bodyAt, inText);
    if (close < 0 && !selfClosing) missing.add(name);
    const content = close < 0 ? '' : html.slice(bodyAt, close);
    const shown = show(SHORTCODES[name] as Shortcode, attributesOf(attributes), content);
    const before = html.slice(from, start);
    from = close < 0 ? bodyAt : close + closer.length;
    const isParagraph = before.endsWith(PARAGRAPH) && html.startsWith(PARAGRAPH_END, from);
    out += (isParagraph ? before.slice(0, -PARAGRAPH.length) : before) + shown;
    if (isParagraph) from += PARAGRAPH_END.length;
  }
  return out + html.slice(from);
}

function closing(
  html: string,
  closer: string,
  from: number,
  inText: (at: number) => boolean,
): number {
  for (let at = html.indexOf(closer, from); at >= 0; at = html.indexOf(closer, at + 1))
    if (inText(at)) return at;
  return -1;
}

/**
 * Returns a function that tells whether a position is in the text of HTML, not in a tag, a comment
 * or a script.
 */
function textRanges(html: string): (at: number) => boolean {
  const text: boolean[] = [];
  const starts: number[] = [];
  let at = 0;
  for (const token of tokens(html)) {
    starts.push(at);
    text.push(token.kind === 'text');
    at += token.source.length;
  }
  return (position) => {
    let [low, high] = [0, starts.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] as number) <= position) low = middle;
      else high = middle - 1;
    }
    return text[low] === true;
  };
}

/** Returns the picture of a caption, with the link around it, and the words after it. */
function parted(content: string): { picture: string; words: string } {
  let picture = '';
  let seen = false;
  let at = 0;
  for (const token of tokens(content)) {
    const closesLink = token.kind === 'tag' && token.tag.name === 'a' && token.tag.closing;
    if (seen && !closesLink) break;
    at += token.source.length;
    picture += token.source;
    if (token.kind === 'tag' && token.tag.name === 'img') seen = true;
    else if (closesLink) break;
  }
  return seen
    ? { picture: picture.trim(), words: content.slice(at) }
    : { picture: '', words: content };
}
