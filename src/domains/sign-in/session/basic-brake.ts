import type { Deps } from '../../../core/deps.js';
import { tooMany } from '../../../core/quota.js';
import { ANONYMOUS } from '../../../core/viewer.js';
import type { Policy } from '../../../platform/limits/limiter.js';
import { type Caller, callerReader } from './credentials.service.js';

/** Limit of wrong Basic credentials from one address. */
const GUESSES: Policy = { name: 'basic', points: 100, seconds: 60 };
/**
 * Milliseconds for which correct credentials from an address pass the limit of that address, so
 * that failures from the same address do not block them.
 */
const REMEMBERED_FOR = 60 * 60 * 1000;
const MOST_REMEMBERED = 10_000;

/**
 * Wraps `callerReader` with a limit on wrong Basic credentials. By contract, wrong credentials make
 * the caller anonymous. After 100 of them from one address in a minute, the refusal is
 * TOO_MANY_REQUESTS, without a look into the database, until the minute is over. Credentials that
 * pass are always looked up, so a revoked password ends at once.
 */
export function brakedReader(
  deps: Deps,
): (authorization: string | undefined, address: string) => Promise<Caller> {
  const read = callerReader(deps);
  // correct credentials with their address (hashed), and until when they are remembered
  const correctCredentials = new Map<string, number>();
  const remember = (proof: string) => {
    correctCredentials.delete(proof);
    const [oldest] = correctCredentials.keys();
    if (oldest && correctCredentials.size >= MOST_REMEMBERED) correctCredentials.delete(oldest);
    correctCredentials.set(proof, deps.clock() + REMEMBERED_FOR);
  };
  return async (authorization, address) => {
    if (!deps.limits.on || !/^basic /i.test(authorization ?? '')) return read(authorization);
    const guesses = deps.limits.limiter(GUESSES);
    const proof = deps.tokens.fingerprint('basic', address, authorization ?? '');
    if ((correctCredentials.get(proof) ?? 0) <= deps.clock()) {
      const { remaining, resetMs } = await guesses.take(address, 0);
      if (remaining === 0) return { viewer: ANONYMOUS, refusal: tooMany(GUESSES.name, resetMs) };
    }
    const caller = await read(authorization);
    if (caller.viewer === ANONYMOUS) await guesses.take(address, 1);
    else remember(proof);
    return caller;
  };
}
