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
});
