import { useService } from '../../support/harness.js';

describe('The slug of a draft', () => {
  const service = useService();
  const send = async (method: string, path: string, body?: object) =>
    (await service().rest(method, `/v1/posts${path}`, { as: 'editor', ...(body && { body }) }))
      .body;
  /** A draft with a slug that another took while it was in the trash. */
  async function restored(slug: string): Promise<{ id: number; slug: string }> {
    const { id } = await send('POST', '', { title: 'One', status: 'publish', slug });
    expect((await send('DELETE', `/${id}`)).slug).toBe(`${slug}__trashed`);
    expect((await send('POST', '', { title: 'Two', status: 'publish', slug })).slug).toBe(slug);
    return send('POST', `/${id}`, { status: 'draft' });
  }

  it('is kept when it comes back from the trash, taken or not', async () => {
    const { id, slug } = await restored('name');
    expect(slug).toBe('name');
    expect((await send('POST', `/${id}`, { title: 'Three' })).slug).toBe('name');
    expect((await send('POST', `/${id}`, { status: 'pending' })).slug).toBe('name');
  });

  it('becomes a free one when somebody asks for it', async () => {
    const { id } = await restored('name');
    expect((await send('POST', `/${id}`, { slug: 'name' })).slug).toBe('name-2');
    expect((await send('POST', '', { title: 'Four', slug: 'name' })).slug).toBe('name-3');
  });

  for (const body of [
    { status: 'publish' },
    { status: 'private' },
    { status: 'future', date: '2090-01-01T00:00:00' },
  ])
    it(`becomes a free one when its status becomes ${body.status}`, async () => {
      const { id } = await restored('name');
      expect((await send('POST', `/${id}`, body)).slug).toBe('name-2');
    });
});
