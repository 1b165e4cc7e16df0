import { globalId } from '../../src/core/node.js';
import { serviceContext } from '../../src/core/service-context.js';
import { forgetRetries } from '../../src/core/transact.js';
import { World } from '../app/written-fields/world.js';
import { errorCode, mutation, type RoleName, useService } from '../support/harness.js';
import { type Deletion, deletionsOf, madeFor } from './replayed-deletions/deletions.js';

/** Deletions that say each time how it is now: what they end has no end but the first. */
const SAME_AGAIN = new Set(['endBreakGlass', 'disconnectOutlook', 'revokeReportEmbed']);

describe('A deletion that comes again under its Idempotency-Key', () => {
  const service = useService();
  const KEY = { 'idempotency-key': 'one' };
  const ANEW = { 'idempotency-key': 'another' };

  async function world(): Promise<World> {
    await service().clean();
    service().at('2026-03-01T08:00:00Z');
    const { id } = await service().account('administrator');
    const headers = await service().session('administrator');
    return new World(service(), { headers }, globalId('Account', id));
  }

  /** Sends a deletion twice under a key, and once under another. Returns what is wrong. */
  async function faultOf(deletion: Deletion): Promise<string | undefined> {
    const { name, text } = deletion;
    const { input, headers } = await madeFor(service(), await world(), deletion);
    const send = async (key: object) => {
      const { body } = await service().graphql(
        text,
        { input },
        { headers: { ...headers, ...key } },
      );
      return { isDone: Boolean(body.data?.[name]) && !body.errors, body: JSON.stringify(body) };
    };
    const first = await send(KEY);
    if (!first.isDone) return `deletes nothing: ${first.body}`;
    const again = await send(KEY);
    if (again.body !== first.body) return `answers ${first.body}, then ${again.body}`;
    const anew = await send(ANEW);
    return anew.body === first.body && !SAME_AGAIN.has(name) ? 'is made anew' : undefined;
  }

  it('answers as the first time, whatever is deleted', async () => {
    const faults: Record<string, string> = {};
    const deletions = deletionsOf(service().app.schema);
    for (const deletion of deletions) {
      const fault = await faultOf(deletion).catch(({ message }: Error) => message);
      if (fault) faults[deletion.name] = fault;
    }
    expect(faults).toStrictEqual({});
    expect(deletions.length).toBeGreaterThan(35);
  });

  /** Makes something over REST, and deletes it twice under a key and once under another. */
  async function expectSameOverRest(path: string, made: object, at?: string): Promise<void> {
    const as = 'administrator';
    const { body } = await service().rest('POST', path, { as, body: made });
    const remove = (headers: Record<string, string>) =>
      service().rest('POST', at ?? `${path}/${body.id}`, {
        query: { _method: 'DELETE', force: 'true' },
        as,
        headers,
      });
    const first = await remove(KEY);
    expect(first.status).toBe(200);
    expect(await remove(KEY)).toMatchObject({ status: 200, body: first.body });
    expect((await remove(ANEW)).status).toBe(404);
  }

  it('answers a model as the first time, over REST', () =>
    expectSameOverRest(
      '/models/v1/pods',
      { name: 'book', label: 'Books', type: 'post_type' },
      '/models/v1/pods/book',
    ));

  it('answers an item with its terms as the first time, over REST', async () => {
    const tag = await service().term('TAG', 'Sleep');
    await expectSameOverRest('/v1/posts', { title: 'Sleep well', tags: [tag] });
  });

  it('answers a page as the first time, over REST', () =>
    expectSameOverRest('/v1/pages', { title: 'About' }));

  async function quoteDeletion() {
    const data = { text: 'Walk.', languageCode: 'en', createdAt: new Date() };
    const { id } = await service().database.prisma.quote.create({ data });
    return (headers: object, as: RoleName = 'editor') =>
      service().graphql(
        mutation('deleteQuote', 'quote { id }'),
        { input: { id } },
        {
          as,
          headers: { ...headers },
        },
      );
  }

  it('is another deletion for another account, and after a day', async () => {
    const remove = await quoteDeletion();
    await remove(KEY);
    const { idempotentChange } = service().database.prisma;
    const [known] = await idempotentChange.findMany({});
    const other = await remove(KEY, 'administrator');
    expect(errorCode(other.body)).toBe('QUOTE_NOT_FOUND');
    const day = 24 * 60 * 60 * 1000;
    service().at((known?.createdAt.getTime() ?? 0) + day + 1);
    expect(errorCode((await remove(KEY)).body)).toBe('QUOTE_NOT_FOUND');
  });

  it('is forgotten with what was deleted after a day', async () => {
    await (await quoteDeletion())(KEY);
    const { deps } = await serviceContext(service().app.deps, 'test');
    const { idempotentChange } = service().database.prisma;
    const [known] = await idempotentChange.findMany({});
    const forget = async (after: number) => {
      service().at((known?.createdAt.getTime() ?? 0) + after);
      await forgetRetries(deps, new AbortController().signal);
      return idempotentChange.count();
    };
    expect(await forget(24 * 60 * 60 * 1000)).toBe(1);
    expect(await forget(24 * 60 * 60 * 1000 + 1)).toBe(0);
  });
});
