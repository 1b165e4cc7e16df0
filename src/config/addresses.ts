import { existsSync } from 'node:fs';
import { StartError } from '../platform/database/database.js';
import { type RedisAddress, redisAddress } from '../platform/redis-address.js';
import { trimmedEnd } from '../platform/trim.js';
import { exactUrl, type Parse, secured, url } from './parsers.js';

/** What an address may have beside its scheme, host and port. */
interface Parts {
  readonly user?: boolean;
  readonly path?: RegExp;
  /** What its path is. Default: the number of a database. */
  readonly pathIs?: string;
  /** Names of the parameters that it may have, each with the values that fit. */
  readonly parameters?: Readonly<Record<string, RegExp>>;
  readonly host?: boolean;
}

const FILE = /./;
/** The parameters that the driver obeys; it leaves out others without a word. */
const OF_POSTGRESQL: Parts['parameters'] = {
  application_name: /./,
  host: /./,
  options: /./,
  password: /./,
  port: /^\d+$/,
  ssl: /^(?:true|false|0|1|no-verify)$/,
  sslcert: FILE,
  sslkey: FILE,
  sslmode: /^(?:disable|prefer|require|verify-ca|verify-full|no-verify)$/,
  sslnegotiation: /^(?:postgres|direct)$/,
  sslrootcert: FILE,
  uselibpqcompat: /^(?:true|false)$/,
  user: /./,
};

/** An address without path, query and credentials, such as https://care.example. */
export const origin = (...protocols: string[]) => addressWith({}, protocols);
/** An address of a PostgreSQL server, with parameters that its driver knows alone. */
export const postgresql = addressWith(
  { user: true, host: false, path: /./, parameters: OF_POSTGRESQL },
  ['postgresql:', 'postgres:'],
);
const REDIS = ['redis:', 'rediss:'];
const OF_REDIS: Readonly<Record<RedisAddress['kind'], Parse<string>>> = {
  server: addressWith({ user: true, path: /^\/\d{1,5}$/ }, REDIS),
  cluster: addressWith({ user: true }, REDIS),
  sentinel: addressWith(
    {
      user: true,
      path: /^\/[\w.%-]+(?:\/\d{1,5})?$/,
      pathIs: 'the name of a group that sentinels watch, perhaps with the number of a database',
      parameters: { sentinel_user: /./, sentinel_password: /./ },
    },
    REDIS,
  ),
};
/**
 * An address of a Redis server, perhaps with the number of a database; of the nodes of a cluster;
 * or of sentinels, with the name of what they watch: see `redisAddress`.
 */
export const redis: Parse<string> = (value, name) => {
  const { kind, urls } = redisAddress(value);
  for (const each of urls) OF_REDIS[kind](each, name);
  if (kind === 'sentinel' && !/^\/[^/]/.test(new URL(urls[0] as string).pathname))
    throw new StartError(
      `${name} must name what its sentinels watch, such as redis+sentinel://host:26379/NAME.`,
    );
  return trimmedEnd(value, '/');
};
/** An address of an SMTP server. */
export const smtp = addressWith({ user: true }, ['smtps:', 'smtp:']);

/** An address that is kept as it is, perhaps with a path. */
export const issuer = withoutQuery(exactUrl);
/** An https address, or an http address of this machine, perhaps with a path. */
export const securedIssuer = withoutQuery(secured);

/** An address of a server, to which the paths of its interface are added. */
export const collector = withoutQuery(url('http:', 'https:'));

function withoutQuery(parse: Parse<string>): Parse<string> {
  return (value, name) => {
    const address = parse(value, name);
    const { search, hash, username } = new URL(value);
    if (search || hash || username)
      throw new StartError(`${name} must be an address without credentials, query and #.`);
    return address;
  };
}

/** Returns a parser of addresses that refuses each part that nothing would read. */
function addressWith(parts: Parts, protocols: readonly string[]): Parse<string> {
  return (value, name) => {
    const parsed = URL.canParse(value) ? new URL(value) : undefined;
    if (!parsed || !protocols.includes(parsed.protocol) || (!parsed.host && parts.host !== false))
      throw new StartError(`${name} must be an address that starts with ${protocols[0]}//.`);
    const fault = faultOf(parsed, parts);
    if (fault) throw new StartError(`${name} ${fault}.`);
    return trimmedEnd(value, '/');
  };
}

/** Says what is wrong with an address, without its credentials. */
function faultOf(
  url: URL,
  { user, path, pathIs = 'the number of a database', parameters = {} }: Parts,
): string | undefined {
  if (!user && (url.username || url.password)) return 'must be an address without credentials';
  if (![url.username, url.password, url.pathname].every(isDecodable))
    return 'must have % written as %25 in its user, password and path';
  if (!['', '/'].includes(url.pathname) && !path?.test(url.pathname))
    return path ? `has a path that is not ${pathIs}` : 'must have no path';
  if (url.hash) return 'must have no # (write it as %23 in a password)';
  return [...url.searchParams].map((each) => faultOfParameter(each, parameters)).find(Boolean);
}

function faultOfParameter(
  [name, value]: readonly [string, string],
  parameters: NonNullable<Parts['parameters']>,
): string | undefined {
  const fits = Object.hasOwn(parameters, name) ? parameters[name] : undefined;
  const known = Object.keys(parameters).join(', ');
  if (!fits)
    return `has the parameter ${name}, which is not known${known && `: there are ${known}`}`;
  if (!fits.test(value)) return `has a wrong value for its parameter ${name}`;
  if (fits === FILE && !existsSync(value)) return `names a file by ${name} that is not there`;
  return undefined;
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}
