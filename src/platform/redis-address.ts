/** What REDIS_URL names: one server, the nodes of a cluster, or the sentinels of a group. */
export interface RedisAddress {
  readonly kind: 'server' | 'cluster' | 'sentinel';
  readonly isSecured: boolean;
  /** The same address for each of the hosts alone, beginning with redis:// or rediss://. */
  readonly urls: readonly string[];
}

const PARTS = /^(rediss?)\+(cluster|sentinel):\/\/((?:[^/?#]*@)?)([^/?#]*)(.*)$/s;

/**
 * Takes an address apart: redis://HOST, redis+cluster://HOST,HOST or
 * redis+sentinel://HOST,HOST/GROUP; with rediss it is secured by TLS.
 */
export function redisAddress(text: string): RedisAddress {
  const [, scheme, kind, user, hosts, rest] = PARTS.exec(text) ?? [];
  if (scheme === undefined || kind === undefined)
    return { kind: 'server', isSecured: text.startsWith('rediss:'), urls: [text] };
  return {
    kind: kind as 'cluster' | 'sentinel',
    isSecured: scheme === 'rediss',
    urls: (hosts ?? '').split(',').map((host) => `${scheme}://${user}${host}${rest}`),
  };
}
