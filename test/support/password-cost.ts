// With a service of the tests, hashes of passwords are cheap: a test of sign-ins makes hundreds.
import { COST, verifyPassword } from '../../src/domains/accounts/password.js';

/** What a hash of a password costs in production. */
const REAL_COST = { ...COST };
/** What it costs in tests: too little for a password that somebody has. */
const CHEAP_COST = { memoryCost: 1024, timeCost: 1 };
// The hash that unknown accounts are judged by is made once, at the cost of production.
void verifyPassword(null, '');
Object.assign(COST, CHEAP_COST);

/** Lets the passwords of a suite cost what they cost in production. Call it at its top. */
export function useRealPasswordCost(): void {
  beforeAll(() => void Object.assign(COST, REAL_COST));
  afterAll(() => void Object.assign(COST, CHEAP_COST));
}
