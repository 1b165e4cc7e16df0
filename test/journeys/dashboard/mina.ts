import type { Harness } from '../../support/harness.js';

/** With what the member of the journeys signs in. */
export const MINA = { username: 'mina', password: 'correct horse battery' };

/** Makes her account, of a member unless told. */
export async function makeMina(service: Harness, role = 'SUBSCRIBER'): Promise<void> {
  const query = 'mutation($input: CreateUserInput!) { createUser(input: $input) { __typename } }';
  const input = { ...MINA, email: 'mina@example.com', roles: [role] };
  await service.data(query, { input }, { headers: await service.session('administrator') });
}
