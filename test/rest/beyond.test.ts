import { makeLog } from '../../src/platform/log.js';
import { type Answer, useService } from '../support/harness.js';

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const JSON_BODY = { 'content-type': 'application/json' };
const KEY = { 'idempotency-key': 'deep' };
const DEEP = 20_000;

describe('What goes beyond all bounds', () => {
  const service = useService();
  const refusedFor = ({ status, body, text }: Answer, name: string, why: RegExp) => {
    expect(
      [status, body?.code, Object.keys(body?.data?.params ?? {})],
      text.slice(0, 300),
    ).toStrictEqual([400, 'rest_invalid_param', [name]]);
    expect(body.data.params[name]).toMatch(why);
    expect(body.data.details[name].message).toBe(body.data.params[name]);
    expect(text.length).toBeLessThan(1_000);
  };

  for (const headers of [{}, KEY] as Record<string, string>[]) {
    it(`nesting is a 400${headers === KEY ? ' under an Idempotency-Key' : ''}, in forms, queries and JSON, and changes nothing`, async () => {
      const as = 'editor' as const;
      const name = `meta${'[a]'.repeat(DEEP)}`;
      const form = await service().rest('POST', '/v1/posts', {
        as,
        raw: `title=x&${name}=1`,
        headers: { ...FORM, ...headers },
      });
      refusedFor(form, 'meta', /^meta has more than 8 levels\.$/);
      const query = `meta${'[a]'.repeat(2_000)}=1`;
      refusedFor(
        await service().rest('POST', '/v1/posts', { as, query, headers, body: { title: 'x' } }),
        'meta',
        /8 levels/,
      );
      const multipart = `--x\r\nContent-Disposition: form-data; name="meta${'[a]'.repeat(300)}"\r\n\r\n1\r\n--x--\r\n`;
      const type = { 'content-type': 'multipart/form-data; boundary=x' };
      refusedFor(
        await service().rest('POST', '/v1/posts', {
          as,
          raw: multipart,
          headers: { ...type, ...headers },
        }),
        'meta',
        /8 levels/,
      );
      for (const raw of [
        `{"title": "x", "meta": ${'['.repeat(DEEP)}${']'.repeat(DEEP)}}`,
        `{"title": "x", "meta": ${'{"a":'.repeat(DEEP)}1${'}'.repeat(DEEP)}}`,
      ]) {
        const { status, body } = await service().rest('POST', '/v1/posts', {
          as,
          raw,
          headers: { ...JSON_BODY, ...headers },
        });
        expect([status, body.code, body.data.json_error_code]).toStrictEqual([
          400,
          'rest_invalid_json',
          1,
        ]);
      }
      expect(await service().database.prisma.contentItem.count()).toBe(0);
    });
  }

  it('in the path of one request of a batch is the mistake of that request', async () => {
    const requests = [
      { path: `/v1/posts?x${'[a]'.repeat(DEEP)}=1`, body: { title: 'x' } },
      { path: '/v1/posts', body: { title: 'y' } },
    ];
    const { status, body } = await service().rest('POST', '/batch/v1', {
      as: 'editor',
      body: { requests },
    });
    const [deep, fine] = body.responses;
    expect([status, deep.status, deep.body.code, fine.status]).toStrictEqual([
      207,
      400,
      'rest_invalid_param',
      201,
    ]);
  });

  it('parameters beyond the first thousand are no silent loss', async () => {
    const many = Array.from({ length: 1_001 }, (_, i) => `p${i}=1`);
    const send = (fields: string[]) =>
      service().rest('POST', '/v1/guest', {
        edition: 'B',
        raw: ['language=1', ...fields].join('&'),
        headers: FORM,
      });
    expect((await send(many.slice(0, 999))).status).toBe(201);
    refusedFor(await send(many), 'p999', /^p999 is beyond the first 1,000 parameters\.$/);
    refusedFor(
      await service().rest('GET', '/v1/posts', { query: many.join('&') }),
      'p1000',
      /beyond/,
    );
  });

  it('a list of bad values is answered by its first', async () => {
    const as = 'administrator' as const;
    const headers = { 'x-http-method-override': 'GET' };
    const slug = Array.from({ length: 20_000 }, () => 'a\u0000');
    refusedFor(
      await service().rest('POST', '/v1/posts', { as, headers, body: { slug } }),
      'slug',
      /^slug\[0\] must be/,
    );
    const tags = Array.from({ length: 20_000 }, () => 'x');
    refusedFor(
      await service().rest('POST', '/v1/posts', { as, body: { tags } }),
      'tags',
      /^tags\[0\] is not of type integer/,
    );
    const include = tags.slice(0, 200).join();
    refusedFor(
      await service().rest('GET', '/v1/posts', { query: { include } }),
      'include',
      /^include\[0\]/,
    );
  });

  it('numbers are ids of nothing, or out of bounds', async () => {
    const send = (raw: string) =>
      service().rest('POST', '/v1/posts', { as: 'editor', raw, headers: JSON_BODY });
    for (const number of ['1e400', '-1e400', '9223372036854775808', '2147483648', '1e-400']) {
      const made = await send(
        `{"title": "x", "status": "publish", "featured_media": ${number}, "tags": [${number}]}`,
      );
      expect([made.status, made.body.featured_media, made.body.tags], number).toStrictEqual([
        201,
        0,
        [],
      ]);
    }
    const list = async (query: string) =>
      (await service().rest('GET', '/v1/posts', { query })).status;
    for (const number of ['1e400', '9223372036854775808', '2147483647']) {
      expect(await list(`page=${number}&per_page=100`)).toBe(400);
      expect(await list(`offset=${number}`)).toBe(200);
      expect(await list(`per_page=${number}`)).toBe(400);
    }
  });

  it('of headers nothing long and no control character reaches the log', async () => {
    const lines: string[] = [];
    const other = await service().beside({
      log: makeLog('trace', { write: (line) => lines.push(line) }),
    });
    const long = 'z'.repeat(2_000);
    try {
      const headers = {
        'user-agent': long,
        'x-request-id': long,
        'idempotency-key': long.slice(0, 200),
        'time-zone': long,
        'x-forwarded-for': long,
        'x-http-method-override': long,
        authorization: `Bearer ${long}`,
      };
      await other.rest('POST', '/v1/posts', {
        query: `_method=${long}%0A%1b`,
        headers,
        body: { title: 'x' },
      });
      await other.rest('POST', '/v1/guest', {
        edition: 'B',
        headers: { ...headers, authorization: '' },
        body: { language: 1 },
      });
      await other.rest('GET', `/v1/${long}`, { headers });
    } finally {
      await other.stop();
    }
    expect(lines.length).toBeGreaterThanOrEqual(3);
    for (const line of lines) {
      expect(line).not.toMatch(/z{101}/);
      expect(line).not.toMatch(/\\u00[01]|[^\x20-\x7e\n]/);
    }
  });
});
