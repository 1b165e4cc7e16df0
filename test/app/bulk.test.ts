// Mutations that change many rows by their ids: what all of them have in common, and rights and order
// of those of content.
import { globalId } from '../../src/core/node.js';
import { type Caller, errorCode, type Harness, mutation, useService } from '../support/harness.js';

/** A mutation, what makes rows for it, and what becomes of a row that is there. */
interface Bulk {
  readonly name: string;
  readonly type: string;
  readonly as: Caller;
  /** The fields of a result beside its error. */
  readonly shown: string;
  readonly missing: string;
  readonly make: (service: Harness, count: number) => Promise<readonly (number | string)[]>;
  /** Whether versions must be given. */
  readonly versioned?: boolean;
  /** The table that a row is gone from. */
  readonly table?: string;
}

const idsOf = (rows: readonly object[]) => rows.map((row) => (row as { id: number }).id);

const items =
  (kind: string, status: string) =>
  async (service: Harness, count: number): Promise<number[]> => {
    const { id } = await service.account('editor');
    const sql = `INSERT INTO content_item (kind, status, title, title_key, title_rendered, content,
        content_rendered, excerpt, excerpt_rendered, rendering, slug, author_id, published_at,
        modified_at, comments_open, pings_open, guid)
      SELECT '${kind}', 'draft', 'T', 't', 'T', 'C', 'C', '', '', 0, 's-' || i, $1, now(), now(),
        true, true, '' FROM generate_series(1, $2::int) i RETURNING id`;
    const ids = idsOf(await service.database.query(sql, [id, count]));
    await service.database.query('UPDATE content_item SET status = $1 WHERE id = ANY($2)', [
      status,
      ids,
    ]);
    return ids;
  };

const rowsBy = (sql: string) => async (service: Harness, count: number) =>
  idsOf(await service.database.query(sql, [count]));

async function modelItems(service: Harness, count: number): Promise<number[]> {
  const made =
    'mutation { createModel(input: { name: "book", type: POST_TYPE }) { model { databaseId } } }';
  const { createModel } = await service.data(made, {}, 'administrator');
  const sql = `INSERT INTO model_item (definition_id, "values", keys, version, created_at, updated_at)
    SELECT $1, '{}', '{}', 1, now(), now() FROM generate_series(1, $2::int) RETURNING id`;
  return idsOf(await service.database.query(sql, [createModel.model.databaseId, count]));
}

async function assignments(service: Harness, count: number): Promise<string[]> {
  const { id } = await service.account('clinician');
  await service.database.query(
    `WITH made AS (INSERT INTO account (username, username_key, name, slug, roles)
      SELECT 'm' || i, 'm' || i, 'M', 'm' || i, '{subscriber}' FROM generate_series(1, $2::int) i
      RETURNING id)
    INSERT INTO care_assignment SELECT id, $1, now() FROM made`,
    [id, count],
  );
  const rows = await service.database.query<{ member_id: number }>(
    'SELECT member_id FROM care_assignment ORDER BY 1',
  );
  return rows.map((row) => globalId('CareAssignment', `${row.member_id}-${id}`));
}

const BEFORE = { publish: 'draft', trash: 'publish', restore: 'trash', delete: 'publish' } as const;
const AFTER = { publish: 'PUBLISH', trash: 'TRASH', restore: 'DRAFT' } as const;
const KINDS = [
  ['post', 'Post', 'post', 'Posts'],
  ['page', 'Page', 'page', 'Pages'],
  ['healthcare', 'HealthcareItem', 'healthcareItem', 'HealthcareItems'],
] as const;

