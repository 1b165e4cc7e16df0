import { type Answer, useService } from '../../support/harness.js';

describe('An item that a client sends back as it read it', () => {
  const service = useService();
  const read = async (id: number): Promise<Answer['body']> =>
    (await service().rest('GET', `/v1/posts/${id}`, { as: 'editor', query: 'context=edit' })).body;
  const put = (id: number, body: object, more = '') =>
    service().rest('PUT', `/v1/posts/${id}${more}`, { as: 'editor', body });

  describe('with a template of the site that it was imported from', () => {
    const imported = async () => {
      const { id } = await service().post({ status: 'publish' });
      await service().database.query(
        `UPDATE content_item SET template = 'page-wide.php' WHERE id = ${id}`,
      );
      return id;
    };

    it('is changed, and keeps it', async () => {
      const id = await imported();
      const { status, body } = await put(id, { ...(await read(id)), title: 'New' });
      expect([status, body.title?.raw, body.template]).toStrictEqual([200, 'New', 'page-wide.php']);
    });

    it('is saved while it is typed, and changed in a batch', async () => {
      const id = await imported();
      const body = { title: 'New', template: 'page-wide.php' };
      const path = `/v1/posts/${id}`;
      const typed = await service().rest('POST', `${path}/autosaves`, { as: 'editor', body });
      expect(typed.status).toBe(200);
      const requests = [{ method: 'PUT', path, body }];
      const batch = await service().rest('POST', '/batch/v1', {
        as: 'editor',
        body: { validation: 'require-all-validate', requests },
      });
      expect(batch.body.responses[0].status).toBe(200);
    });

    it('gives it to no other item, and takes no other', async () => {
      const id = await imported();
      const other = await service().post();
      const template = 'page-wide.php';
      const created = { as: 'editor', body: { title: 'x', template } } as const;
      for (const { status, body } of [
        await put(other.id, { template }),
        await put(id, { template: 'page.php' }),
        await service().rest('POST', '/v1/posts', created),
      ])
        expect([status, Object.keys(body.data.params)]).toStrictEqual([400, ['template']]);
      expect((await put(id, { template: '' })).body.template).toBe('');
    });
  });

  describe('with its date', () => {
    it('keeps the clock that it was imported with', async () => {
      const { id } = await service().post({ status: 'publish', date: '2026-01-02T10:00:00' });
      await service().database.query(`UPDATE content_item SET
        clocks = '{"2026-01-02T10:00:00.000Z": "2026-01-02T11:00:00"}' WHERE id = ${id}`);
      const before = await read(id);
      expect(before.date).toBe('2026-01-02T11:00:00');
      for (const sent of [before, { date: before.date }, { date_gmt: before.date_gmt }]) {
        const { body } = await put(id, sent);
        expect([body.date, body.date_gmt]).toStrictEqual([before.date, before.date_gmt]);
      }
      expect((await put(id, { date: '2026-01-02T11:00:01' })).body.date_gmt).toBe(
        '2026-01-02T11:00:01',
      );
    });

    it('is published at the moment of that when it was a draft without a date', async () => {
      service().at('2026-03-10T08:00:00.437Z');
      const { id } = await service().post({ status: 'draft' });
      const draft = await read(id);
      service().at('2026-03-11T09:00:00.000Z');
      for (const offset of ['', 'Z']) {
        const { body } = await put(id, { ...draft, date: draft.date + offset });
        expect([body.status, body.date]).toStrictEqual(['draft', '2026-03-11T09:00:00']);
        draft.date = body.date;
      }
      service().at('2026-03-12T10:00:00.000Z');
      const { body } = await put(id, { ...draft, status: 'publish' });
      expect([body.status, body.date, body.date_gmt]).toStrictEqual([
        'publish',
        '2026-03-12T10:00:00',
        '2026-03-12T10:00:00',
      ]);
    });

    it('as GMT alone gives a draft that has none this date', async () => {
      service().at('2026-03-10T08:00:00.000Z');
      const { id, dateGmt: date_gmt } = await service().post({ status: 'draft' });
      service().at('2026-03-11T08:00:00.000Z');
      expect((await put(id, { date_gmt })).body.date_gmt).toBe(date_gmt);
      service().at('2026-03-12T08:00:00.000Z');
      expect((await put(id, { status: 'publish' })).body.date_gmt).toBe(date_gmt);
    });
  });
});
