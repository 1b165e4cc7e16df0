import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { errorCode, useService } from '../support/harness.js';

const RESPONSE = 'application/graphql-response+json';
const JSON_TYPE = 'application/json';

/** What a client accepts, and the media type that it gets. */
const ACCEPTED: readonly (readonly [string, string])[] = [
  [RESPONSE, RESPONSE],
  [JSON_TYPE, JSON_TYPE],
  ['*/*', JSON_TYPE],
  [`${RESPONSE}, ${JSON_TYPE};q=0.9`, RESPONSE],
  [`${RESPONSE};q=0.1, ${JSON_TYPE}`, JSON_TYPE],
];

describe('A request over GraphQL', () => {
  const service = useService();

  const post = (body: string, accept: string, type = JSON_TYPE, more = {}) =>
    service().fetch('/graphql', {
      method: 'POST',
      headers: { 'content-type': type, accept, ...more },
      body,
    });

  for (const [accept, type] of ACCEPTED)
    it(`is answered in the media type that it accepts, whatever refuses it: ${accept}`, async () => {
      const asked = '{"query":"{ __typename }"}';
      const large = `{"query":"${'x'.repeat(2_100_000)}"}`;
      const answers = [
        [200, await post(asked, accept)],
        [400, await post('{', accept)],
        [413, await post(large, accept)],
        [415, await post(asked, accept, `${JSON_TYPE}; charset=latin1`)],
        [415, await post(asked, accept, 'text/plain')],
        [415, await post('query=%7B__typename%7D', accept, 'application/x-www-form-urlencoded')],
      ] as const;
      for (const [status, answer] of answers) {
        expect([answer.status, answer.headers.get('content-type')]).toStrictEqual([
          status,
          `${type}; charset=utf-8`,
        ]);
        if (status !== 200) expect(errorCode(answer.body)).toBe('BAD_REQUEST');
      }
      service().limit();
      const spent = async () => (await post(asked, accept)).status === 429;
      let limited = false;
      for (let i = 0; i < 1_200 && !limited; i++) limited = await spent();
      const { status, headers } = await post(asked, accept);
      expect([status, headers.get('content-type')]).toStrictEqual([429, `${type}; charset=utf-8`]);
    });

  it('is answered 405 and what is allowed, for a change by GET and other methods', async () => {
    const query = 'mutation { createPost(input: { title: "T" }) { post { id } } }';
    const headers = { 'apollo-require-preflight': '1', accept: RESPONSE };
    const change = await service().fetch(`/graphql?${new URLSearchParams({ query })}`, { headers });
    expect([change.status, change.headers.get('allow')]).toStrictEqual([405, 'POST']);
    const put = await service().fetch('/graphql', { method: 'PUT', headers });
    expect([put.status, put.headers.get('allow')]).toStrictEqual([405, 'GET, POST']);
  });

  it('may bring its body packed, and a mark of byte order', async () => {
    const sent = (body: Buffer, encoding: string) =>
      service().fetch('/graphql', {
        method: 'POST',
        headers: { 'content-type': JSON_TYPE, accept: RESPONSE, 'content-encoding': encoding },
        body: new Uint8Array(body),
      });
    const asked = '\uFEFF{"query":"{ __typename }"}';
    for (const [encoding, body] of [
      ['gzip', gzipSync(asked)],
      ['deflate', deflateSync(asked)],
      ['br', brotliCompressSync(asked)],
      ['identity', Buffer.from(asked)],
    ] as const)
      expect((await sent(body, encoding)).body, encoding).toStrictEqual({
        data: { __typename: 'Query' },
      });
    const bomb = gzipSync(`{"query":"${' '.repeat(3 * 1024 * 1024)}"}`);
    expect((await sent(bomb, 'gzip')).status).toBe(413);
    expect((await sent(Buffer.from('no gzip'), 'gzip')).status).toBe(400);
    expect((await sent(gzipSync(asked), 'zstd')).status).toBe(415);
  });

  it('is refused without a body, with one that is no object, and with a list of operations', async () => {
    for (const body of ['', 'null', '1', '"text"', '[{"query":"{ __typename }"}]']) {
      const answer = await post(body, RESPONSE);
      expect([body, answer.status]).toStrictEqual([body, 400]);
      expect(errorCode(answer.body)).toBe('BAD_REQUEST');
    }
  });

  it('is found at its address alone, with or without a slash at the end', async () => {
    const at = async (path: string) => (await service().fetch(path, {})).status;
    const query = '?query={__typename}';
    const headers = { 'apollo-require-preflight': '1' };
    expect((await service().fetch(`/graphql/${query}`, { headers })).status).toBe(200);
    expect(await at('/graphqlx')).toBe(404);
  });

  it('gets its answer packed when it takes gzip and the answer is long', async () => {
    const sent = await post('{"query":"{ __typename }"}', RESPONSE, JSON_TYPE);
    expect(sent.headers.get('content-encoding')).toBeNull();
    const query = `{ ${'name'.repeat(300)}: __typename }`;
    const long = await post(JSON.stringify({ query }), RESPONSE, JSON_TYPE, {
      'accept-encoding': 'gzip',
    });
    expect([long.status, long.headers.get('content-encoding')]).toStrictEqual([200, 'gzip']);
    expect(long.headers.get('vary')).toBe('Origin, Accept-Encoding');
  });
});
