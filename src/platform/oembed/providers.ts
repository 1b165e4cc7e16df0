import { lazily } from '../lazily.js';

/** A pattern of addresses: `*` stands for any characters, in the host for any but slashes. */
interface Scheme {
  readonly host: string;
  readonly path: string;
}

interface Provider {
  readonly endpoint: string;
  readonly schemes: readonly Scheme[];
}

interface Listed {
  readonly endpoints: readonly { readonly url: string; readonly schemes?: readonly string[] }[];
}

/** The providers of the list that oembed.com publishes (npm's `oembed-providers`). */
const list = lazily<readonly Listed[]>('oembed-providers');
let read: readonly Provider[] | undefined;

function providers(): readonly Provider[] {
  read ??= list().flatMap(({ endpoints }) =>
    endpoints.map(({ url, schemes = [] }) => ({
      endpoint: url.replace('{format}', 'json'),
      schemes: schemes.flatMap(schemeOf),
    })),
  );
  return read;
}

/** Schemes of other protocols than http and https are left out. */
function schemeOf(text: string): Scheme[] {
  const [, host = '', path = '/'] = /^https?:\/\/([^/]+)(\/.*)?$/.exec(text) ?? [];
  return host ? [{ host, path }] : [];
}

/** Returns where the provider of an address answers for it; undefined when none is listed. */
export function listedEndpoint(address: URL): string | undefined {
  const path = address.pathname + address.search;
  const found = providers().find(({ schemes }) =>
    schemes.some((scheme) => fits(address.hostname, scheme.host) && fits(path, scheme.path)),
  );
  return found?.endpoint;
}

/**
 * Returns whether a text fits a pattern in which `*` stands for any characters. Takes at most the
 * product of both lengths in steps.
 */
export function fits(text: string, pattern: string): boolean {
  let at = 0;
  let part = 0;
  let star = -1;
  let resume = 0;
  while (at < text.length) {
    if (pattern[part] === '*') {
      star = part;
      resume = at;
      part += 1;
    } else if (pattern[part] === text[at]) {
      part += 1;
      at += 1;
    } else if (star >= 0) {
      part = star + 1;
      resume += 1;
      at = resume;
    } else return false;
  }
  while (pattern[part] === '*') part += 1;
  return part === pattern.length;
}
