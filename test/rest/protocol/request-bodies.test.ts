import { type Sending, useService } from '../../support/harness.js';
import { failed, form, json } from '../wire.js';

describe('Bodies', () => {
  const service = useService();
  /** The title and status of a post made from a raw body, or the error. */
  const make = async (raw: string, type?: string) => {
    const headers: Record<string, string> = type ? { 'content-type': type } : {};
    const { status, body } = await service().rest('POST', '/v1/posts', {
      as: 'editor',
      raw: new TextEncoder().encode(raw),
      headers,
    });
    return status === 201 ? [body.title.raw, body.categories, body.status] : [status, body.code];
  };

  for (const type of [
    'application/json',
    'application/json; charset=utf-8',
    'Application/JSON',
    'application/vnd.api+json',
  ]) {
    it(`of ${type} are JSON`, async () => {
      expect(await make('{"title":"T","categories":[1],"status":"pending"}', type)).toStrictEqual([
        'T',
        [1],
        'pending',
      ]);
    });
  }

  it('of forms are fields', async () => {
    const fields = 'title=A+%26+B&categories[]=1&status=pending';
    expect(await make(fields, 'application/x-www-form-urlencoded')).toStrictEqual([
      'A & B',
      [1],
      'pending',
    ]);
    const parts = [
      ['title', 'T'],
      ['categories[]', '1'],
      ['status', 'pending'],
    ].map(
      ([name, value]) =>
        `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
    );
    expect(
      await make(`${parts.join('')}--x--\r\n`, 'multipart/form-data; boundary=x'),
    ).toStrictEqual(['T', [1], 'pending']);
  });

  it('of forms may begin with a mark of their byte order', async () => {
    const fields = '\ufefftitle=T&categories[]=1&status=pending';
    expect(await make(fields, 'application/x-www-form-urlencoded')).toStrictEqual([
      'T',
      [1],
      'pending',
    ]);
  });

  it('of another type, or of none, are ignored', async () => {
    for (const type of ['text/plain', 'application/xml', 'application/jsonx', undefined]) {
      expect(await make('{"title":"T"}', type), type).toStrictEqual([400, 'empty_content']);
    }
  });

  it('of JSON without an object have no fields', async () => {
    for (const text of ['', 'null', '1', '"title"', 'true', '[]', '[{"title":"T"}]']) {
      expect(await make(text, 'application/json'), text).toStrictEqual([400, 'empty_content']);
    }
  });

  it('of malformed JSON are refused, to the anonymous too', async () => {
    for (const text of ['{', '{"title":}', "{'title':'T'}", '{"title":"T"} x', '\u0000', ' ']) {
      const answer = await service().rest('POST', '/v1/posts', { raw: text, headers: json });
      expect(failed(answer), JSON.stringify(text)).toStrictEqual([400, 'rest_invalid_json']);
      expect(typeof answer.body.data.json_error_code).toBe('number');
      expect(typeof answer.body.data.json_error_message).toBe('string');
    }
  });
});

describe('Where a parameter stands', () => {
  const service = useService();
  const send = (method: string, path: string, sending: Sending) =>
    service().rest(method, path, { as: 'editor', ...sending });

  it('the path wins over everything', async () => {
    const [one, other] = [
      await service().post({ title: 'One' }),
      await service().post({ title: 'Other' }),
    ];
    const path = `/v1/posts/${one.id}`;
    expect((await send('GET', path, { query: { id: String(other.id) } })).body.id).toBe(one.id);
    expect((await send('POST', path, { body: { id: other.id, title: 'New' } })).body.id).toBe(
      one.id,
    );
    expect(
      (await send('POST', path, { raw: `id=${other.id}&title=Newer`, headers: form })).body.id,
    ).toBe(one.id);
    expect((await send('DELETE', path, { query: { id: String(other.id) } })).body.id).toBe(one.id);
    expect((await send('GET', `/v1/posts/${other.id}`, {})).body.title.rendered).toBe('Other');
  });

  it('a JSON body wins over the query', async () => {
    const { body } = await send('POST', '/v1/posts', {
      query: { title: 'Query', status: 'pending' },
      body: { title: 'JSON' },
    });
    expect([body.title.raw, body.status]).toStrictEqual(['JSON', 'pending']);
  });

  it('a form wins over the query', async () => {
    const { body } = await send('POST', '/v1/posts', {
      query: { title: 'Query', status: 'pending' },
      raw: 'title=Form',
      headers: form,
    });
    expect([body.title.raw, body.status]).toStrictEqual(['Form', 'pending']);
  });

  it('the query wins over defaults, and is enough for a write', async () => {
    for (let i = 0; i < 3; i++)
      await send('POST', '/v1/posts', { query: { title: `Query ${i}`, status: 'publish' } });
    expect((await send('GET', '/v1/posts', { query: { per_page: '2' } })).body.length).toBe(2);
    expect((await send('GET', '/v1/posts', {})).body.length).toBe(3);
  });

  it('what nobody declared is ignored everywhere', async () => {
    const { status, body } = await send('POST', '/v1/posts', {
      query: { nonsense: '1' },
      body: { title: 'T', more: [{ x: 1 }], link: 'x' },
    });
    expect(status).toBe(201);
    expect(body.link).not.toBe('x');
    expect((await send('GET', '/v1/posts', { query: 'nonsense[]=1&more[x]=2' })).status).toBe(200);
  });
});
