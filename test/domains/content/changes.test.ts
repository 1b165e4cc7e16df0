// The feed of content: who did what to which item, and who edits one now.
import { type Client, createClient } from 'graphql-ws';
import WebSocket from 'ws';
import { pruneContentChanges } from '../../../src/domains/content/change/change-list.service.js';
import { publishDue } from '../../../src/domains/content/item/publishing.service.js';
import { type Caller, mutation, useService } from '../../support/harness.js';

const NOW = Date.parse('2026-03-10T08:00:00Z');
const MINUTE = 60_000;
const KINDS = [
  ['Post', 'post'],
  ['Page', 'page'],
  ['HealthcareItem', 'healthcareItem'],
] as const;

describe('Changes of content', () => {
  const service = useService();
  const clients: Client[] = [];
  beforeEach(() => service().at(NOW));
  afterEach(
    async () => void (await Promise.all(clients.splice(0).map((client) => client.dispose()))),
  );

  const act = async (name: string, input: object, fields: string, as: Caller = 'editor') =>
    (await service().data(mutation(name, fields), { input }, as))[name];
  const make = async (as: Caller = 'editor', type = 'Post', part = 'post', input: object = {}) =>
    (await act(`create${type}`, { title: 'One', ...input }, `${part} { id }`, as))[part].id;
  /** What is listed, the latest first: what happened, to what, by whom. */
  const listed = async (as: Caller = 'editor', rest = '') =>
    (
      await service().data(
        `{ contentChanges${rest} { version nodes { what itemKind itemId by { name } item { id } } } }`,
        {},
        as,
      )
    ).contentChanges;
  const whats = async (as?: Caller, rest?: string) =>
    (await listed(as, rest)).nodes.map(({ what }: { what: string }) => what);

  it.each(KINDS)('are listed with who made them: %s', async (type, part) => {
    const id = await make('editor', type, part);
    await act(
      `update${type}`,
      { id, title: 'Two' },
      part === 'post' ? 'post { id }' : `${part} { id }`,
    );
    await act(`trash${type}`, { id }, '__typename', 'administrator');
    await act(`restore${type}`, { id }, '__typename', 'administrator');
    await act(`delete${type}`, { id }, '__typename');
    const { nodes } = await listed();
    const [editor, administrator] = ['The editor', 'The administrator'];
    expect(
      nodes.map(({ what, by }: { what: string; by: { name: string } }) => [what, by.name]),
    ).toStrictEqual([
      ['DELETED', editor],
      ['RESTORED', administrator],
      ['TRASHED', administrator],
      ['UPDATED', editor],
      ['CREATED', editor],
    ]);
    expect(new Set(nodes.map(({ itemId }: { itemId: string }) => itemId))).toStrictEqual(
      new Set([id]),
    );
    expect(nodes[0].item, 'it is gone').toBeNull();
  });

  describe('that another thing makes', () => {
    /** What a step adds to the list, and whether it moves the feed. */
    const added = async (step: () => Promise<unknown>, as: Caller = 'editor') => {
      const before = await listed(as);
      await step();
      const { version, nodes } = await listed(as);
      expect(version, 'who watches is told').toBeGreaterThan(before.version);
      return nodes
        .slice(0, nodes.length - before.nodes.length)
        .map(({ what, itemId }: { what: string; itemId: string }) => [what, itemId]);
    };
    const page = (input: object) => make('editor', 'Page', 'page', { status: 'PUBLISH', ...input });

    it('are listed for the items of a tag that is deleted', async () => {
      const tag = await service().term('TAG', 'News');
      const id = await make('editor', 'Post', 'post', { tagIds: [tag] });
      await make();
      expect(await added(() => act('deleteTerm', { id: tag }, '__typename'))).toStrictEqual([
        ['UPDATED', id],
      ]);
    });

    it('are listed for what is below a page that is deleted, and are a conflict with older versions', async () => {
      const parent = await page({});
      const { databaseId } = (
        await service().data(
          'query($id: ID!) { page(id: $id) { databaseId } }',
          { id: parent },
          'editor',
        )
      ).page;
      const child = await page({ parentId: databaseId });
      const version = async () =>
        (
          await service().data(
            'query($id: ID!) { page(id: $id) { version } }',
            { id: child },
            'editor',
          )
        ).page.version;
      const before = await version();
      expect(await added(() => act('deletePage', { id: parent }, '__typename'))).toStrictEqual(
        expect.arrayContaining([
          ['UPDATED', child],
          ['DELETED', parent],
        ]),
      );
      expect(await version()).toBeGreaterThan(before);
    });

    it('are listed for what a medium featured that is deleted', async () => {
      const id = await make();
      const { id: authorId } = await service().account('editor');
      const media = await service().database.prisma.media.create({
        data: {
          id: 4711,
          slug: 'x',
          title: 'x',
          authorId,
          mimeType: 'image/png',
          sourceUrl: 'https://x.example/x.png',
          createdAt: new Date(),
          modifiedAt: new Date(),
        },
      });
      await service().database.prisma.contentItem.updateMany({
        data: { featuredMediaId: media.id },
      });
      expect(await added(() => act('deleteMedia', { id: media.id }, '__typename'))).toStrictEqual([
        ['UPDATED', id],
      ]);
    });

    it('are listed for the heir of an account that is deleted', async () => {
      const id = await make('contributor');
      const [gone, heir] = [
        await service().account('contributor'),
        await service().account('author'),
      ];
      const input = { userId: gone.id, content: 'HAND_OVER', heirId: heir.id };
      await service().data(
        mutation('deleteUser', '__typename'),
        { input },
        {
          headers: await service().session('administrator'),
        },
      );
      const { nodes } = await listed('author');
      expect(
        nodes.map(({ what, itemId }: { what: string; itemId: string }) => [what, itemId]),
      ).toStrictEqual([
        ['UPDATED', id],
        ['CREATED', id],
      ]);
    });

    it('are listed for both authors of an item that changes hands', async () => {
      const id = await make('author', 'Post', 'post', { status: 'DRAFT' });
      const { id: authorId } = await service().account('editor');
      expect(
        await added(
          () => act('updatePost', { id, authorId }, 'post { id }', 'administrator'),
          'author',
        ),
      ).toStrictEqual([['UPDATED', id]]);
    });
  });

  it('are listed when they come by REST, by many at once, or by the service itself', async () => {
    const { id: first } = await service().post({ title: 'By REST', as: 'editor' } as never);
    const due = new Date(NOW + MINUTE).toISOString();
    const later = await make('editor', 'Post', 'post', { status: 'PUBLISH', publishedAt: due });
    const draft = await make();
    await act('publishPosts', { ids: [draft] }, 'results { __typename }');
    await act('deletePosts', { ids: [draft] }, 'results { __typename }');
    service().at(NOW + 2 * MINUTE);
    expect(await publishDue(service().app.deps)).toBe(1);
    const { nodes } = await listed();
    expect(nodes[0]).toMatchObject({ what: 'UPDATED', itemId: later, by: null });
    expect(nodes.map(({ what }: { what: string }) => what)).toStrictEqual([
      'UPDATED',
      'DELETED',
      'UPDATED',
      'CREATED',
      'CREATED',
      'CREATED',
    ]);
    expect(first).toBeGreaterThan(0);
  });

  it('can be filtered by what happened, by kind and by time', async () => {
    await make();
    service().at(NOW + MINUTE);
    const page = await make('editor', 'Page', 'page');
    await act('updatePage', { id: page, title: 'Two' }, 'page { id }');
    expect(await whats('editor', '(filter: { what: [CREATED] })')).toHaveLength(2);
    expect(await whats('editor', '(filter: { kinds: [PAGE] })')).toStrictEqual([
      'UPDATED',
      'CREATED',
    ]);
    const since = new Date(NOW + MINUTE).toISOString();
    expect(await whats('editor', `(filter: { since: "${since}" })`)).toHaveLength(2);
  });

  it('of the items of others are not shown to those who may not edit them', async () => {
    const own = await make('author');
    await make('editor');
    await act('updatePost', { id: own, title: 'Mended' }, 'post { id }', 'editor');
    expect(await whats('author')).toStrictEqual(['UPDATED', 'CREATED']);
    expect(await whats('editor')).toHaveLength(3);
    const { errors } = await service().ask('{ contentChanges { version } }', {}, 'subscriber');
    expect(errors?.[0]?.extensions?.code).toBe('FORBIDDEN');
  });

  it('are forgotten after 30 days', async () => {
    await make();
    const { prisma } = service().database;
    await prisma.contentChange.updateMany({
      data: { at: new Date(Date.now() - 31 * 24 * 60 * MINUTE) },
    });
    await make();
    await prisma.contentChange.updateMany({
      where: { at: new Date(NOW) },
      data: { at: new Date() },
    });
    await pruneContentChanges(service().app.deps, new AbortController().signal);
    expect(await whats()).toStrictEqual(['CREATED']);
  });

  const watch = async (as: Caller, since = 0) => {
    const client = createClient({
      url: `${service().url.replace('http', 'ws')}/graphql`,
      webSocketImpl: WebSocket,
      connectionParams: { ...(await service().authorization(as)) },
      retryAttempts: 0,
    });
    clients.push(client);
    return client.iterate<{ changes: { version: number; memberId: string; feed: string } }>({
      query:
        'subscription($since: Int) { changes(subjects: [{ feed: CONTENT, since: $since }]) { feed version memberId } }',
      variables: { since },
    });
  };

  it('are told live, those of one transaction as one', async () => {
    const { version } = await listed();
    const events = await watch('author', version);
    const ids = [await make(), await make(), await make()];
    await act('trashPosts', { ids }, 'results { __typename }');
    let told = version;
    while (told < version + 4) told = (await events.next()).value.data.changes.version;
    expect(told).toBe(version + 4);
    expect((await listed()).version).toBe(told);
  });

  it('are told to no one who does not write', async () => {
    const events = await watch('subscriber');
    const { value } = await events.next();
    expect(value.errors?.[0].extensions.code).toBe('FORBIDDEN');
  });

  describe('by who edits an item now', () => {
    const EDITORS =
      'query($id: ID!) { content(id: $id) { editors { account { username } since seenAt } } }';
    const editors = async (id: string, as: Caller = 'administrator') =>
      (await service().data(EDITORS, { id }, as)).content.editors;
    const announce = (id: string, as: Caller = 'editor', isEditing?: boolean) =>
      act(
        'announceEditing',
        { id, ...(isEditing !== undefined && { isEditing }) },
        'content { id }',
        as,
      );

    it('show the others that somebody began, goes on, and left', async () => {
      const id = await make();
      await announce(id);
      service().at(NOW + MINUTE);
      await announce(id);
      const { username } = await service().account('editor');
      expect(await editors(id)).toStrictEqual([
        {
          account: { username },
          since: new Date(NOW).toISOString(),
          seenAt: new Date(NOW + MINUTE).toISOString(),
        },
      ]);
      await announce(id, 'editor', false);
      expect(await editors(id)).toStrictEqual([]);
      expect(await whats()).toStrictEqual(['LEFT', 'EDITING', 'CREATED']);
    });

    it('end after two minutes without a word, and begin anew', async () => {
      const id = await make();
      await announce(id);
      service().at(NOW + 2 * MINUTE + 1);
      expect(await editors(id)).toStrictEqual([]);
      await announce(id, 'editor', false);
      await announce(id);
      expect((await editors(id))[0].since).toBe(new Date(NOW + 2 * MINUTE + 1).toISOString());
      expect(await whats()).toStrictEqual(['EDITING', 'EDITING', 'CREATED']);
    });

    it('count what is typed into an autosave', async () => {
      const id = await make('author', 'Post', 'post', { status: 'DRAFT' });
      await act('autosavePost', { id, title: 'Typed' }, '__typename', 'editor');
      const { username } = await service().account('editor');
      expect((await editors(id)).map(({ account }: { account: object }) => account)).toStrictEqual([
        { username },
      ]);
    });

    it('count what the author types into the own draft', async () => {
      const id = await make('author', 'Post', 'post', { status: 'DRAFT' });
      await act('autosavePost', { id, title: 'Typed' }, '__typename', 'author');
      const { username } = await service().account('author');
      expect((await editors(id)).map(({ account }: { account: object }) => account)).toStrictEqual([
        { username },
      ]);
    });

    it('begin once for who announces and types at the same moment', async () => {
      const id = await make('author', 'Post', 'post', { status: 'DRAFT' });
      await service().account('editor');
      await Promise.all([
        announce(id),
        act('autosavePost', { id, title: 'Typed' }, '__typename', 'editor'),
        announce(id),
      ]);
      expect(await whats()).toStrictEqual(['EDITING', 'CREATED']);
    });

    it('are neither told by nor shown to those who may not edit it', async () => {
      const id = await make('editor', 'Post', 'post', { status: 'PUBLISH' });
      const { errors } = await service().ask(
        mutation('announceEditing', '__typename'),
        { input: { id } },
        'author',
      );
      expect(errors?.[0]?.extensions?.code).toBe('FORBIDDEN_EDIT');
      await announce(id);
      expect(await editors(id, 'author')).toBeNull();
      expect(await editors(id, 'anonymous')).toBeNull();
    });
  });
});
