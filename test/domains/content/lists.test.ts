import { type OperationDefinitionNode, parse } from 'graphql';
import { globalId } from '../../../src/core/node.js';
import { Selection } from '../../../src/core/selection.js';
import { ItemOrder } from '../../../src/domains/content/content.enums.js';
import { listItems } from '../../../src/domains/content/item/item-list.service.js';
import { errorCode, useService } from '../../support/harness.js';
import { PAGE_INFO, readBothWays } from '../../support/pages.js';
import { plansOf } from '../../support/plans.js';

const CREATE =
  'mutation($input: CreateMediaInput!) { createMedia(input: $input) { media { databaseId } } }';

describe('Lists of terms, media and authors', () => {
  const service = useService();
  const ask = async (query: string, as: 'anonymous' | 'editor' = 'anonymous') =>
    (await service().graphql(query, {}, { as })).body;
  const medium = async (input: object = {}) => {
    const file = { url: 'https://cdn.example/x.jpg', mimeType: 'image/jpeg' };
    const { createMedia } = await service().data(
      CREATE,
      { input: { ...file, ...input } },
      'editor',
    );
    return createMedia.media.databaseId as number;
  };
  /** What both ways of reading the list find, each row by what it is called. */
  const listed = async (root: string, args = '', field = 'databaseId') => {
    const { forwards, backwards } = await readBothWays(async (page) => {
      const inner = [args, page].filter(Boolean).join(', ');
      const { data } = await ask(`{ ${root}(${inner}) { nodes { ${field} } ${PAGE_INFO} } }`);
      return data[root];
    });
    expect(backwards).toStrictEqual(forwards);
    return forwards.map((row) => (row as Record<string, unknown>)[field]);
  };

  it('show every term once, by name, from either end', async () => {
    const names = ['Eve', 'anna', 'Älva', 'Carl', 'bob'];
    for (const name of names) await service().term('TAG', name);
    expect(await listed('terms', 'taxonomy: TAG', 'name')).toStrictEqual([
      'Älva',
      'anna',
      'bob',
      'Carl',
      'Eve',
    ]);
  });

  it('show every medium once, the newest first, from either end; also those of one moment', async () => {
    service().at(Date.parse('2026-03-01T08:00:00Z'));
    const ids = [await medium(), await medium(), await medium()];
    service().at(Date.parse('2026-03-01T09:00:00Z'));
    ids.push(await medium(), await medium());
    expect(await listed('mediaItems')).toStrictEqual(ids.reverse());
  });

  it('show every author once, from either end', async () => {
    const ids: number[] = [];
    for (const as of ['author', 'editor', 'administrator'] as const) {
      await service().post({}, as);
      ids.push((await service().account(as)).id);
    }
    await service().account('contributor');
    const { forwards, backwards } = await readBothWays(async (page) => {
      const { data } = await ask(`{ authors(${page}) { nodes { slug } ${PAGE_INFO} } }`);
      return data.authors;
    });
    expect(backwards).toStrictEqual(forwards);
    const slugs = forwards.map((row) => (row as { slug: string }).slug);
    expect([...slugs].sort()).toStrictEqual(['administrator', 'author', 'editor']);
    expect((await ask('{ authors(first: 1) { totalCount } }')).data.authors.totalCount).toBe(3);
  });

  it('count all rows that match', async () => {
    for (const name of ['Sleep', 'Slow', 'Food']) await service().term('TAG', name);
    const { data } = await ask(
      '{ terms(taxonomy: TAG, first: 1, filter: { search: "sl" }) { totalCount nodes { name } ' +
        'edges { node { name } } } }',
    );
    expect(data.terms).toStrictEqual({
      totalCount: 2,
      nodes: [{ name: 'Sleep' }],
      edges: [{ node: { name: 'Sleep' } }],
    });
  });

  it('take no cursor of another list, and no two sizes', async () => {
    await service().term('TAG', 'Sleep');
    const { data } = await ask('{ terms(taxonomy: TAG) { pageInfo { endCursor } } }');
    const { endCursor } = data.terms.pageInfo;
    for (const [args, code, name] of [
      [`after: "${endCursor}"`, 'CURSOR_INVALID', 'after'],
      [`before: "${endCursor}"`, 'CURSOR_INVALID', 'before'],
      ['first: 1, last: 1', 'PAGE_SIZES_BOTH', 'last'],
      ['first: 0', 'BAD_USER_INPUT', 'first'],
      ['last: 101', 'BAD_USER_INPUT', 'last'],
    ]) {
      const body = await ask(`{ mediaItems(${args}) { totalCount } }`);
      expect(body.data, args).toStrictEqual({ mediaItems: null });
      expect(body.errors[0].extensions.problems[0], args).toMatchObject({ code, path: [name] });
    }
  });

  it('narrow terms to a parent, to the top, to slugs and to an item', async () => {
    const above = await service().term('CATEGORY', 'Above');
    const below = await service().term('CATEGORY', 'Below', above);
    const { id } = await service().post({ categories: [below] });
    const names = async (filter: string) =>
      (
        await ask(`{ terms(taxonomy: CATEGORY, filter: { ${filter} }) { nodes { name } } }`)
      ).data.terms.nodes.map(({ name }: { name: string }) => name);
    expect(await names(`parentId: ${above}`)).toStrictEqual(['Below']);
    expect(await names(`parentId: "${globalId('Term', above)}"`)).toStrictEqual(['Below']);
    expect(await names('topLevel: true')).toStrictEqual(['Above', 'Uncategorized']);
    expect(await names('topLevel: false')).toStrictEqual(['Below']);
    expect(await names('slugs: ["above", "nothing"]')).toStrictEqual(['Above']);
    expect(await names(`itemId: ${id}`)).toStrictEqual(['Below']);
  });

  it('narrow media to a kind, to words of the title and to items', async () => {
    const { id } = await service().post({});
    const plan = await medium({ mimeType: 'application/pdf', title: 'Plan' });
    const box = await medium({ title: 'Box', attachedToId: id });
    const found = async (args: string) =>
      (await ask(`{ mediaItems(${args}) { nodes { databaseId } } }`)).data.mediaItems.nodes.map(
        ({ databaseId }: { databaseId: number }) => databaseId,
      );
    expect(await found('filter: { kind: FILE }')).toStrictEqual([plan]);
    expect(await found('filter: { kind: IMAGE }')).toStrictEqual([box]);
    expect(await found('search: "pla"')).toStrictEqual([plan]);
    expect(await found(`filter: { attachedTo: [${id}] }`)).toStrictEqual([box]);
  });
});

