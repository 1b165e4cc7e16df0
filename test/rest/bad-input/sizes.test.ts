import { useService } from '../../support/harness.js';
import { json, raw, said } from '../wire.js';

const MIB = 2 ** 20;

describe('Sizes', () => {
  const service = useService();
  const make = (raw: string) =>
    service().rest('POST', '/v1/posts', {
      as: 'editor',
      raw: new TextEncoder().encode(raw),
      headers: json,
    });
  /** A JSON body of exactly so many bytes. */
  const padded = (size: number) => '{"title":"T"}'.padEnd(size);

  it('a body may have 2 MiB and no byte more', async () => {
    expect((await make(padded(2 * MIB))).status).toBe(201);
    const { status, body } = await make(padded(2 * MIB + 1));
    expect([status, body.code, body.data.status]).toStrictEqual([
      413,
      'rest_request_too_large',
      413,
    ]);
  });

  it('a body in pieces that never says its size may have no more either', async () => {
    const piece = Buffer.alloc(MIB, ' ');
    const answer = await raw(service().url, [
      'POST /api/v1/posts HTTP/1.1\r\nHost: x\r\nContent-Type: ' +
        'application/json\r\nTransfer-Encoding: chunked\r\n\r\n',
      ...Array.from({ length: 3 }, () =>
        Buffer.concat([Buffer.from(`${MIB.toString(16)}\r\n`), piece, Buffer.from('\r\n')]),
      ),
    ]);
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
  });

  it('content may have 1 MiB and no byte more', async () => {
    const content = async (text: string) =>
      said(
        await service().rest('POST', '/v1/posts', { as: 'editor', body: { content: text } }),
        'content',
      );
    expect(await content('x'.repeat(MIB))).toStrictEqual([201, undefined]);
    const refused = [
      'content must be a text of at most 1,048,576 bytes without NUL.',
      'rest_invalid_param',
      null,
    ];
    expect(await content('x'.repeat(MIB + 1))).toStrictEqual(refused);
    expect(await content('é'.repeat(MIB / 2))).toStrictEqual([201, undefined]);
    expect(await content(`${'é'.repeat(MIB / 2)}x`)).toStrictEqual(refused);
  });

  const LONG: [name: string, value: unknown][] = [
    ['title', 'x'.repeat(64 * 1024 + 1)],
    ['password', 'x'.repeat(256)],
    ['slug', 'x'.repeat(10_000)],
    ['template', 'x'.repeat(10_000)],
    ['meta', { footnotes: 'x'.repeat(MIB) }],
  ];
  for (const [name, value] of LONG) {
    it(`an over-long ${name} is 400`, async () => {
      const { status, body } = await service().rest('POST', '/v1/posts', {
        as: 'editor',
        body: { title: 'T', [name]: value },
      });
      expect([status, body.code, Object.keys(body.data?.params ?? {})]).toStrictEqual([
        400,
        'rest_invalid_param',
        [name],
      ]);
    });
  }

  it('an over-long search or slug of a list is refused or finds nothing', async () => {
    for (const name of ['search', 'slug', 'password', 'status', 'author', '_fields', '_embed']) {
      const { status } = await service().rest('GET', '/v1/posts', {
        query: `${name}=${'x'.repeat(10_000)}`,
      });
      expect(status === 200 || status === 400, `${name} gave ${status}`).toBe(true);
    }
  });

  it('a thousand terms are a list like others', async () => {
    const ids = Array.from({ length: 1000 }, (_, i) => i + 1);
    const made = await service().rest('POST', '/v1/posts', {
      as: 'editor',
      body: { title: 'T', status: 'publish', categories: ids, tags: ids },
    });
    expect([made.status, made.body.categories, made.body.tags]).toStrictEqual([201, [1], []]);
    for (const query of [`categories=${ids}`, `categories[terms]=${ids}`, `include=${ids}`]) {
      expect((await service().rest('GET', '/v1/posts', { query })).body.length).toBe(1);
    }
    const { body } = await service().rest('GET', '/v1/posts', {
      query: `categories[terms]=${ids}&categories[operator]=AND`,
    });
    expect(body).toStrictEqual([]);
  });
});
