import { FetchRefused, PublicFetch } from '../fetch/public-fetch.js';
import { lazily } from '../lazily.js';
import { Recent } from '../lru.js';
import type { FoundEmbed, Oembed, Wishes } from './oembed.types.js';
import { readResponse } from './oembed-response.js';
import { listedEndpoint } from './providers.js';

const htmlparser = lazily<typeof import('htmlparser2')>('htmlparser2');

const DAY = 24 * 60 * 60 * 1000;
/** How long it is remembered that nobody tells: a site may be away for a moment. */
const MINUTE = 60 * 1000;
/** Milliseconds for all fetches of one embed. */
const TIME_LIMIT = 5000;
/** Bytes of a response. */
const MOST_RESPONSE = 64 * 1024;
/** Bytes of a page that are searched: the head of a page is at its beginning. */
const MOST_PAGE = 256 * 1024;
const MOST_REMEMBERED = 200;

interface Remembered {
  until: number;
  readonly found: Promise<FoundEmbed | undefined>;
}

interface Options {
  readonly clock: () => number;
  readonly publicFetch?: PublicFetch;
  /** Returns where the provider of an address answers. Default: by the list. */
  readonly endpointOf?: (address: URL) => string | undefined;
}

/**
 * Asks the listed provider of a page, or else the page itself, for its embed. Remembers up to 200
 * of them for a day, and for a minute that there was none. Callers who ask for the same at once
 * wait for one fetch.
 */
export class OembedClient implements Oembed {
  readonly #remembered = new Recent<string, Remembered>(MOST_REMEMBERED);
  readonly #clock: () => number;
  readonly #fetch: PublicFetch;
  readonly #endpointOf: (address: URL) => string | undefined;

  constructor({ clock, publicFetch = new PublicFetch(), endpointOf = listedEndpoint }: Options) {
    this.#clock = clock;
    this.#fetch = publicFetch;
    this.#endpointOf = endpointOf;
  }

  find(address: string, wishes: Wishes): Promise<FoundEmbed | undefined> {
    const key = JSON.stringify([address, wishes.maxWidth, wishes.maxHeight, wishes.discover]);
    const known = this.#remembered.get(key);
    if (known && known.until > this.#clock()) return known.found;
    const remembered: Remembered = {
      until: this.#clock() + DAY,
      found: this.#ask(address, wishes).catch((error: unknown) => {
        if (error instanceof FetchRefused) return undefined;
        throw error;
      }),
    };
    this.#remembered.set(key, remembered);
    const shorten = () => {
      remembered.until = this.#clock() + MINUTE;
    };
    remembered.found.then((embed) => embed ?? shorten(), shorten);
    return remembered.found;
  }

  async #ask(address: string, wishes: Wishes): Promise<FoundEmbed | undefined> {
    if (address.length > 2000 || !/^https?:\/\//i.test(address) || !URL.canParse(address))
      return undefined;
    const url = new URL(address);
    const signal = AbortSignal.timeout(TIME_LIMIT);
    const listed = this.#endpointOf(url);
    const endpoint = listed ? wished(listed, url, wishes) : undefined;
    const asked =
      endpoint ?? (wishes.discover ? await this.#discover(url, wishes, signal) : undefined);
    if (!asked) return undefined;
    const accept = 'application/json';
    const response = await this.#fetch.text(asked, { most: MOST_RESPONSE, accept, signal });
    return readResponse(response.text, url.href, listed ? 'listed' : 'discovered');
  }

  /** Returns where a page says that its embed is. */
  async #discover(url: URL, wishes: Wishes, signal: AbortSignal): Promise<string | undefined> {
    const limits = { most: MOST_PAGE, cut: true, accept: 'text/html', signal };
    const page = await this.#fetch.text(url.href, limits);
    if (page.mediaType !== 'text/html' && page.mediaType !== 'application/xhtml+xml')
      return undefined;
    const found = discoveredEndpoint(page.text, page.address);
    return found && sized(new URL(found), wishes).href;
  }
}

/** Returns the question to a listed provider (oEmbed 1.0, 2.2). */
function wished(endpoint: string, address: URL, wishes: Wishes): string {
  const url = new URL(endpoint);
  url.searchParams.set('url', address.href);
  url.searchParams.set('format', 'json');
  return sized(url, wishes).href;
}

function sized(url: URL, { maxWidth, maxHeight }: Wishes): URL {
  url.searchParams.set('maxwidth', String(maxWidth));
  url.searchParams.set('maxheight', String(maxHeight));
  return url;
}

/**
 * Returns where a page says that its embed is: the address of its first `<link rel="alternate"
 * type="application/json+oembed">` (oEmbed 1.0, 4). Undefined when it names none.
 */
function discoveredEndpoint(page: string, address: string): string | undefined {
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
