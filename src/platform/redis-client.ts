import type { Cluster, Redis, RedisOptions } from 'ioredis';
import { lazily } from './lazily.js';
import { redisAddress } from './redis-address.js';

const ioredis = lazily<typeof import('ioredis')>('ioredis');

/** A connection to one server, or to that which sentinels name; or connections to a cluster. */
export type RedisClient = Redis | Cluster;

const PORTS = { server: 6_379, cluster: 6_379, sentinel: 26_379 } as const;
/** How often a command follows MOVED and the like, and the pauses between, in milliseconds. */
const MOST_REDIRECTIONS = 3;
const PAUSE = 50;

/** How connections are made, whatever they lead to. */
export interface RedisConnecting
  extends Pick<RedisOptions, 'connectTimeout' | 'commandTimeout' | 'lazyConnect'> {
  /** Milliseconds to the next try; null for none. */
  readonly retry: (times: number) => number | null;
}

/**
 * Opens what REDIS_URL names. Commands fail at once while there is no connection. In a cluster they
 * go to the node of their key, and follow its answers MOVED and ASK; sentinels are asked again for
 * the server after each loss of it.
 */
export function redisClient(text: string, { retry, ...limits }: RedisConnecting): RedisClient {
  const { kind, isSecured, urls } = redisAddress(text);
  const { Redis, Cluster } = ioredis();
  const common = { ...limits, maxRetriesPerRequest: 0 };
  const again = { enableOfflineQueue: !!limits.lazyConnect };
  if (kind === 'server') return new Redis(text, { ...common, ...again, retryStrategy: retry });
  const url = new URL(urls[0] as string);
  const nodes = urls.map((each) => nodeOf(each, PORTS[kind]));
  const tls = isSecured ? { tls: {} } : {};
  const { lazyConnect = false, ...each } = common;
  if (kind === 'cluster')
    return new Cluster(nodes, {
      ...again,
      lazyConnect,
      redisOptions: { ...each, ...credentialsOf(url), ...tls },
      clusterRetryStrategy: retry,
      maxRedirections: MOST_REDIRECTIONS,
      retryDelayOnFailover: PAUSE,
      retryDelayOnClusterDown: PAUSE,
      // Certificates name hosts, not their addresses.
      ...(isSecured && { dnsLookup: (host, done) => done(null, host) }),
    });
  const [, name = '', database = '0'] = url.pathname.split('/');
  const { searchParams: asked } = url;
  return new Redis({
    ...common,
    ...again,
    ...credentialsOf(url),
    ...tls,
    enableTLSForSentinelMode: isSecured,
    sentinels: nodes,
    name: decodeURIComponent(name),
    db: Number(database),
    ...(asked.has('sentinel_user') && { sentinelUsername: asked.get('sentinel_user') as string }),
    ...(asked.has('sentinel_password') && {
      sentinelPassword: asked.get('sentinel_password') as string,
    }),
    retryStrategy: retry,
    sentinelRetryStrategy: retry,
    // The server before, which is a replica now.
    reconnectOnError: ({ message }) => message.startsWith('READONLY'),
  });
}

function nodeOf(text: string, usual: number) {
  const { hostname, port } = new URL(text);
  return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || usual) };
}

const credentialsOf = ({ username, password }: URL) => ({
  ...(username && { username: decodeURIComponent(username) }),
  ...(password && { password: decodeURIComponent(password) }),
});
