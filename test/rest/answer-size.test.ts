import { useService } from '../support/harness.js';

describe('An answer of more than 16 MiB', () => {
  const service = useService();
  /** So many posts whose texts, raw or rendered, have 5 MiB each. */
  const publish = async (count: number, column: string) => {
    const ids: number[] = [];
    for (let i = 0; i < count; i++) ids.push((await service().post({ title: `Post ${i}` })).id);
    await service().database.query(
      `UPDATE content_item SET ${column} = repeat('x', 5 * 1024 * 1024)`,
    );
    return ids;
  };

  it('is not made of a list: 400 says what to ask for less of', async () => {
    await publish(4, 'content_rendered');
    const list = (query: Record<string, string>) => service().rest('GET', '/v1/posts', { query });
    const whole = await list({ per_page: '100' });
    expect([whole.status, whole.body.code, whole.body.data]).toStrictEqual([
      400,
      'rest_response_too_large',
      { status: 400 },
    ]);
    expect(whole.body.message).toMatch(/per_page.*_fields/);
    const fewer = await list({ per_page: '3' });
    expect([fewer.status, fewer.body.length]).toStrictEqual([200, 3]);
    const slim = await list({ per_page: '100', _fields: 'id,title' });
    expect([slim.status, slim.body.length]).toStrictEqual([200, 4]);
  });

  it('is not made of a batch: once it has so much, the rest is not run and says so', async () => {
    const ids = await publish(5, 'content_rendered');
    const requests = ids.map((id) => ({ method: 'DELETE', path: `/v1/posts/${id}` }));
    const { status, body } = await service().rest('POST', '/batch/v1', {
      as: 'editor',
      body: { requests },
    });
    expect(status).toBe(207);
    const statuses = body.responses.map((response: { status: number }) => response.status);
    const done = statuses.indexOf(413);
    expect(done, String(statuses)).toBeGreaterThan(0);
    expect(statuses).toStrictEqual([
      ...Array(done).fill(200),
      ...Array(ids.length - done).fill(413),
    ]);
    expect(body.responses[done].body.code).toBe('rest_response_too_large');
    const query = { per_page: '100', orderby: 'id', order: 'asc', _fields: 'id' };
    const left = (await service().rest('GET', '/v1/posts', { query })).body;
    expect(left.map(({ id }: { id: number }) => id)).toStrictEqual(ids.slice(done));
  });
});
