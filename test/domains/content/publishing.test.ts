import { publishDue } from '../../../src/domains/content/item/publishing.service.js';
import { useService } from '../../support/harness.js';

const HOUR = 60 * 60 * 1000;

describe('A scheduled post', () => {
  const service = useService();
  const schedule = (ahead: number) =>
    service().post({
      status: 'publish',
      date_gmt: new Date(Date.now() + ahead).toISOString().slice(0, 19),
    });
  const statusOf = async (id: number) =>
    (await service().rest('GET', `/v1/posts/${id}`, { as: 'editor' })).body.status;

  it('is published when its time has come, and not a moment before', async () => {
    const { id, status } = await schedule(HOUR);
    expect(status).toBe('future');
    expect(await publishDue(service().app.deps)).toBe(0);
    expect(await statusOf(id)).toBe('future');
    const later = Date.now() + HOUR + 1000;
    service().at(later);
    expect(await publishDue(service().app.deps)).toBe(1);
    expect(await statusOf(id)).toBe('publish');
  });

  it('is published once, by however many processes', async () => {
    await schedule(HOUR);
    const later = Date.now() + HOUR + 1000;
    service().at(later);
    const published = await Promise.all([1, 2, 3].map(() => publishDue(service().app.deps)));
    expect(published.reduce((sum, count) => sum + count)).toBe(1);
  });

  it('keeps its date and its address', async () => {
    const before = await schedule(HOUR);
    const later = Date.now() + 2 * HOUR;
    service().at(later);
    await publishDue(service().app.deps);
    const { body } = await service().rest('GET', `/v1/posts/${before.id}`);
    expect([body.date_gmt, body.slug]).toStrictEqual([before.dateGmt, before.slug]);
  });
});
