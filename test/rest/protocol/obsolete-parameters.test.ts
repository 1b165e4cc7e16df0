import { useService } from '../../support/harness.js';

describe('What browsers used to send', () => {
  const service = useService();

  it('nonces mean nothing', async () => {
    expect(
      (await service().rest('GET', '/v1/posts', { headers: { 'x-wp-nonce': 'wrong' } })).status,
    ).toBe(200);
  });

  it('callbacks mean nothing', async () => {
    for (const _jsonp of ['callback', 'not(a)name']) {
      const answer = await service().rest('GET', '/v1/posts', { query: { _jsonp } });
      expect([answer.status, answer.body]).toStrictEqual([200, []]);
    }
  });

  it('_locale and _pretty are taken', async () => {
    expect(
      (await service().rest('GET', '/v1/posts', { query: { _locale: 'user', _pretty: '1' } }))
        .status,
    ).toBe(200);
  });
});
