import { type Sending, useService } from '../../support/harness.js';
import { failed, PASSWORD } from '../wire.js';

describe('Idempotency-Key', () => {
  const service = useService();
  const KEY = { 'idempotency-key': 'a-key' };
  const make = (title: string, sending: Sending = {}) =>
    service().rest('POST', '/v1/posts', {
      as: 'editor',
      headers: KEY,
      body: { title, status: 'publish' },
      ...sending,
    });
  const titles = async () =>
    (await service().rest('GET', '/v1/posts', { query: { orderby: 'id', order: 'asc' } })).body.map(
      (post: { title: { rendered: string } }) => post.title.rendered,
    );

  it('makes a repeated request answer the same post and make no second', async () => {
    const [first, second] = [await make('Once'), await make('Once')];
    expect([first.status, second.status]).toStrictEqual([201, 201]);
    expect(second.body.id).toBe(first.body.id);
    expect(second.headers.get('location')).toBe(first.headers.get('location'));
    expect(await titles()).toStrictEqual(['Once']);
  });

  it('makes a repeated change change nothing more', async () => {
    const { id } = await service().post({ title: 'Before' });
    const change = (title: string, headers: Record<string, string>) =>
      service().rest('POST', `/v1/posts/${id}`, { as: 'editor', headers, body: { title } });
    await change('First', KEY);
    await change('Second', {});
    const replay = await change('First', KEY);
    expect([replay.status, replay.body.title.raw]).toStrictEqual([200, 'Second']);
  });

  it('refuses another request under the same key', async () => {
    await make('Once');
    expect(failed(await make('Twice'))).toStrictEqual([422, 'idempotency_key_reused']);
    expect(await titles()).toStrictEqual(['Once']);
  });

  it('leaves one application password, whose secret is the one that was answered last', async () => {
    const headers = { ...(await service().session('editor')), ...KEY };
    const path = '/wp/v2/users/me/application-passwords';
    const send = () => service().rest('POST', path, { headers, body: { name: 'Script' } });
    const [first, second] = [await send(), await send()];
    expect([first.status, second.status]).toStrictEqual([201, 201]);
    expect({ ...second.body, password: '' }).toStrictEqual({ ...first.body, password: '' });
    const made = await service().database.prisma.applicationPassword.findMany({
      where: { name: 'Script' },
    });
    expect(made.map(({ id }) => id)).toStrictEqual([first.body.uuid]);
    const { username } = await service().account('editor');
    const introspect = async (secret: string) =>
      (
        await service().rest('GET', `${path}/introspect`, {
          headers: {
            authorization: `Basic ${Buffer.from(`${username}:${secret}`).toString('base64')}`,
          },
        })
      ).status;
    expect(await introspect(first.body.password)).toBe(401);
    expect(await introspect(second.body.password)).toBe(200);
    await service().database.prisma.applicationPassword.deleteMany({ where: { name: 'Script' } });
    expect((await send()).status, 'a revoked one does not come back').toBe(404);
  });

  it('tells requests apart by their path and query as well', async () => {
    const { body } = await make('Once');
    const other = await service().rest('POST', `/v1/posts/${body.id}`, {
      as: 'editor',
      headers: KEY,
      body: { title: 'Once', status: 'publish' },
    });
    expect(failed(other)).toStrictEqual([422, 'idempotency_key_reused']);
  });

  it('belongs to one account', async () => {
    const [one, other] = [await make('Once'), await make('Once', { as: 'author' })];
    expect(other.body.id).not.toBe(one.body.id);
  });

  it('remembers nothing of a request that failed', async () => {
    expect(failed(await make('', { body: { title: '' } }))).toStrictEqual([400, 'empty_content']);
    expect((await make('Now')).status).toBe(201);
  });

  it('is forgotten after a day', async () => {
    const first = await make('Once');
    service().now = () => Date.now() + 25 * 60 * 60 * 1000;
    expect((await make('Once')).body.id).not.toBe(first.body.id);
  });

  it('answers twins that run at the same time with one post', async () => {
    await service().account('editor');
    const answers = await Promise.all(Array.from({ length: 4 }, () => make('Once')));
    for (const { status, headers } of answers)
      expect(
        status === 201 || (status === 409 && headers.get('retry-after')),
        String(status),
      ).toBeTruthy();
    expect(await titles()).toStrictEqual(['Once']);
  });

  it('makes a repeated move to the trash answer the post in the trash', async () => {
    const { id } = await service().post();
    const bin = () =>
      service().rest('POST', `/v1/posts/${id}`, {
        as: 'editor',
        headers: KEY,
        query: { _method: 'DELETE' },
      });
    expect((await bin()).body.status).toBe('trash');
    const again = await bin();
    expect([again.status, again.body.status]).toStrictEqual([200, 'trash']);
  });

  it('never answers a token twice', async () => {
    const query =
      'mutation($input: CreateUserInput!) { createUser(input: $input) { account { databaseId } } }';
    const input = { username: 'ada', email: 'ada@example.com', password: PASSWORD };
    await service().graphql(query, { input }, { as: 'administrator' });
    const login = () =>
      service().rest('POST', '/v1/login', {
        as: 'editor',
        headers: KEY,
        body: { username: 'ada', password: PASSWORD },
      });
    const [one, other] = [await login(), await login()];
    expect([one.status, other.status]).toStrictEqual([200, 200]);
    expect(one.body.refreshToken).not.toBe(other.body.refreshToken);
  });

  it('means nothing on GET, and nothing to the anonymous', async () => {
    for (const query of ['', 'page=1']) {
      expect(
        (await service().rest('GET', '/v1/posts', { as: 'editor', headers: KEY, query })).status,
      ).toBe(200);
    }
    for (const title of ['One', 'Two']) {
      expect(failed(await make(title, { as: 'anonymous' }))).toStrictEqual([
        401,
        'rest_cannot_create',
      ]);
    }
  });
});
