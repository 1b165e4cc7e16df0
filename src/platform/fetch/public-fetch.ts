import { type IncomingMessage, type RequestOptions, request as requestPlain } from 'node:http';
import { request as requestSecure } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { guardedLookup, isPublicAddress, type LookupAll } from './addresses.js';

/** A text that was fetched. */
export interface FetchedText {
  /** The address that answered, after redirects. */
  readonly address: string;
  /** Media type in lower case, without parameters; empty when the response has none. */
  readonly mediaType: string;
  readonly text: string;
}

/** What limits one fetch. */
export interface FetchLimits {
  /** Bytes that are read at most. Default: more is an error. */
  readonly most: number;
  /** Whether what is beyond `most` is left unread instead. */
  readonly cut?: boolean;
  /** Media types that are asked for, as the Accept header. */
  readonly accept: string;
  readonly signal: AbortSignal;
}

/** Thrown when an address must not or cannot be fetched. The message names no address. */
export class FetchRefused extends Error {}

const MOST_REDIRECTS = 3;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

interface Options {
  /** Default: public addresses alone. */
  readonly allowed?: (address: string) => boolean;
  /** Default: the system's. */
  readonly lookupAll?: LookupAll;
  /** Ports that may be connected to. Default: 80 and 443. */
  readonly ports?: readonly number[];
}

/**
 * Fetches texts from addresses that users or strangers name, so that no request reaches a machine
 * of the inside (OWASP, Server-Side Request Forgery Prevention): only http and https, on ports 80
 * and 443, without credentials; each name is looked up once for each connection, all of its
 * addresses must be public, and the connection goes to one of these; each redirect, three at most,
 * is checked as the first address; no cookies, no compression, no kept connections.
 */
export class PublicFetch {
  readonly #allowed: (address: string) => boolean;
  readonly #lookup: LookupFunction;
  readonly #ports: readonly number[];

  constructor({ allowed = isPublicAddress, lookupAll, ports = [80, 443] }: Options = {}) {
    this.#allowed = allowed;
    this.#lookup = guardedLookup(allowed, lookupAll);
    this.#ports = ports;
  }

  /** Returns the text of the response with status 200. Throws FetchRefused for everything else. */
  async text(address: string, limits: FetchLimits): Promise<FetchedText> {
    let next = address;
    for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects += 1) {
      const url = this.#checked(next);
      const response = await this.#get(url, limits);
      if (response.location === undefined) return { ...response, address: url.href };
      if (!URL.canParse(response.location, url))
        throw new FetchRefused('A redirect leads nowhere.');
      next = new URL(response.location, url).href;
    }
    throw new FetchRefused('There are too many redirects.');
  }

  /** Returns the parts of an address that may be fetched, as far as its text tells. */
  #checked(address: string): URL {
    if (!URL.canParse(address)) throw new FetchRefused('This is no address.');
    const url = new URL(address);
    const { protocol, hostname, port, username, password } = url;
    if (protocol !== 'http:' && protocol !== 'https:')
      throw new FetchRefused('The address is neither http nor https.');
    if (username || password) throw new FetchRefused('The address has credentials.');
    if (!this.#ports.includes(Number(port || (protocol === 'https:' ? 443 : 80))))
      throw new FetchRefused('The port is neither 80 nor 443.');
    const literal = hostname.replace(/^\[|\]$/g, '');
    if (isIP(literal) !== 0 && !this.#allowed(literal))
      throw new FetchRefused('The address is not public.');
    return url;
  }

  #get(url: URL, limits: FetchLimits): Promise<Omit<FetchedText, 'address'> & Redirected> {
    const request = url.protocol === 'https:' ? requestSecure : requestPlain;
    const options: RequestOptions = {
      agent: false,
      lookup: this.#lookup,
      signal: limits.signal,
      headers: { accept: limits.accept, 'accept-encoding': 'identity', connection: 'close' },
      maxHeaderSize: 16 * 1024,
    };
    return new Promise((resolve, reject) => {
      const sent = request(url, options, (response) => {
        read(response, limits)
          .then(resolve, reject)
          .finally(() => sent.destroy());
      });
      sent.on('error', (error) => reject(refusalOf(error, limits.signal)));
      sent.end();
    });
  }
}

interface Redirected {
  /** Where a redirect leads; undefined for a response. */
  readonly location?: string;
}

async function read(
  response: IncomingMessage,
  { most, cut = false, signal }: FetchLimits,
): Promise<Omit<FetchedText, 'address'> & Redirected> {
  const { statusCode = 0, headers } = response;
  if (REDIRECTS.has(statusCode) && headers.location !== undefined)
    return { mediaType: '', text: '', location: headers.location };
  if (statusCode !== 200) throw new FetchRefused('The response is no page.');
  if ((headers['content-encoding'] ?? 'identity') !== 'identity')
    throw new FetchRefused('The response is compressed.');
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > most && !cut) throw new FetchRefused('The response is too large.');
      chunks.push(chunk);
      if (size > most) break;
    }
  } catch (error) {
    throw error instanceof FetchRefused ? error : refusalOf(error as Error, signal);
  }
  const [type = ''] = (headers['content-type'] ?? '').split(';');
  return {
    mediaType: type.trim().toLowerCase(),
    text: Buffer.concat(chunks).subarray(0, most).toString(),
  };
}

/** The error and its message are dropped, because they may hold addresses of the inside. */
const refusalOf = (_error: Error, signal: AbortSignal) =>
  new FetchRefused(signal.aborted ? 'There was no response in time.' : 'There was no response.');
