import { type Sending, useService } from '../../support/harness.js';
import { form, json } from '../wire.js';

describe('Names of prototypes', () => {
  const service = useService();
  const send = (sending: Sending) =>
    service().rest('POST', '/v1/posts', { as: 'editor', ...sending });
  const clean = () => {
    const fresh = {} as Record<string, unknown>;
    expect([fresh.polluted, fresh.status, fresh.title, [].toString()]).toStrictEqual([
      undefined,
      undefined,
      undefined,
      '',
    ]);
  };

  for (const [name, raw] of [
    ['at the top', '{"title":"T","__proto__":{"status":"publish","polluted":1}}'],
    [
      'of a constructor',
      '{"title":"T","constructor":{"prototype":{"polluted":1,"status":"publish"}}}',
    ],
    [
      'below a field',
      '{"title":{"raw":"T","__proto__":{"polluted":1}},"meta":{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}}',
    ],
    ['below a list', '{"title":"T","categories":{"__proto__":{"polluted":1},"0":1}}'],
  ] as const) {
    it(`in JSON change nothing: ${name}`, async () => {
      const { status, body } = await send({ raw, headers: json });
      expect([status, body.status, body.title.raw]).toStrictEqual([201, 'draft', 'T']);
      clean();
      expect((await send({ body: { title: 'Next' } })).body.status).toBe('draft');
    });
  }

  it('in a form change nothing', async () => {
    const raw =
      'title=T&__proto__[status]=publish&__proto__[polluted]=1&constructor[prototype][polluted]=1&meta[__proto__][polluted]=1&__proto__=1';
    const { status, body } = await send({ raw, headers: form });
    expect([status, body.status]).toStrictEqual([201, 'draft']);
    clean();
  });

  it('in a query change nothing', async () => {
    await service().post();
    const query =
      '__proto__[per_page]=0&constructor[prototype][polluted]=1&include[__proto__][polluted]=1&categories[__proto__][terms]=9&toString=1';
    const { status, body } = await service().rest('GET', '/v1/posts', { query });
    expect(status === 400 || body.length === 1, JSON.stringify(body)).toBe(true);
    clean();
    expect((await service().rest('GET', '/v1/posts')).body.length).toBe(1);
  });

  it('name no parameter, no route and no field', async () => {
    const { id } = await service().post();
    for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty']) {
      expect(
        (await service().rest('GET', `/v1/posts/${id}`, { query: { _fields: name } })).body,
        name,
      ).toStrictEqual({});
      expect((await service().rest('GET', `/v1/${name}`)).status, name).toBe(404);
      expect(
        (await service().rest('GET', `/v1/posts/${id}`, { query: { _embed: name } })).status,
        name,
      ).toBe(200);
      expect(
        (await service().rest('GET', '/v1', { query: { namespace: name } })).status,
        name,
      ).toBe(404);
    }
  });
});