const BULKS: readonly Bulk[] = [
  ...KINDS.flatMap(([kind, type, field, plural]) =>
    Object.entries(BEFORE).map(([verb, status]) => ({
      name: `${verb}${plural}`,
      type,
      as: 'editor' as const,
      shown: verb === 'delete' ? 'deletedId' : `${field} { databaseId status }`,
      missing: 'POST_NOT_FOUND',
      make: items(kind, status),
      ...(verb === 'delete' && { table: 'content_item' }),
    })),
  ),
  {
    name: 'deleteMediaItems',
    type: 'Media',
    as: 'editor',
    shown: 'deletedId',
    missing: 'MEDIA_NOT_FOUND',
    make: async (service, count) => {
      const { id } = await service.account('author');
      return rowsBy(`INSERT INTO media (id, title, slug, mime_type, source_url, author_id, created_at, modified_at)
        SELECT nextval('content_item_id_seq'), 'M', 'm-' || i, 'image/png', 'https://x.example/a.png',
          ${id}, now(), now() FROM generate_series(1, $1::int) i RETURNING id`)(service, count);
    },
    table: 'media',
  },
  {
    name: 'deleteTerms',
    type: 'Term',
    as: 'editor',
    shown: 'deletedId',
    missing: 'TERM_NOT_FOUND',
    make: rowsBy(`INSERT INTO term (taxonomy, name, name_key, slug)
      SELECT 'post_tag', 'T', 't', 't-' || i FROM generate_series(1, $1::int) i RETURNING id`),
    table: 'term',
  },
  {
    name: 'deleteModelItems',
    type: 'ModelItem',
    as: 'editor',
    shown: 'deletedId',
    missing: 'MODEL_NOT_FOUND',
    make: modelItems,
    versioned: true,
    table: 'model_item',
  },
  {
    name: 'deleteFormSubmissions',
    type: 'FormSubmission',
    as: 'administrator',
    shown: 'deletedId',
    missing: 'FORM_SUBMISSION_NOT_FOUND',
    make: rowsBy(`INSERT INTO form_submission (platform, sealed, key_id, email_hash, received_at)
      SELECT 'web', '', '', '', now() FROM generate_series(1, $1::int) RETURNING id`),
    table: 'form_submission',
  },
  {
    name: 'unassignClinicians',
    type: 'CareAssignment',
    as: 'administrator',
    shown: 'deletedId',
    missing: 'CARE_NOT_FOUND',
    make: assignments,
    table: 'care_assignment',
  },
];

