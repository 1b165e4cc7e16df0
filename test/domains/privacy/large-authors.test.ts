import { setTimeout as sleep } from 'node:timers/promises';
import { mutation, useService } from '../../support/harness.js';

const ITEMS = 1_201;
// The embedded database has one session.
const onServer = process.env.TEST_DATABASE_URL ? it : it.skip;

describe('An author of more than 500 items', () => {
  const service = useService();
  const query = <T extends object>(text: string) => service().database.query<T>(text);
  const makeAuthor = async () => {
    const { id } = await service().account('author');
    // Without triggers, of which that of the search takes longest.
    await service().database.transaction(async (db) => {
      await db.$executeRaw`SET LOCAL session_replication_role = replica`;
      await db.$executeRaw`
        WITH made AS (INSERT INTO content_item (kind, status, title, title_key, title_rendered, content,
            content_rendered, excerpt, excerpt_rendered, rendering, slug, author_id, published_at,
            modified_at, comments_open, pings_open, guid)
          SELECT 'post', 'publish', 'T', 't', 'T', 'C', 'C', '', '', 0, 's-' || i, ${id}::int, now(),
            now(), true, true, '' FROM generate_series(1, ${ITEMS}::int) i RETURNING id)
        INSERT INTO revision (item_id, author_id, created_at, modified_at, title, content, excerpt, autosave)
          SELECT id, ${id}::int, now(), now(), 'T', 'C', '', false FROM made`;
    });
    return id;
  };
  const rowsOf = async (table: string, author: number) =>
    (await query(`SELECT FROM ${table} WHERE author_id = ${author}`)).length;
  const remove = async (userId: number, heirId?: number) =>
    service().graphql(
      mutation('deleteUser', 'deletedAccountId'),
      { input: { userId, content: 'HAND_OVER', ...(heirId && { heirId }) } },
      { headers: await service().session('administrator') },
    );

  it('is deleted, and the heir has all of them', async () => {
    const author = await makeAuthor();
    const { id: heir } = await service().account('editor');
    expect((await remove(author, heir)).body.errors).toBeUndefined();
    expect(await rowsOf('content_item', heir)).toBe(ITEMS);
    expect(await rowsOf('revision', heir)).toBe(ITEMS);
  });

  it('keeps all of them when the deletion is refused', async () => {
    const author = await makeAuthor();
    const { id: reader } = await service().account('subscriber');
    expect((await remove(author, reader)).body.errors[0].extensions.code).toBe('AUTHOR_INVALID');
    expect(await rowsOf('content_item', author)).toBe(ITEMS);
  });

  it('is erased by the own wish, and the first administrator has all of them', async () => {
    await makeAuthor();
    const { id: administrator } = await service().account('administrator');
    const { body } = await service().graphql(
      mutation('eraseMyAccount', 'erasedAccountId'),
      { input: { password: (await service().account('author')).password } },
      { headers: await service().session('author') },
    );
    expect(body.errors).toBeUndefined();
    expect(await rowsOf('content_item', administrator)).toBe(ITEMS);
  });

  onServer('loses them in parts, so that who edits one of them waits for few others', async () => {
    const author = await makeAuthor();
    let removing: Promise<unknown> = Promise.resolve();
    await service().database.transaction(async (db) => {
      await db.$executeRawUnsafe(
        `SELECT FROM content_item WHERE author_id = ${author} ORDER BY id DESC LIMIT 1 FOR UPDATE`,
      );
      removing = remove(author);
      const isLast = async () => (await rowsOf('content_item', author)) <= 500;
      for (const end = Date.now() + 60_000; !(await isLast()) && Date.now() < end; )
        await sleep(20);
      expect(await rowsOf('content_item', author)).toBe(ITEMS % 500);
    });
    await removing;
    expect(await rowsOf('content_item', author)).toBe(0);
  });
});
