import type { Deps } from '../../../core/deps.js';
import { tooMany } from '../../../core/quota.js';
import { ANONYMOUS } from '../../../core/viewer.js';
import type { Policy } from '../../../platform/limits/limiter.js';
import { type Caller, callerReader } from './credentials.service.js';

/** Wrong Basic credentials that an address may send. */
const GUESSES: Policy = { name: 'basic', points: 100, seconds: 60 };
/**
 * For so long credentials that were right from an address pass its brake: who guesses there does
 * not stop those who need not.
 */
const REMEMBERED_FOR = 60 * 60 * 1000;
const MOST_REMEMBERED = 10_000;

/**
 * `callerReader` behind a brake on guesses: wrong Basic credentials are anonymous by contract, and
 * after 100 of one address in a minute TOO_MANY_REQUESTS without a look into the database, until
 * the minute is over. Credentials that pass are looked up all the same, so that a revoked password
 * ends at once.
 */
export function brakedReader(
  deps: Deps,
): (authorization: string | undefined, address: string) => Promise<Caller> {
  const read = callerReader(deps);
  const right = new Map<string, number>(); // by what was right where: until when it is remembered
  const remember = (proof: string) => {
    right.delete(proof);
    const [oldest] = right.keys();
    if (oldest && right.size >= MOST_REMEMBERED) right.delete(oldest);
    right.set(proof, deps.clock() + REMEMBERED_FOR);
  };
  return async (authorization, address) => {
    if (!deps.limits.on || !/^basic /i.test(authorization ?? '')) return read(authorization);
    const guesses = deps.limits.limiter(GUESSES);
    const proof = deps.tokens.fingerprint('basic', address, authorization ?? '');
    if ((right.get(proof) ?? 0) <= deps.clock()) {
      const { remaining, resetMs } = await guesses.take(address, 0);
      if (remaining === 0) return { viewer: ANONYMOUS, refusal: tooMany(GUESSES.name, resetMs) };
    }
    const caller = await read(authorization);
    if (caller.viewer === ANONYMOUS) await guesses.take(address, 1);
    else remember(proof);
    return caller;
  };
}
