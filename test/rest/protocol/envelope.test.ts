import { type Sending, useService } from '../../support/harness.js';
import { json } from '../wire.js';

describe('_envelope', () => {
  const service = useService();
  const send = (method: string, path: string, sending: Sending = {}) =>
    service().rest(method, path, { query: '_envelope', ...sending });

  it('puts body, status and headers into the body, with 200 around it', async () => {
    const { id } = await service().post();
    const { status, body } = await send('GET', `/v1/posts/${id}`, {
      query: { _envelope: '1', _fields: 'id' },
    });
    expect(status).toBe(200);
    expect([Object.keys(body), body.body, body.status]).toStrictEqual([
      ['body', 'status', 'headers'],
      { id },
      200,
    ]);
    expect(body.headers.Allow).toBe('GET');
    expect(body.headers.Link).toMatch(/rel="alternate"/);
  });

  it('shows the totals of a list as numbers', async () => {
    await service().post();
    const { body } = await send('GET', '/v1/posts');
    expect([
      body.headers['X-WP-Total'],
      body.headers['X-WP-TotalPages'],
      body.body.length,
    ]).toStrictEqual([1, 1, 1]);
  });

  it('shows 201 and Location of what was made, with 200 around it', async () => {
    const { status, body } = await send('POST', '/v1/posts', {
      as: 'editor',
      body: { title: 'T' },
    });
    expect([status, body.status]).toStrictEqual([200, 201]);
    expect(body.headers.Location).toBe(`${service().url}/api/v1/posts/${body.body.id}`);
  });

  it('wraps errors too', async () => {
    for (const [path, status, code] of [
      ['/v1/posts/999', 404, 'rest_post_invalid_id'],
      ['/v1/nothing', 404, 'rest_no_route'],
    ]) {
      const answer = await send('GET', path as string);
      expect([answer.status, answer.body.status, answer.body.body.code]).toStrictEqual([
        200,
        status,
        code,
      ]);
    }
    const unread = await send('POST', '/v1/posts', { raw: '{', headers: json });
    expect([unread.status, unread.body.status, unread.body.body.code]).toStrictEqual([
      200,
      400,
      'rest_invalid_json',
    ]);
    const refused = await send('GET', '/v1/events', { headers: { authorization: 'Bearer x' } });
    expect([refused.status, refused.body.status, refused.body.body.code]).toStrictEqual([
      200,
      401,
      'token_invalid',
    ]);
  });
});
