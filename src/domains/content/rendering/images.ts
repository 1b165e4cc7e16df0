import { tokens } from '../../../platform/markup.js';

/**
 * Lets pictures be decoded apart from the text, and those of a known size be loaded when they come into
 * view, unless their tags say otherwise. A picture without an address in double quotes stays as it is.
 */
export function lazyImages(html: string): string {
  if (!/<img\s/i.test(html)) return html;
  let out = '';
  for (const token of tokens(html)) {
    const isImage = token.kind === 'tag' && token.tag.name === 'img' && !token.tag.closing;
    out += isImage && token.source.includes(' src="') ? lazyImage(token) : token.source;
  }
  return out;
}

function lazyImage({
  source,
  tag,
}: {
  source: string;
  tag: { attributes: readonly { name: string }[] };
}): string {
  const has = (name: string) => tag.attributes.some((attribute) => attribute.name === name);
  const isSized = has('width') && has('height');
  const added = [
    ...(isSized && !has('loading') ? ['loading="lazy"'] : []),
    ...(has('decoding') ? [] : ['decoding="async"']),
  ];
  return [source.slice(0, '<img'.length), ...added].join(' ') + source.slice('<img'.length);
}