describe('A mutation of many rows', () => {
  const service = useService();
  type Headers = Record<string, string>;
  const send = async (
    { name, shown, as, versioned = false }: Bulk,
    input: { ids: readonly (number | string)[]; atomic?: boolean; versions?: number[] },
    headers: Headers = {},
  ) => {
    const versions = versioned ? { versions: input.ids.map(() => 1) } : {};
    const text = mutation(name, `results { ${shown} error { code version } }`);
    return (await service().graphql(text, { input: { ...versions, ...input } }, { as, headers }))
      .body;
  };
  const codes = (body: {
    data: Record<string, { results: { error: { code: string } | null }[] }>;
  }) => Object.values(body.data)[0]?.results.map(({ error }) => error?.code ?? null);
  const nowhere = ({ type }: Bulk) =>
    type === 'CareAssignment' ? globalId(type, '4711-4712') : 4_711_000;
  const count = async ({ table }: Bulk) => {
    const [row] = await service().database.query<{ n: number }>(
      `SELECT count(*)::int AS n FROM ${table}`,
    );
    return row?.n;
  };

  it('is each in the list of this test', async () => {
    const { body } = await service().graphql(
      '{ __schema { mutationType { fields { name type { fields { name } } } } } }',
      {},
      { as: 'administrator' },
    );
    const named = body.data.__schema.mutationType.fields.filter(
      ({ type }: { type: { fields: { name: string }[] } }) =>
        type.fields.some(({ name }) => name === 'results'),
    );
    expect(named.map(({ name }: { name: string }) => name).sort()).toStrictEqual(
      [...BULKS.map(({ name }) => name), 'assignMembers'].sort(),
    );
  });

  describe.each(BULKS.map((bulk) => [bulk.name, bulk] as const))('%s', (_, bulk) => {
    it('takes as many statements for 100 as for one', async () => {
      service().at(service().now()); // what is remembered for a while stays so
      const ids = await bulk.make(service(), 112);
      await send(bulk, { ids: ids.slice(111) });
      const taken: number[] = [];
      for (const some of [ids.slice(0, 1), ids.slice(1, 11), ids.slice(11, 111)]) {
        taken.push(
          await service().statements(async () => {
            const body = await send(bulk, { ids: some });
            expect(codes(body)).toStrictEqual(some.map(() => null));
          }),
        );
      }
      expect(taken).toStrictEqual(taken.map(() => taken[0]));
      expect(taken[0]).toBeLessThan(25);
    });

    it('answers each by itself, in the order of the ids', async () => {
      const [first = 0, second = 0, third = 0] = await bulk.make(service(), 3);
      const body = await send(bulk, { ids: [third, nowhere(bulk), first] });
      expect(codes(body)).toStrictEqual([null, bulk.missing, null]);
      const results = body.data[bulk.name].results;
      if (bulk.table) {
        expect(await count(bulk)).toBe(bulk.table === 'term' ? 2 : 1);
        const id = (key: number | string) =>
          typeof key === 'string' ? key : globalId(bulk.type, key);
        expect(results.map((one: { deletedId: string }) => one.deletedId)).toStrictEqual([
          id(third),
          null,
          id(first),
        ]);
      } else {
        const [verb = ''] = /^[a-z]+/.exec(bulk.name) ?? [];
        const status = AFTER[verb as keyof typeof AFTER];
        const shown = (id: number | string) => ({ databaseId: id, status });
        const [field = ''] = bulk.shown.split(' ');
        expect(results.map((one: Record<string, object>) => one[field])).toStrictEqual([
          shown(third),
          null,
          shown(first),
        ]);
      }
      expect(codes(await send(bulk, { ids: [second] }))).toStrictEqual([null]);
    });

    it('changes nothing with `atomic` and one refusal, and all without one', async () => {
      const [first = 0, second = 0] = await bulk.make(service(), 2);
      const body = await send(bulk, { ids: [first, nowhere(bulk), second], atomic: true });
      expect(codes(body)).toStrictEqual(['ROLLED_BACK', bulk.missing, 'ROLLED_BACK']);
      expect(codes(await send(bulk, { ids: [first, second], atomic: true }))).toStrictEqual([
        null,
        null,
      ]);
    });

    it('answers the same under an Idempotency-Key', async () => {
      const [first = 0, second = 0] = await bulk.make(service(), 2);
      const again = (key: string) =>
        send(bulk, { ids: [first, nowhere(bulk), second] }, { 'idempotency-key': key });
      const body = await again('one');
      expect(codes(body)).toStrictEqual([null, bulk.missing, null]);
      expect(await again('one')).toStrictEqual(body);
      if (!bulk.name.startsWith('publish')) expect(codes(await again('two'))).not.toContain(null);
    });

    it('is refused an id that comes twice, one of another type, and 101 of them', async () => {
      const [first = 0, second = 0] = await bulk.make(service(), 2);
      const problems = async (ids: (number | string)[]) =>
        (await send(bulk, { ids })).errors[0].extensions.problems.map(
          ({ path, code }: { path: unknown[]; code: string }) => [path.join('.'), code],
        );
      expect(await problems([first, second, first])).toStrictEqual([['input.ids.2', 'ID_INVALID']]);
      expect(await problems([first, globalId('Quote', 1)])).toStrictEqual([
        ['input.ids.1', 'ID_INVALID'],
      ]);
      const many = Array.from({ length: 101 }, (_, i) =>
        bulk.type === 'CareAssignment' ? globalId(bulk.type, `1-${i}`) : i + 1,
      );
      expect(await problems(many)).toStrictEqual([['input.ids', 'TOO_MANY']]);
      expect(codes(await send(bulk, { ids: [first, second] }))).toStrictEqual([null, null]);
      expect(codes(await send(bulk, { ids: [] }))).toStrictEqual([]);
    });

    it('is nothing for the anonymous', async () => {
      const ids = await bulk.make(service(), 1);
      expect(errorCode(await send({ ...bulk, as: 'anonymous' }, { ids }))).toBe('UNAUTHENTICATED');
    });
  });

  const bulkOf = (name: string, as: Caller = 'editor') =>
    ({ ...BULKS.find((bulk) => bulk.name === name), as }) as Bulk;

  it('decides about each item as about one', async () => {
    const { id: author } = await service().account('author');
    const own = await service().post({ title: 'x', status: 'publish', author });
    const other = await service().post({ title: 'x', status: 'publish' });
    const sent = await send(bulkOf('trashPosts', 'author'), { ids: [own.id, other.id] });
    expect(codes(sent)).toStrictEqual([null, 'FORBIDDEN_DELETE']);
    const { id: contributor } = await service().account('contributor');
    const draft = await service().post({ title: 'x', status: 'draft', author: contributor });
    expect(
      codes(await send(bulkOf('publishPosts', 'contributor'), { ids: [draft.id, other.id] })),
    ).toStrictEqual(['FORBIDDEN_PUBLISH', 'FORBIDDEN_EDIT']);
  });

  it('refuses other versions one by one, with the present one', async () => {
    const ids = await items('post', 'draft')(service(), 2);
    const { data } = await send(bulkOf('publishPosts'), { ids, versions: [1, 7] });
    const errors = data.publishPosts.results.map(({ error }: { error: object }) => error);
    expect(errors).toStrictEqual([null, { code: 'CONFLICT', version: 1 }]);
    const uneven = await send(bulkOf('publishPosts'), { ids, versions: [1] });
    expect(uneven.errors[0].extensions.problems).toMatchObject([
      { path: ['input', 'versions'], code: 'FIELD_INVALID' },
    ]);
  });

  it('gives many items of one name each its own slug', async () => {
    const ids: number[] = [];
    for (let i = 0; i < 4; i++)
      ids.push((await service().post({ title: 'Same', status: 'draft' })).id);
    const query = mutation('publishPosts', 'results { post { slug } }');
    const { publishPosts } = await service().data(query, { input: { ids } }, 'editor');
    const slugs = publishPosts.results.map(({ post }: { post: { slug: string } }) => post.slug);
    expect(slugs).toStrictEqual(['same', 'same-2', 'same-3', 'same-4']);
  });

  it('moves what is below deleted pages and terms to what stays above', async () => {
    const page = async (title: string, parent: number) =>
      (
        await service().rest('POST', '/v1/pages', {
          as: 'editor',
          body: { title, parent, status: 'publish' },
        })
      ).body.id;
    const top = await page('Top', 0);
    const middle = await page('Middle', top);
    const lower = await page('Lower', middle);
    const leaf = await page('Leaf', lower);
    await send(bulkOf('deletePages'), { ids: [lower, middle] });
    expect((await service().rest('GET', `/v1/pages/${leaf}`, {})).body.parent).toBe(top);
    const above = await service().term('CATEGORY', 'Above');
    const between = await service().term('CATEGORY', 'Between', above);
    const below = await service().term('CATEGORY', 'Below', between);
    await send(bulkOf('deleteTerms'), { ids: [between] });
    const { term } = await service().data(
      'query($id: ID!) { term(id: $id) { parent { databaseId } } }',
      { id: below },
    );
    expect(term.parent.databaseId).toBe(above);
  });

  it('keeps the default category, and tells each end of an assignment and of a submission', async () => {
    expect(codes(await send(bulkOf('deleteTerms'), { ids: [1] }))).toStrictEqual(['TERM_IN_USE']);
    for (const [name, action] of [
      ['deleteFormSubmissions', 'form.delete'],
      ['unassignClinicians', 'care.unassign'],
    ] as const) {
      const bulk = bulkOf(name, 'administrator');
      await send(bulk, { ids: await bulk.make(service(), 3) });
      const audited = await service().database.prisma.auditEvent.count({ where: { action } });
      expect(audited).toBe(3);
    }
  });

  it('shows nothing on a replay that the viewer may not read any more', async () => {
    const { id } = await service().post({ title: 'x', status: 'publish' });
    const once = () => send(bulkOf('trashPosts'), { ids: [id] }, { 'idempotency-key': 'one' });
    expect((await once()).data.trashPosts.results[0].post.status).toBe('TRASH');
    const { id: editor } = await service().account('editor');
    await service().database.prisma.account.update({
      where: { id: editor },
      data: { roles: ['subscriber'] },
    });
    service().at(service().now() + 120_000);
    expect((await once()).data.trashPosts.results[0].post).toBeNull();
  });
});

