import type { Config } from '../../config/config.js';
import type { Route } from '../router.js';

const SLOTS = ['A', 'B', 'C'] as const;

const signIn = (name: string, provider: string): Route => ({
  on: `GET /v1/${name}_login`,
  run: 'SignInWithProvider',
  fixed: { provider },
});

export const accounts: readonly Route[] = [
  { on: 'POST /v1/login', run: 'Login' },
  { on: 'POST /v1/signup', run: 'SignUp', status: 201 },
  { on: 'POST /v1/guest', run: 'Guest', status: 201, edition: 'B' },
  { on: 'GET /v1/refreshToken', run: 'RefreshToken' },
  ...SLOTS.map((slot) => signIn(`idp_${slot.toLowerCase()}`, slot)),
];

/** Returns the addresses that the names of the configured identity providers add. */
export function namedSignIns({ PROVIDERS }: Pick<Config, 'PROVIDERS'>): readonly Route[] {
  return PROVIDERS.flatMap(({ name, slot }) => (name ? [signIn(name, slot)] : []));
}