describe('A term, a medium and a language', () => {
  const service = useService();
  const ask = async (query: string, as: 'anonymous' | 'editor' = 'anonymous') =>
    (await service().graphql(query, {}, { as })).body;

  it('are named by a global id or by a number', async () => {
    const tag = await service().term('TAG', 'Sleep');
    for (const id of [tag, `"${tag}"`, `"${globalId('Term', tag)}"`]) {
      const { data } = await ask(`{ term(id: ${id}) { id databaseId name taxonomy url } }`);
      expect(data.term, String(id)).toStrictEqual({
        id: globalId('Term', tag),
        databaseId: tag,
        name: 'Sleep',
        taxonomy: 'TAG',
        url: `${service().url}/tag/sleep/`,
      });
    }
  });

  it('are not named by an id of another type', async () => {
    for (const [field, id] of [
      ['term', globalId('Media', 1)],
      ['mediaItem', globalId('Term', 1)],
      ['author', globalId('Term', 1)],
      ['term', 'x'],
    ]) {
      const body = await ask(`{ ${field}(id: "${id}") { id } }`);
      expect(body.errors[0].extensions.problems, field).toStrictEqual([
        { path: ['id'], code: 'ID_INVALID', message: expect.any(String) },
      ]);
    }
    const input = '{ id: "x", parentId: "y", name: "z" }';
    const body = await ask(`mutation { updateTerm(input: ${input}) { term { id } } }`, 'editor');
    const problems: { path: string[] }[] = body.errors[0].extensions.problems;
    expect(problems.map(({ path }) => path)).toStrictEqual([
      ['input', 'id'],
      ['input', 'parentId'],
    ]);
  });

  it('are read again by `node`, a medium only by whoever may read its item', async () => {
    const tag = await service().term('TAG', 'Sleep');
    const draft = await service().post({ status: 'draft' });
    const input = {
      url: 'https://cdn.example/x.jpg',
      mimeType: 'image/jpeg',
      attachedToId: draft.id,
    };
    const { createMedia } = await service().data(CREATE, { input }, 'editor');
    const nodes = (as: 'anonymous' | 'editor') => {
      const ids = [
        globalId('Term', tag),
        globalId('Language', 1),
        globalId('Media', createMedia.media.databaseId),
        globalId('Term', 999_999),
      ];
      return ask(
        `{ nodes(ids: ${JSON.stringify(ids)}) { __typename ... on Term { name } ... on Language { code } } }`,
        as,
      );
    };
    const open = [
      { __typename: 'Term', name: 'Sleep' },
      { __typename: 'Language', code: 'en' },
    ];
    expect((await nodes('anonymous')).data.nodes).toStrictEqual([...open, null, null]);
    expect((await nodes('editor')).data.nodes).toStrictEqual([
      ...open,
      { __typename: 'Media' },
      null,
    ]);
  });

  it('show what they refer to: parent, item, default category', async () => {
    const above = await service().term('CATEGORY', 'Above');
    const below = await service().term('CATEGORY', 'Below', above);
    const { data } = await ask(
      `{ term(id: ${below}) { parent { name parent { name } } } site { defaultCategory { slug } } }`,
    );
    expect(data).toStrictEqual({
      term: { parent: { name: 'Above', parent: null } },
      site: { defaultCategory: { slug: 'uncategorized' } },
    });
  });

  it('show the languages that an account can choose', async () => {
    const { data } = await ask('{ languages { id databaseId code name } }');
    expect(data.languages).toHaveLength(7);
    expect(data.languages[0]).toStrictEqual({
      id: globalId('Language', 1),
      databaseId: 1,
      code: 'en',
      name: 'English',
    });
  });

  it('show the source of a medium to who may change it alone', async () => {
    const input = { url: 'https://cdn.example/x.jpg', mimeType: 'image/jpeg', title: 'A "b"' };
    const { createMedia } = await service().data(CREATE, { input }, 'author');
    const query = `{ mediaItem(id: ${createMedia.media.databaseId}) { title source { title } } }`;
    expect((await ask(query, 'editor')).data.mediaItem).toStrictEqual({
      title: 'A &#8220;b&#8221;',
      source: { title: 'A "b"' },
    });
    const other = await service().ask(query, {}, 'contributor');
    expect([other.errors, other.data.mediaItem.source]).toStrictEqual([undefined, null]);
  });

  it('are changed by mutations that answer what changed', async () => {
    const above = await service().term('CATEGORY', 'Above');
    const below = await service().term('CATEGORY', 'Below', above);
    const move = (parentId: string) =>
      ask(
        `mutation { updateTerm(input: { id: ${below}, parentId: ${parentId} }) { term { parent { name } } } }`,
        'editor',
      );
    expect((await move('null')).data.updateTerm).toStrictEqual({ term: { parent: null } });
    expect((await move(`${above}`)).data.updateTerm.term.parent.name).toBe('Above');
    expect(errorCode(await move('0'))).toBe('TERM_PARENT_INVALID');
    const remove = `mutation { deleteTerm(input: { id: ${below} }) { deletedTermId term { name parent { name } } } }`;
    expect((await ask(remove, 'editor')).data.deleteTerm).toStrictEqual({
      deletedTermId: globalId('Term', below),
      term: { name: 'Below', parent: { name: 'Above' } },
    });
  });

  it('take posts in the order of authors from an index', async () => {
    await service().post({ status: 'publish' });
    const { id } = await service().account('author');
    await service().database.query(`INSERT INTO content_item (kind, status, title, title_key,
        title_rendered, content, content_rendered, excerpt, excerpt_rendered, rendering, author_id,
        published_at, modified_at, comments_open, pings_open, guid)
      SELECT 'post', 'publish', '', '', '', '', '', '', '', 0, ${id}, now(), now(), true, true, ''
      FROM generate_series(1, 300)`);
    await service().database.query('ANALYZE content_item');
    const { definitions } = parse('{ nodes { databaseId } }');
    const selection = new Selection();
    selection.collect((definitions[0] as OperationDefinitionNode).selectionSet, {
      fragments: {},
      variableValues: {},
    });
    const plan = await plansOf(service(), 'content_item', (context) =>
      listItems(context, 'post', { order: { by: ItemOrder.AUTHOR } }, selection),
    );
    expect(plan).toContain('content_item_author_id_kind_status_id_idx');
  });
});