describe('assignMembers', () => {
  const service = useService();
  const members = (count: number) =>
    rowsBy(`INSERT INTO account (username, username_key, email, email_key, name, slug, roles)
      SELECT 'm' || i, 'm' || i, 'm' || i || '@example.com', 'm' || i || '@example.com', 'M', 'm' || i, '{subscriber}'
      FROM generate_series(1, $1::int) i RETURNING id`)(service(), count);
  const assign = async (ids: readonly number[], clinicianId: number, more: object = {}) => {
    const text = mutation('assignMembers', 'results { account { databaseId } error { code } }');
    const by = { headers: await service().session('administrator') };
    return (await service().graphql(text, { input: { ids, clinicianId, ...more } }, by)).body;
  };
  const outcomes = (body: {
    data: {
      assignMembers: {
        results: { account: { databaseId: number } | null; error: { code: string } | null }[];
      };
    };
  }) =>
    body.data.assignMembers.results.map(
      ({ account, error }) => error?.code ?? account?.databaseId ?? null,
    );
  const clinician = async () => (await service().account('clinician')).id;
  const mails = (template: string) =>
    service().database.prisma.outgoingMail.count({ where: { template } });

  it('assigns each once, tells it by mail once, and audits it', async () => {
    const ids = await members(4);
    const to = await clinician();
    expect(outcomes(await assign(ids.slice(0, 2), to))).toStrictEqual(ids.slice(0, 2));
    const sent = [...ids.slice(1), 4_711_000];
    expect(outcomes(await assign(sent, to))).toStrictEqual([...ids.slice(1), 'MEMBER_NOT_FOUND']);
    const { prisma } = service().database;
    expect(await prisma.careAssignment.count({ where: { clinicianId: to } })).toBe(4);
    expect(await mails('care_assigned')).toBe(4);
    expect(await prisma.auditEvent.count({ where: { action: 'care.assign' } })).toBe(4);
  });

  it('refuses each for who is no clinician, and all with `atomic` and one refusal', async () => {
    const ids = await members(2);
    const editor = (await service().account('editor')).id;
    expect(outcomes(await assign(ids, editor))).toStrictEqual([
      'CLINICIAN_INVALID',
      'CLINICIAN_INVALID',
    ]);
    const to = await clinician();
    expect(outcomes(await assign([...ids, to], to, { atomic: true }))).toStrictEqual([
      'ROLLED_BACK',
      'ROLLED_BACK',
      'CLINICIAN_INVALID',
    ]);
    expect(await service().database.prisma.careAssignment.count()).toBe(0);
  });

  it('takes as many statements for 100 as for 40, and alarms at each limit that it passes', async () => {
    service().at(service().now());
    const ids = await members(142);
    const to = await clinician();
    const administrators = await service().database.prisma.account.count({
      where: { roles: { has: 'administrator' } },
    });
    await assign(ids.slice(0, 1), to);
    expect(await mails('care_assignment_alarm')).toBe(0);
    await assign(ids.slice(1, 42), to);
    expect(await mails('care_assignment_alarm')).toBe(administrators || 1);
    const taken: number[] = [];
    for (const some of [ids.slice(42, 82), ids.slice(82, 142)])
      taken.push(await service().statements(() => assign(some, to)));
    expect(taken[1]).toBe(taken[0]);
  });

  it('is for administrators with a session alone', async () => {
    const ids = await members(1);
    const clinicianId = await clinician();
    for (const as of ['administrator', 'clinician', 'editor'] as const) {
      const sent = await service().ask(
        mutation('assignMembers', '__typename'),
        { input: { ids, clinicianId } },
        as,
      );
      expect(errorCode(sent), `${as} by an application password`).toBe('FORBIDDEN');
    }
  });
});
