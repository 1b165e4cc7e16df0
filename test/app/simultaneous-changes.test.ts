// Changes that are based on one version, at one moment.
import { mutation, useService } from '../support/harness.js';

// The embedded database runs one statement at a time.
const onServer = process.env.TEST_DATABASE_URL ? describe : describe.skip;
const ROUNDS = 10;
const AT_ONCE = 4;

onServer('Of changes that are based on one version', () => {
  const service = useService();

  type Headers = Awaited<ReturnType<ReturnType<typeof service>['session']>>;
  const change = async (name: string, input: object, headers: Headers) => {
    const sent = service().graphql(mutation(name, '__typename'), { input }, { headers });
    return (await sent).body.errors?.[0].extensions.code as string | undefined;
  };
  const one = async (text: string) =>
    (await service().database.query<{ id: number; version: number }>(text))[0];

  it.each([
    [
      'updateTerm',
      `INSERT INTO term (taxonomy, name, name_key, slug) VALUES ('category', 'T', 't', 't') RETURNING id, version`,
      'SELECT id, version FROM term ORDER BY id DESC LIMIT 1',
      (id: number, i: number) => ({ id, name: `Name ${i}` }),
    ],
    [
      'setRoles',
      `SELECT id, version FROM account WHERE roles = '{subscriber}'`,
      `SELECT id, version FROM account WHERE email = 'subscriber@example.com'`,
      (userId: number, i: number) => ({
        userId,
        roles: ['ADMINISTRATOR', i % 2 ? 'EDITOR' : 'AUTHOR'],
      }),
    ],
  ] as const)('one is made, and the others are told: %s', async (name, make, read, inputOf) => {
    const headers = await service().session('administrator');
    await service().account('subscriber');
    await one(make);
    for (let round = 0; round < ROUNDS; round++) {
      const row = await one(read);
      const { id = 0, version = 0 } = row ?? {};
      const changes = Array.from({ length: AT_ONCE }, (_, i) =>
        change(name, { ...inputOf(id, i), version }, headers),
      );
      const codes = await Promise.all(changes);
      expect([...codes].sort()).toStrictEqual([
        ...Array.from({ length: AT_ONCE - 1 }, () => 'CONFLICT'),
        undefined,
      ]);
      expect((await one(read))?.version).toBe(version + 1);
    }
  });

  it('none gives back a role to who has lost it meanwhile', async () => {
    const headers = await service().session('administrator');
    const { id: userId } = await service().account('author', 'former');
    const set = (roles: readonly string[], by: Headers) =>
      change('setRoles', { userId, roles }, by);
    for (let round = 0; round < ROUNDS; round++) {
      expect(await set(['ADMINISTRATOR'], headers)).toBeUndefined();
      const own = await service().session('author', 'former');
      const promoting = Array.from({ length: AT_ONCE }, () => set(['ADMINISTRATOR'], own));
      const [demoted] = await Promise.all([set(['AUTHOR'], headers), ...promoting]);
      expect(demoted).toBeUndefined();
      expect(
        await one(`SELECT id FROM account WHERE id = ${userId} AND 'administrator' = ANY(roles)`),
      ).toBeUndefined();
    }
  });
});
