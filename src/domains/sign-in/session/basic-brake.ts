import type { Deps } from '../../../core/deps.js';
import { DomainError, type Refusal } from '../../../core/errors.js';
import { tooMany } from '../../../core/quota.js';
import { ANONYMOUS } from '../../../core/viewer.js';
import type { Policy } from '../../../platform/limits/limiter.js';
import { Recent } from '../../../platform/lru.js';
import { Turns } from '../../../platform/mutex.js';
import { type Caller, type CallerReader, callerReader } from './credentials.service.js';

/** Limit of wrong Basic credentials from one address. */
const GUESSES: Policy = { name: 'basic', points: 100, seconds: 60 };
/**
 * Limit of imported hashes of one account that wrong Basic credentials from one address are compared
 * with.
 */
const IMPORTED: Policy = { name: 'basic-imported', points: 100, seconds: 60 };
/**
 * Milliseconds for which correct credentials from an address pass the limit of that address, so
 * that failures from the same address do not block them.
 */
const CORRECT_FOR = 60 * 60 * 1000;
/** Milliseconds for which wrong credentials from an address are not looked up again. */
const WRONG_FOR = GUESSES.seconds * 1000;
const MOST_REMEMBERED = 10_000;
/** Maximum number of new credentials from one address that wait to be read. */
const MOST_WAITING = 1_000;

/**
 * Wraps `callerReader` with a limit on wrong Basic credentials. By contract, wrong credentials make
 * the caller anonymous. After 100 different ones from one address in a minute, the refusal is
 * TOO_MANY_REQUESTS, without a look into the database, until the minute is over; it is the same for
 * those that would be compared with more than 100 imported hashes of one account. The same wrong
 * credentials are looked up and count once a minute, however often they are sent. New ones from one
 * address are read one after the other, so that other addresses wait for one comparison of it at most;
 * when 1,000 wait, more are refused with TOO_MANY_REQUESTS. Credentials that passed are always looked
 * up, so a revoked password ends at once.
 */
export function brakedReader(
  deps: Deps,
): (authorization: string | undefined, address: string) => Promise<Caller> {
  const read = callerReader(deps);
  const brake = new BasicBrake(deps, read);
  return (authorization = '', address) =>
    deps.limits.on && /^basic /i.test(authorization)
      ? brake.read(authorization, address)
      : read(authorization);
}

/** Credentials with their address (hashed), and until when they are remembered. */
type Memory = Recent<string, number>;

class BasicBrake {
  readonly #turns = new Turns<string>();
  readonly #correct: Memory = new Recent(MOST_REMEMBERED);
  readonly #wrong: Memory = new Recent(MOST_REMEMBERED);
  readonly #underway = new Map<string, Promise<Caller>>();

  constructor(
    private readonly deps: Deps,
    private readonly reader: CallerReader,
  ) {}

  /** Returns the caller of Basic credentials. Identical ones that come at once are read once. */
  async read(authorization: string, address: string): Promise<Caller> {
    const proof = this.deps.tokens.fingerprint('basic', address, authorization);
    if (this.#isIn(this.#wrong, proof)) return { viewer: ANONYMOUS };
    const reading =
      this.#underway.get(proof) ??
      this.#readOnce(authorization, address, proof).finally(() => this.#underway.delete(proof));
    this.#underway.set(proof, reading);
    return reading;
  }

  #isIn(memory: Memory, proof: string): boolean {
    return (memory.get(proof) ?? 0) > this.deps.clock();
  }

  async #readOnce(authorization: string, address: string, proof: string): Promise<Caller> {
    if (this.#isIn(this.#correct, proof)) {
      const caller = await this.reader(authorization, async () => false);
      if (caller.viewer !== ANONYMOUS) return this.#remembered(caller, proof);
      this.#correct.delete(proof);
    }
    if (this.#turns.waiting(address) >= MOST_WAITING)
      return { viewer: ANONYMOUS, refusal: tooMany(GUESSES.name, WRONG_FOR) };
    return this.#turns.take(address, () => this.#readNew(authorization, address, proof));
  }

  #remembered(caller: Caller, proof: string): Caller {
    this.#correct.set(proof, this.deps.clock() + CORRECT_FOR);
    return caller;
  }

  /** Reads credentials that count as wrong until they pass. */
  async #readNew(authorization: string, address: string, proof: string): Promise<Caller> {
    const { deps } = this;
    const guess = new Guess(deps);
    if (!(await guess.take(GUESSES, address))) return guess.refused();
    const mayCompare = (name: string) =>
      guess.take(IMPORTED, deps.tokens.fingerprint('basic', address, name));
    try {
      const caller = await this.reader(authorization, mayCompare);
      if (caller.viewer !== ANONYMOUS) {
        await guess.giveBack();
        return this.#remembered(caller, proof);
      }
    } catch (error) {
      await guess.giveBack();
      if (error instanceof DomainError) return { viewer: ANONYMOUS, refusal: error.refusal };
      throw error;
    }
    const nobody = guess.refused();
    if (!nobody.refusal) this.#wrong.set(proof, deps.clock() + WRONG_FOR);
    return nobody;
  }
}

/** Charges for credentials that may be wrong. */
class Guess {
  readonly #taken: (readonly [Policy, string])[] = [];
  #refusal: Refusal | undefined;

  constructor(private readonly deps: Deps) {}

  /** Takes a point of a key. Returns whether there was one. */
  async take(policy: Policy, key: string): Promise<boolean> {
    this.#taken.push([policy, key]);
    const { allowed, resetMs } = await this.deps.limits.limiter(policy).take(key, 1);
    if (!allowed) this.#refusal = tooMany(policy.name, resetMs);
    return allowed;
  }

  async giveBack(): Promise<void> {
    for (const [policy, key] of this.#taken) await this.deps.limits.limiter(policy).give(key, 1);
  }

  /** Returns nobody, with the refusal when there was no point. */
  refused(): Caller {
    return { viewer: ANONYMOUS, ...(this.#refusal && { refusal: this.#refusal }) };
  }
}
