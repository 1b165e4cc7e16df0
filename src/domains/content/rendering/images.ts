import { scanTag, tokens } from '../../../platform/markup.js';
import type { References, ReferredMedium } from './references.js';
import { nameOf, offered } from './renditions.js';

/**
 * Lets pictures be decoded apart from the text, and those of a known size be loaded when they come into
 * view, unless their tags say otherwise; frames of a known size likewise. A picture of a medium that is
 * known gets its size and its renditions. One without an address in double quotes stays as it is.
 */
export function shownImages(html: string, references?: References): string {
  if (!/<(?:img|iframe)\s/i.test(html)) return html;
  let out = '';
  for (const token of tokens(html)) {
    const name = token.kind === 'tag' && !token.tag.closing ? token.tag.name : '';
    if (name === 'img' && token.source.includes(' src="'))
      out += lazyImage(measured(token.source, mediumOf(token.source, references)));
    else out += name === 'iframe' ? lazyFrame(token.source) : token.source;
  }
  return out;
}

const mediumOf = (source: string, references?: References): ReferredMedium | undefined =>
  references?.media.get(Number(/wp-image-(\d+)/i.exec(source)?.[1] ?? 0));

/** Returns the tag of a picture with the size of its file, and with its renditions. */
function measured(source: string, medium: ReferredMedium | undefined): string {
  const url = quoted(source, 'src').split('?')[0] ?? '';
  if (!medium || url === '') return source;
  const { whole, sizes } = medium;
  const isWhole = url.includes(nameOf(whole.url));
  const file = isWhole ? whole : sizes.find((one) => nameOf(one.url) === nameOf(url));
  const isSized = source.includes(' width=') || source.includes(' height=');
  let out = source;
  if (!isSized && file && file.width > 0 && file.height > 0) {
    const styled = Number(/style="width:\s*(\d+)px;"/.exec(source)?.[1] ?? 0);
    const [width, height] = styled
      ? [styled, Math.round((file.height * styled) / file.width)]
      : [file.width, file.height];
    out = withAttributes(source, { width: String(width), height: String(height) });
  }
  if (source.includes(' srcset=')) return out;
  const [width, height] = [Number(quoted(out, 'width')), Number(quoted(out, 'height'))];
  const shown = width && height ? { width, height } : file;
  const more = shown && offered({ width: shown.width, height: shown.height, url }, whole, sizes);
  if (!more) return out;
  const own = out.includes(' sizes=') ? '' : ` sizes="${more.sizes}"`;
  return `${out.slice(0, -1).replace(/(?<![/ ])[/ ]+$/, '')} srcset="${more.srcset}"${own} />`;
}

const QUOTED = { src: / src="([^"]+)"/, width: / width="([^"]+)"/, height: / height="([^"]+)"/ };

/** Returns the value of an attribute in double quotes; empty for none. */
const quoted = (source: string, name: keyof typeof QUOTED) => QUOTED[name].exec(source)?.[1] ?? '';

function lazyImage(source: string): string {
  const { attributes = [] } = scanTag(source, 0) ?? {};
  const value = (name: string) => attributes.find((one) => one.name === name)?.value;
  const has = (name: string) => attributes.some((one) => one.name === name);
  const added = {
    ...(has('width') && has('height') && !has('loading') && { loading: 'lazy' }),
    ...(has('decoding') ? {} : { decoding: 'async' }),
  };
  const isLazy = ('loading' in added ? added.loading : value('loading')) === 'lazy';
  const sizes = value('sizes') ?? 'auto';
  const isAuto = isLazy && Boolean(value('width')) && !/^auto(?:[ ,]|$)/i.test(sizes.trim());
  const given = isAuto ? source.replace(` sizes="${sizes}"`, ` sizes="auto, ${sizes}"`) : source;
  return withAttributes(given, added);
}

const lazyFrame = (source: string): string =>
  [' src="', ' width="', ' height="'].every((part) => source.includes(part)) &&
  !source.includes(' loading=')
    ? withAttributes(source, { loading: 'lazy' })
    : source;

/** Returns a tag with further attributes, before its own. */
export function withAttributes(source: string, added: Readonly<Record<string, string>>): string {
  const name = /^<\w+/.exec(source)?.[0] ?? '';
  const more = Object.entries(added).map(([key, value]) => ` ${key}="${value}"`);
  return name + more.join('') + source.slice(name.length);
}
