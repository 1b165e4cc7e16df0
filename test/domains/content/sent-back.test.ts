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
});
