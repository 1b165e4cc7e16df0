import type { Deps } from '../../../core/deps.js';
import type { Refusal } from '../../../core/errors.js';
import { tooMany } from '../../../core/quota.js';
import { ANONYMOUS } from '../../../core/viewer.js';
import type { Policy } from '../../../platform/limits/limiter.js';
import { type Caller, callerReader } from './credentials.service.js';

/** Limit of wrong Basic credentials from one address. */
const GUESSES: Policy = { name: 'basic', points: 100, seconds: 60 };
/** Limit of imported hashes that wrong Basic credentials from one address are compared with. */
const IMPORTED: Policy = { name: 'basic-imported', points: 100, seconds: 60 };
/**
 * Milliseconds for which correct credentials from an address pass the limit of that address, so
 * that failures from the same address do not block them.
 */
const REMEMBERED_FOR = 60 * 60 * 1000;
const MOST_REMEMBERED = 10_000;

/**
 * Wraps `callerReader` with a limit on wrong Basic credentials. By contract, wrong credentials make
 * the caller anonymous. After 100 of them from one address in a minute, the refusal is
 * TOO_MANY_REQUESTS, without a look into the database, until the minute is over; it is the same for
 * those that would be compared with more than 100 imported hashes. Credentials count as wrong until
 * they pass, and identical ones that come at once count once. Credentials that pass are always
 * looked up, so a revoked password ends at once.
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
  const readBraked = async (authorization: string, address: string, proof: string) => {
    const guess = new Guess(deps, address);
    const isKnown = (correctCredentials.get(proof) ?? 0) > deps.clock();
    if (!isKnown && !(await guess.take(GUESSES))) return guess.refused();
    const caller = await read(authorization, () => guess.take(IMPORTED)).catch(async (error) => {
      await guess.giveBack();
      throw error;
    });
    if (caller.viewer === ANONYMOUS) {
      if (isKnown) await guess.take(GUESSES);
      return guess.refused();
    }
    await guess.giveBack();
    remember(proof);
    return caller;
  };
  const underway = new Map<string, Promise<Caller>>();
  return (authorization = '', address) => {
    if (!deps.limits.on || !/^basic /i.test(authorization)) return read(authorization);
    const proof = deps.tokens.fingerprint('basic', address, authorization);
    const reading =
      underway.get(proof) ??
      readBraked(authorization, address, proof).finally(() => underway.delete(proof));
    underway.set(proof, reading);
    return reading;
  };
}

/** Charges an address for credentials that may be wrong. */
class Guess {
  readonly #taken: Policy[] = [];
  #refusal: Refusal | undefined;

  constructor(
    private readonly deps: Deps,
    private readonly address: string,
  ) {}

  /** Takes a point. Returns whether there was one. */
  async take(policy: Policy): Promise<boolean> {
    this.#taken.push(policy);
    const { allowed, resetMs } = await this.deps.limits.limiter(policy).take(this.address, 1);
    if (!allowed) this.#refusal = tooMany(policy.name, resetMs);
    return allowed;
  }

  async giveBack(): Promise<void> {
    for (const policy of this.#taken) await this.deps.limits.limiter(policy).give(this.address, 1);
  }

  /** Returns nobody, with the refusal when there was no point. */
  refused(): Caller {
    return { viewer: ANONYMOUS, ...(this.#refusal && { refusal: this.#refusal }) };
  }
}
