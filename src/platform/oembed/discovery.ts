import { lazily } from '../lazily.js';

const htmlparser = lazily<typeof import('htmlparser2')>('htmlparser2');

/**
 * Returns where a page says that its embed is: the address of its first `<link rel="alternate"
 * type="application/json+oembed">` (oEmbed 1.0, 4). Undefined when it names none.
 */
export function discoveredEndpoint(page: string, address: string): string | undefined {
  let found: string | undefined;
  const parser = new (htmlparser().Parser)({
    onopentag(name, { rel = '', type = '', href = '' }) {
      if (found !== undefined || name !== 'link') return;
      const isAlternate = rel.toLowerCase().split(/\s+/).includes('alternate');
      const isEmbed = type.trim().toLowerCase() === 'application/json+oembed';
      if (isAlternate && isEmbed && URL.canParse(href, address))
        found = new URL(href, address).href;
    },
  });
  parser.end(page);
  return found;
}
