import type { Attributes, IOptions } from 'sanitize-html';
import { lazily } from '../lazily.js';
import type { Tag } from '../markup.js';
import { plainMarkup } from './plain-markup.js';

const library = lazily<typeof import('sanitize-html')>('sanitize-html');

const TEXT = ['title', 'lang', 'dir'];

/**
 * A frame of a listed provider may use its own site's data and open windows; others run scripts.
 */
const SANDBOX = {
  listed: 'allow-scripts allow-same-origin allow-popups allow-forms allow-presentation',
  discovered: 'allow-scripts',
} as const;

/** What a site sent to be inserted, made harmless. */
export interface SafeHtml {
  readonly html: string;
  /** The https addresses of the scripts that were taken out. */
  readonly scripts: string[];
}

const ELEMENTS = [
  ...['a', 'audio', 'b', 'blockquote', 'br', 'cite', 'code', 'div', 'em', 'figcaption'],
  ...['figure', 'i', 'iframe', 'img', 'li', 'ol', 'p', 'small', 'source', 'span', 'strong'],
  ...['ul', 'video'],
];
const KEPT: ReadonlySet<string> = new Set(ELEMENTS);

/**
 * Sanitises the HTML of another site: keeps text, links, images, players and frames with https
 * addresses. Each frame is sandboxed, is loaded when it is seen, and sends no referrer. Scripts,
 * forms, styles and events are taken out.
 *
 * Two parsers of different authors have to agree: the library gets what our own tokeniser has
 * written anew (`plainMarkup`), since its version lets elements of raw text through.
 */
export function safeHtml(html: string, from: keyof typeof SANDBOX): SafeHtml {
  const scripts = new Set<string>();
  const options: IOptions = {
    allowedTags: ELEMENTS,
    allowedAttributes: {
      '*': TEXT,
      a: ['href', 'rel'],
      blockquote: ['cite', 'class', 'data-*'],
      iframe: ['src', 'width', 'height', 'sandbox', 'allow', 'allowfullscreen', 'loading'].concat(
        'referrerpolicy',
      ),
      img: ['src', 'alt', 'width', 'height', 'loading'],
      audio: ['src', 'controls'],
      video: ['src', 'controls', 'width', 'height', 'poster'],
      source: ['src', 'type'],
    },
    allowedSchemes: ['http', 'https'],
    allowedSchemesByTag: { iframe: ['https'] },
    allowedSchemesAppliedToAttributes: ['href', 'src', 'cite', 'poster'],
    allowProtocolRelative: false,
    nestingLimit: 20,
    transformTags: {
      a: (tagName, attribs) => ({ tagName, attribs: { ...attribs, rel: 'noopener nofollow' } }),
      iframe: (tagName, attribs) => ({ tagName, attribs: framed(attribs, from) }),
    },
    exclusiveFilter: ({ tag, attribs }) => tag === 'iframe' && !isSecure(attribs.src ?? ''),
  };
  const noteScript = ({ name, attributes }: Tag) => {
    const address = attributes.find((one) => one.name === 'src')?.value ?? '';
    if (name === 'script' && isSecure(address)) scripts.add(new URL(address).href);
  };
  const plain = plainMarkup(html, KEPT, noteScript);
  return { html: library()(plain, options).trim(), scripts: [...scripts].slice(0, 10) };
}

const framed = (attribs: Attributes, from: keyof typeof SANDBOX): Attributes => ({
  ...attribs,
  sandbox: SANDBOX[from],
  allow: 'fullscreen; encrypted-media; picture-in-picture',
  loading: 'lazy',
  referrerpolicy: 'no-referrer',
});

function isSecure(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, username, password } = new URL(address);
  return protocol === 'https:' && !username && !password;
}
