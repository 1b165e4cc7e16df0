// Long and deep HTML: what it costs, where it is worked on, and how deep it may be.
import { worked } from '../../../src/domains/content/rendering/rendering.service.js';
import { sanitiseHtml } from '../../../src/domains/content/rendering/sanitise.js';
import type { ModelRow } from '../../../src/domains/models/definition/model.document.js';
import { modelsById } from '../../../src/domains/models/definition/model.service.js';
import { checkValues } from '../../../src/domains/models/item/value-check.service.js';
import { type Caller, useService } from '../../support/harness.js';
import { makeItem, makeModel } from '../models/modelling.js';

const KIB = 1024;
const MAKE = `mutation($input: CreateModelItemInput!) {
  createModelItem(input: $input) { item { databaseId } } }`;
const filled = (length: number, piece: (i: number) => string) => {
  let text = '';
  for (let i = 0; text.length < length; i++) text += piece(i);
  return text.slice(0, length);
};

describe('Long HTML', () => {
  const service = useService();
  const create = (content: string, as: Caller = 'contributor') =>
    service().rest('POST', '/v1/posts', { as, body: { title: 'x', content } });
  const left = ({ headers }: { headers: Headers }) =>
    Number(/;r=(\d+);/.exec(headers.get('ratelimit') ?? '')?.[1]);
  async function points(ask: () => Promise<{ headers: Headers }>, as: Caller = 'contributor') {
    const before = left(await service().rest('GET', '/v1/none', { as }));
    return before - left(await ask());
  }
  /** Whether other requests had their turn before some work was done. */
  async function givesWay(work: () => Promise<unknown>): Promise<boolean> {
    // A thread may be done before this process has a turn, when the machine is busy.
    for (let tries = 0; tries < 5; tries++) {
      let turns = 0;
      let done = false;
      const turn = () => {
        turns++;
        if (!done) setImmediate(turn);
      };
      setImmediate(turn);
      await work();
      done = true;
      if (turns > 0) return true;
    }
    return false;
  }

  it('costs a point for every 4 KiB that are to be stored, beside its body', async () => {
    service().limit();
    service().at(1_800_000_000_000);
    // Nothing is left of it, so no statement runs, whose time would cost points.
    const empty = (length: number) => filled(length, () => '<script></script>');
    const ask = (length: number) => () =>
      service().rest('POST', '/v1/posts', { as: 'contributor', body: { content: empty(length) } });
    expect(await points(ask(KIB))).toBe(10);
    expect(await points(ask(96 * KIB))).toBe(10 + 1 + 24);
    const note = JSON.stringify([{ id: 'a', content: empty(32 * KIB) }]);
    const noted = () =>
      service().rest('POST', '/v1/posts', {
        as: 'contributor',
        body: { title: 'x', meta: { footnotes: note } },
      });
    const costs = [await points(noted), await points(noted), await points(noted)];
    expect(Math.min(...costs), 'footnotes too').toBe(10 + 8);
  });

  it('is refused before it is rendered when the quota does not cover it', async () => {
    const { id } = await service().account('contributor');
    service().limit();
    service().at(1_800_000_000_000);
    const { QUOTAS } = await import('../../../src/core/quota.js');
    await service().limits.limiter(QUOTAS.account).take(String(id), 9_970);
    const { status, body } = await create(filled(96 * KIB, () => '<br>\n'));
    expect([status, body.code]).toStrictEqual([429, 'too_many_requests']);
    expect(await service().database.prisma.contentItem.count()).toBe(0);
  });

  it('costs a point for every 16 KiB when its revisions are read, and one for 256 KiB of the response', async () => {
    const content = filled(160 * KIB, (i) => `<p id=b${i}>`);
    const { id } = (await create(content)).body;
    for (const title of ['a', 'b'])
      await service().rest('POST', `/v1/posts/${id}`, { as: 'contributor', body: { title } });
    service().limit();
    service().at(1_800_000_000_000);
    const read = () => service().rest('GET', `/v1/posts/${id}/revisions`, { as: 'contributor' });
    // A statement that takes more than a second costs points too.
    const costs = [await points(read), await points(read), await points(read)];
    expect(Math.min(...costs)).toBe(1 + 2 * 10 + 1);
  });

  it('is worked on in a thread of its own, with the same result as short HTML', async () => {
    const { authorization } = await service().authorization('contributor');
    const { app, url } = service();
    const context = await app.createContext({ authorization, siteUrl: url, requestId: 'test' });
    const texts = (content: string) => ({ title: 'x', content, excerpt: '' });
    const long = filled(65 * KIB, () => 'words and <b onclick=x()>words</b>\n\n');
    expect(await givesWay(() => worked(context, 'written', texts(long), false))).toBe(true);
    const tags = filled(8 * KIB, (i) => `<p id=a${i}>`);
    expect(await givesWay(() => worked(context, 'written', texts(tags), false)), 'many tags').toBe(
      true,
    );
    const short = long.slice(0, 4 * KIB - 2);
    expect(await givesWay(() => worked(context, 'written', texts(short), false)), 'short').toBe(
      false,
    );
    const both = await Promise.all(
      [long, short].map((text) => worked(context, 'written', texts(text), false)),
    );
    expect(both[0]?.contentRendered.slice(0, 3_000)).toBe(both[1]?.contentRendered.slice(0, 3_000));
    expect(both[0]?.excerptRendered).toBe(both[1]?.excerptRendered);
    expect(both[0]?.content).not.toContain('onclick');
  });

  it('of items of models costs the same, and is worked on in the same thread', async () => {
    const { id } = await makeModel(service(), 'leaflet', { text: 'WYSIWYG', note: 'WYSIWYG' });
    const make = (values: object) => makeItem(service(), id, values as Record<string, unknown>);
    const long = filled(70 * KIB, () => '<b onclick=x()>words</b>\n');
    const { values } = await make({ text: long, note: '<i onclick=x()>i</i>' });
    expect(values.note).toBe('<i>i</i>');
    expect(values.text).toBe(sanitiseHtml(long));
    const context = await service().context('editor');
    const model = await context.loader(modelsById).load(id);
    const check = (text: string) =>
      checkValues(context, model as ModelRow, [{ field: 'text', value: text }]);
    // Access and rules of the model are read before.
    await check('short');
    expect(await givesWay(() => check(long))).toBe(true);
    expect(await givesWay(() => check('<i>short</i>'))).toBe(false);
    service().limit();
    service().at(1_800_000_000_000);
    const ask = (length: number) => async () => {
      const input = {
        modelId: id,
        values: [{ field: 'text', value: `${filled(length, () => '<script></script>')}x` }],
      };
      return service().graphql(MAKE, { input }, { as: 'editor' });
    };
    const [one, many] = [await points(ask(KIB), 'editor'), await points(ask(40 * KIB), 'editor')];
    expect(many - one).toBe(10);
  });

  it('of who may not store any HTML nests 256 elements deep, and keeps the text of what is deeper', async () => {
    const deep = (levels: number) => `${'<div>'.repeat(levels)}text${'</div>'.repeat(levels)}`;
    const raw = async (content: string, as: Caller) => (await create(content, as)).body.content.raw;
    expect(await raw(deep(256), 'contributor')).toBe(deep(256));
    expect(await raw(deep(300), 'contributor')).toBe(deep(256));
    expect(await raw(`${deep(10_000)}<i>x</i>`, 'contributor')).toBe(`${deep(256)}<i>x</i>`);
    const list = `<ul>${'<li>one'.repeat(1_000)}</ul>${'<p>x'.repeat(1_000)}`;
    expect(await raw(list, 'contributor'), 'what does not nest').toBe(list);
    expect(await raw(deep(300), 'editor')).toBe(deep(300));
  });
});
