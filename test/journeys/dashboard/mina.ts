import type { Harness } from '../../support/harness.js';

/** With what the member of the journeys signs in. */
export const MINA = { username: 'mina', password: 'correct horse battery' };

/** Makes the account of the member. */
export async function makeMina(service: Harness): Promise<void> {
  const query = 'mutation($input: CreateUserInput!) { createUser(input: $input) { __typename } }';
  const input = { ...MINA, email: 'mina@example.com', roles: ['SUBSCRIBER'] };
  await service.data(query, { input }, { headers: await service.session('administrator') });
}
