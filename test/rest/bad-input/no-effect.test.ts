import { type Sending, useService } from '../../support/harness.js';
import { json } from '../wire.js';

describe('Bad input', () => {
  const service = useService();

  /** What there is: the number of rows of each table, and every post with its version. */
  async function state(): Promise<unknown> {
    const { prisma } = service().database;
    const counts = [
      prisma.account.count(),
      prisma.session.count(),
      prisma.contentItem.count(),
      prisma.contentTerm.count(),
      prisma.revision.count(),
      prisma.term.count(),
      prisma.idempotentChange.count(),
    ];
    return [
      await Promise.all(counts),
      await prisma.contentItem.findMany({ orderBy: { id: 'asc' } }),
    ];
  }

  it('changes nothing', async () => {
    const tag = await service().term('TAG', 'Sleep');
    const { id } = await service().post({ title: 'T', content: 'c', tags: [tag] });
    const protectedPost = await service().post({ password: 'secret' });
    await service().account('contributor');
    const item = `/v1/posts/${id}`;
    const refused: [method: string, path: string, sending: Sending, status: number][] = [
      ['POST', '/v1/posts', { body: { title: 'New', meta: { footnotes: 5 } } }, 400],
      ['POST', '/v1/posts', { body: { title: 'New', meta: 'x' } }, 400],
      ['POST', '/v1/posts', { body: { title: 'New', status: 'nonsense' } }, 400],
      ['POST', '/v1/posts', { body: { title: 'New', author: 99_999 } }, 400],
      ['POST', '/v1/posts', { body: { title: 'New', template: 'x.php' } }, 400],
      ['POST', '/v1/posts', { body: { title: 'New', sticky: true, password: 'x' } }, 400],
      ['POST', '/v1/posts', { body: { id, title: 'New' } }, 400],
      ['POST', '/v1/posts', { body: { title: '  ', content: '', excerpt: '0' } }, 400],
      ['POST', '/v1/posts', { raw: '{"title":"New"', headers: json }, 400],
      [
        'POST',
        '/v1/posts',
        { body: { title: 'New', status: 'nonsense' }, headers: { 'idempotency-key': 'k' } },
        400,
      ],
      ['POST', '/v1/posts', { as: 'contributor', body: { title: 'New', status: 'publish' } }, 403],
      ['POST', item, { body: { title: 'New', tags: ['x'] } }, 400],
      ['POST', item, { body: { title: 'New', meta: { footnotes: [] } } }, 400],
      ['PATCH', item, { body: { title: 'New', content: 'New', author: 99_999 } }, 400],
      ['PUT', item, { body: { title: '', content: '' } }, 400],
      ['POST', item, { as: 'contributor', body: { title: 'New' } }, 403],
      ['POST', item, { as: 'anonymous', body: { title: 'New' } }, 401],
      ['POST', `/v1/posts/${protectedPost.id}`, { body: { title: 'New', sticky: true } }, 400],
      ['DELETE', item, { query: { force: 'perhaps' } }, 400],
      ['DELETE', item, { as: 'contributor', query: { force: 'true' } }, 403],
      ['POST', item, { query: { _method: 'NONSENSE' }, body: { title: 'New' } }, 404],
      [
        'POST',
        '/batch/v1',
        { body: { requests: [{ path: '/v1/posts', body: { title: 'New' } }, { path: 5 }] } },
        400,
      ],
      [
        'POST',
        '/v1/login',
        { as: 'anonymous', body: { username: 'editor', password: 'wrong' } },
        401,
      ],
    ];
    const before = await state();
    for (const [method, path, sending, status] of refused) {
      const answer = await service().rest(method, path, { as: 'editor', ...sending });
      expect(answer.status, `${method} ${path} ${JSON.stringify(sending)}`).toBe(status);
      expect(await state(), `${method} ${path} ${JSON.stringify(sending)}`).toStrictEqual(before);
    }
  });

  it('of a wrong type in meta is told apart from parameters that do not fit', async () => {
    const { status, body } = await service().rest('POST', '/v1/posts', {
      as: 'editor',
      body: { title: 'T', meta: { footnotes: 5 } },
    });
    expect([status, body.code, body.message]).toStrictEqual([
      400,
      'rest_invalid_type',
      'meta.footnotes is not of type string.',
    ]);
  });
});
