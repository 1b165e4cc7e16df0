import { publishDue } from '../../../src/domains/content/item/publishing.service.js';
import { useService } from '../../support/harness.js';

const HOUR = 60 * 60 * 1000;

describe('A post with a date of less than a minute ahead, as phones have it whose clocks are', () => {
  const service = useService();
  const ahead = (seconds: number) =>
    new Date(service().now() + seconds * 1000).toISOString().slice(0, 19);

  it.each(['date', 'date_gmt'])('by %s is published, and not from a minute on', async (field) => {
    service().at('2026-03-10T08:00:00Z');
    const post = async (seconds: number) =>
      (await service().posted({ [field]: ahead(seconds) })).status;
    expect([await post(20), await post(59), await post(60)]).toStrictEqual([
      'publish',
      'publish',
      'future',
    ]);
  });

  it('is published when it is moved there from a later date', async () => {
    service().at('2026-03-10T08:00:00Z');
    const { id } = await service().posted({ date: ahead(3600) });
    const move = async (body: object) =>
      (await service().rest('PUT', `/v1/posts/${id}`, { as: 'editor', body })).body.status;
    expect(await move({ title: 'Still waits' })).toBe('future');
    expect(await move({ date: ahead(20) })).toBe('publish');
    expect(await move({ date: ahead(60) })).toBe('future');
  });
});

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
