import { makeGuest } from '../support/factories.js';
import { bearer, useService } from '../support/harness.js';

const EMAIL = 'mina@example.com';
const PASSWORD = 'correct horse battery';
const MINUTE = 60_000;

describe('A sign-up whose answer was lost', () => {
  const service = useService();
  const signUp = (body: object = {}, headers = {}, edition: 'A' | 'B' = 'B') =>
    service().rest('POST', '/v1/signup', {
      body: { name: 'Mina', email: EMAIL, password: PASSWORD, language: 1, ...body },
      headers,
      edition,
    });
  const me = async (token: string) =>
    (await service().graphql('{ viewer { account { email } } }', {}, { headers: bearer(token) }))
      .body.data?.viewer.account?.email;

  it('is answered with a session of the account, however the address is written', async () => {
    const first = await signUp();
    for (const [body, edition] of [
      [{}, 'A'],
      [{}, 'B'],
      [{ email: ` ${EMAIL.toUpperCase()} ` }, 'B'],
      [{ name: 'Other', language: 2 }, 'A'],
    ] as const) {
      const again = await signUp(body, {}, edition);
      expect(again.status, again.text).toBe(201);
      expect(again.body.user).toStrictEqual(first.body.user);
      expect(await me(again.body.token)).toBe(EMAIL);
    }
    expect(await me(first.body.token), 'the first session goes on').toBe(EMAIL);
  });

  it('is answered so for ten minutes', async () => {
    const start = Date.now();
    service().at(start);
    const { status } = await signUp();
    service().at(start + 9 * MINUTE);
    expect([status, (await signUp()).status]).toStrictEqual([201, 201]);
    service().at(start + 11 * MINUTE);
    expect((await signUp()).body.code).toBe('email_exists');
  });

  it('is refused with another password, and without one', async () => {
    await signUp();
    for (const password of ['correct horse batterie', `${PASSWORD} `, undefined, null])
      expect((await signUp({ password })).body.code, String(password)).toBe('email_exists');
    await service().clean();
    await signUp({ password: undefined });
    for (const password of [undefined, PASSWORD])
      expect((await signUp({ password })).body.code).toBe('email_exists');
  });

  it('made once, however often it comes at once', async () => {
    const answers = await Promise.all(Array.from({ length: 4 }, () => signUp()));
    expect(answers.map(({ status }) => status)).toStrictEqual([201, 201, 201, 201]);
    expect(new Set(answers.map(({ body }) => body.user.id)).size).toBe(1);
  });

  it('of a guest is answered with a session of the account that the guest became', async () => {
    const start = Date.now();
    service().at(start);
    const guest = await service().rest('POST', '/v1/guest', {
      body: { language: 1 },
      edition: 'B',
    });
    service().at(start + 14 * MINUTE);
    const headers = bearer(guest.body.token);
    const answers = await Promise.all([signUp({}, headers), signUp({}, headers)]);
    answers.push(await signUp({}, headers));
    expect(answers.map(({ status, body }) => [status, body.user?.id])).toStrictEqual(
      answers.map(() => [201, guest.body.user.id]),
    );
  });

  it('of a guest without an address is answered so to the token that was good until then', async () => {
    const start = Date.now();
    service().at(start);
    const guest = await makeGuest(service());
    const stranger = await makeGuest(service());
    const headers = bearer(guest.token);
    const bare = { email: undefined, password: undefined };
    const twins = await Promise.all([signUp(bare, headers), signUp(bare, headers)]);
    service().at(start + 9 * MINUTE);
    const answers = [...twins, await signUp(bare, headers)];
    expect(answers.map(({ status, body }) => [status, body.user?.id])).toStrictEqual(
      answers.map(() => [201, guest.user.id]),
    );
    const last = answers.at(-1)?.body.token;
    const asked = '{ viewer { databaseId isGuest } }';
    expect((await service().ask(asked, {}, { token: last })).data.viewer).toStrictEqual({
      databaseId: guest.user.id,
      isGuest: false,
    });
    expect((await signUp(bare)).body.code, 'to nobody else').toBe('rest_invalid_param');
    expect((await signUp(bare, bearer(stranger.token))).body.user.id).toBe(stranger.user.id);
    service().at(start + 11 * MINUTE);
    expect((await signUp(bare, headers)).body.code).toBe('rest_invalid_param');
  });

  it('of a guest is answered by the token alone only where nothing else signs in', async () => {
    const start = Date.now();
    service().at(start);
    const bare = { email: undefined, password: undefined };
    for (const body of [{ password: undefined }, { email: undefined }, {}]) {
      const guest = await makeGuest(service());
      service().at(start + 1);
      const headers = bearer(guest.token);
      expect((await signUp(body, headers)).status).toBe(201);
      service().at(start + 2000);
      expect((await signUp(bare, headers)).status, JSON.stringify(body)).toBe(400);
      await service().clean();
      service().at(start);
    }
  });

  it('of a guest is answered by no token once a session of the account was ended', async () => {
    const start = Date.now();
    service().at(start);
    const guest = await makeGuest(service());
    const bare = { email: undefined, password: undefined };
    service().at(start + MINUTE);
    const member = (await signUp(bare, bearer(guest.token))).body;
    service().at(start + 2 * MINUTE);
    await service().ask('mutation { signOutEverywhere { endedSessions } }', {}, member);
    for (const { token } of [member, guest])
      expect((await signUp(bare, bearer(token))).body.code).toBe('rest_invalid_param');
  });

  it('does not take a guest to another account, away from its data', async () => {
    await signUp();
    const guest = await service().rest('POST', '/v1/guest', {
      body: { language: 1 },
      edition: 'B',
    });
    expect((await signUp({}, bearer(guest.body.token))).body.code).toBe('email_exists');
  });

  it('is no way to try passwords: the tries are counted as those of signing in', async () => {
    await service().limit();
    await signUp();
    for (let i = 0; i < 5; i++) await signUp({ password: `wrong horse ${i}` });
    expect((await signUp()).body.code).toBe('email_exists');
    const login = { username: EMAIL, password: PASSWORD };
    expect((await service().rest('POST', '/v1/login', { body: login })).status).toBe(429);
  });
});
