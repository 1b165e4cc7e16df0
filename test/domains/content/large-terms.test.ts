import { setTimeout as sleep } from 'node:timers/promises';
import { serviceContext } from '../../../src/core/service-context.js';
import { proveCounts } from '../../../src/domains/content/item/item-count.service.js';
import { mutation, useService } from '../../support/harness.js';

const ITEMS = 10_001;
// The embedded database has one session.
const onServer = process.env.TEST_DATABASE_URL ? it : it.skip;

describe('A term that more than 10,000 items have', () => {
  const service = useService();
  const query = <T extends object>(text: string, values: unknown[] = []) =>
    service().database.query<T>(text, values);
  const makeTerm = async () => {
    const { id: author } = await service().account('editor');
    const term = await service().term('TAG', 'Large');
    // Without triggers, of which that of the search takes longest.
    await service().database.transaction(async (db) => {
      await db.$executeRaw`SET LOCAL session_replication_role = replica`;
      await db.$executeRaw`
        WITH made AS (INSERT INTO content_item (kind, status, title, title_key, title_rendered, content,
            content_rendered, excerpt, excerpt_rendered, rendering, slug, author_id, published_at,
            modified_at, comments_open, pings_open, guid)
          SELECT 'post', 'publish', 'T', 't', 'T', 'C', 'C', '', '', 0, 's-' || i, ${author}::int, now(),
            now(), true, true, '' FROM generate_series(1, ${ITEMS}::int) i RETURNING id)
        INSERT INTO content_term (item_id, term_id) SELECT id, ${term}::int FROM made`;
    });
    await proveCounts(await serviceContext(service().app.deps, 'test'));
    return term;
  };
  const deleted = (id: number) =>
    service().graphql(mutation('deleteTerm', 'term { name }'), { input: { id } }, { as: 'editor' });
  const deletedWithOthers = (id: number) =>
    service().graphql(
      mutation('deleteTerms', 'results { deletedId }'),
      { input: { ids: [id, 999_999] } },
      { as: 'editor' },
    );
  const left = async (id: number) =>
    (await query('SELECT FROM content_term WHERE term_id = $1', [id])).length;

  it('is deleted, its items stay, and all counts are right', async () => {
    const term = await makeTerm();
    expect((await deleted(term)).body).toStrictEqual({
      data: { deleteTerm: { term: { name: 'Large' } } },
    });
    const { headers } = await service().rest('GET', '/v1/posts?per_page=1', { as: 'anonymous' });
    expect(headers.get('x-wp-total')).toBe(String(ITEMS));
    await proveCounts(await serviceContext(service().app.deps, 'test'));
    expect(
      await query(`SELECT status, sum(n)::int AS n FROM item_count
        WHERE term_id = 0 OR term_id IN (SELECT id FROM term) GROUP BY status, term_id`),
    ).toStrictEqual([{ status: 'publish', n: ITEMS }]);
    expect((await deleted(term)).body.errors[0].extensions.code).toBe('TERM_NOT_FOUND');
  });

  it('keeps all its items when its deletion is refused', async () => {
    const term = await makeTerm();
    const { body } = await service().graphql(
      mutation('deleteTerm', 'term { name }'),
      { input: { id: term } },
      { as: 'author' },
    );
    expect(body.errors[0].extensions.code).toBe('FORBIDDEN_EDIT_TERM');
    expect(await left(term)).toBe(ITEMS);
  });

  it.each([
    ['deleteTerm', 'term { name }', (id: number) => ({ id })],
    ['deleteTerms', 'results { deletedId }', (id: number) => ({ ids: [id, 999_999] })],
  ])('keeps all its items when %s has the key of another request', async (name, shown, named) => {
    const term = await makeTerm();
    const keyed = (text: string, input: object) => {
      const by = { as: 'editor', headers: { 'idempotency-key': 'once' } } as const;
      return service().graphql(text, { input }, by);
    };
    const made = { taxonomy: 'TAG', name: 'Other' };
    expect(
      (await keyed(mutation('createTerm', 'term { name }'), made)).body.errors,
    ).toBeUndefined();
    const { body } = await keyed(mutation(name, shown), named(term));
    expect(body.errors[0].extensions.code).toBe('IDEMPOTENCY_KEY_REUSED');
    expect(await left(term)).toBe(ITEMS);
  });

  onServer.each([
    ['deleteTerm', deleted],
    ['deleteTerms', deletedWithOthers],
  ])('loses them in parts by %s: who files one waits for few others', async (_name, remove) => {
    const term = await makeTerm();
    let deleting: Promise<unknown> = Promise.resolve();
    await service().database.transaction(async (db) => {
      await db.$executeRawUnsafe(
        `SELECT FROM content_term WHERE term_id = ${term} ORDER BY item_id DESC LIMIT 1 FOR UPDATE`,
      );
      deleting = remove(term);
      for (const end = Date.now() + 60_000; (await left(term)) !== 1 && Date.now() < end; )
        await sleep(20);
      expect(await left(term)).toBe(1);
    });
    await deleting;
    expect(await left(term)).toBe(0);
  });
});
