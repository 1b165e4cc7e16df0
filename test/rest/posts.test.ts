import { useService } from '../support/harness.js';

describe('Posts over REST', () => {
  const service = useService();

  it('a page of 100 posts with terms and authors costs a constant number of SQL statements', async () => {
    const tag = await service().term('TAG', 'Sleep');
    for (let i = 0; i < 12; i++) await service().post({ title: `Post ${i}`, tags: [tag] });
    const list = (size: number) =>
      service().rest('GET', '/v1/posts', { query: { per_page: String(size), _embed: '1' } });
    await list(1);
    const few = await service().statements(() => list(21));
    const many = await service().statements(() => list(100));
    expect(many).toBe(few);
    expect(many, `${many} statements`).toBeLessThanOrEqual(4);
  });
});
