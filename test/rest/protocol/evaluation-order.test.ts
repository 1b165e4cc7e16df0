import { type Sending, useService } from '../../support/harness.js';
import { failed, json } from '../wire.js';

describe('The order of evaluation', () => {
  const service = useService();
  const send = (method: string, path: string, sending?: Sending) =>
    service().rest(method, path, sending);

  it('judges the token before the route', async () => {
    const headers = { authorization: 'Bearer x.y.z' };
    expect(failed(await send('GET', '/v1/nothing', { headers }))).toStrictEqual([
      401,
      'token_invalid',
    ]);
  });

  it('looks for the route before it reads the body', async () => {
    expect(failed(await send('POST', '/v1/nothing', { raw: '{', headers: json }))).toStrictEqual([
      404,
      'rest_no_route',
    ]);
  });

  it('answers a known path with a method that it lacks as an unknown one, never 405', async () => {
    expect(failed(await send('DELETE', '/v1/posts'))).toStrictEqual([404, 'rest_no_route']);
    expect(failed(await send('PATCH', '/v1/posts', { as: 'editor', body: {} }))).toStrictEqual([
      404,
      'rest_no_route',
    ]);
  });

  it('reads the body before it checks parameters and rights', async () => {
    const answer = await send('POST', '/v1/posts', {
      query: { status: 'nonsense' },
      raw: '{"title": ',
      headers: json,
    });
    expect(failed(answer)).toStrictEqual([400, 'rest_invalid_json']);
    expect(answer.body.data.json_error_code).toBe(4);
    expect(answer.body.data.json_error_message).toBe('Syntax error');
  });

  it('names missing parameters before those that do not fit', async () => {
    const answer = await send('POST', '/batch/v1', { body: { validation: 'nonsense' } });
    expect(failed(answer)).toStrictEqual([400, 'rest_missing_callback_param']);
    expect(answer.body.data.params).toStrictEqual(['requests']);
  });

  it('checks parameters before rights: a bad body is 400 even to the anonymous', async () => {
    const answer = await send('POST', '/v1/posts', { body: { status: 'nonsense' } });
    expect(failed(answer)).toStrictEqual([400, 'rest_invalid_param']);
    expect(Object.keys(answer.body.data.params)).toStrictEqual(['status']);
  });

  it('asks for rights before it writes: 401 to the anonymous, 403 to the signed in', async () => {
    const body = { title: '' };
    expect(failed(await send('POST', '/v1/posts', { body }))).toStrictEqual([
      401,
      'rest_cannot_create',
    ]);
    expect(failed(await send('POST', '/v1/posts', { as: 'subscriber', body }))).toStrictEqual([
      403,
      'rest_cannot_create',
    ]);
    expect(failed(await send('POST', '/v1/posts', { as: 'editor', body }))).toStrictEqual([
      400,
      'empty_content',
    ]);
  });

  it('answers 404 for an unknown id before it asks for rights', async () => {
    for (const method of ['GET', 'POST', 'DELETE']) {
      const answer = await send(
        method,
        '/v1/posts/999',
        method === 'GET' ? { query: { context: 'edit' } } : {},
      );
      expect(failed(answer), method).toStrictEqual([404, 'rest_post_invalid_id']);
    }
  });
});
