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

  it('is not after the date or the change that it shows, whose seconds are whole', async () => {
    service().at('2026-03-10T08:00:00.437Z');
    const { modified, date } = await service().posted({ status: 'publish' });
    service().at('2026-03-10T08:00:01.000Z');
    const later = await service().post({ status: 'publish' });
    const found = async (query: Record<string, string>) => {
      const { body, headers } = await service().rest('GET', '/v1/posts', { query });
      return [body.map(({ id }: { id: number }) => id), headers.get('x-wp-total')];
    };
    expect(await found({ after: date })).toStrictEqual([[later.id], '1']);
    expect(await found({ modified_after: modified })).toStrictEqual([[later.id], '1']);
    expect(await found({ before: date })).toStrictEqual([[], '0']);
    expect(await found({ modified_before: modified })).toStrictEqual([[], '0']);
    const counted = { after: date, tags_exclude: '999' };
    expect(await found(counted)).toStrictEqual([[later.id], '1']);
  });
});
