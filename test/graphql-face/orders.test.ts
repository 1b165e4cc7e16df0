// Every list that can be ordered, by everything that it can be ordered by, in both directions; and
// the lists that can be filtered.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  buildSchema,
  type GraphQLField,
  getNamedType,
  isEnumType,
  isInputObjectType,
} from 'graphql';
import { projectRoot } from '../../src/platform/root.js';
import { makeAppointment, makeMedicine } from '../support/factories.js';
import { errorCode, mutation, type RoleName, useService } from '../support/harness.js';

const schema = buildSchema(readFileSync(join(projectRoot, 'schema/schema.graphql'), 'utf8'));
const ROOTS = Object.values(schema.getQueryType()?.getFields() ?? {}).filter(({ type }) =>
  getNamedType(type).name.endsWith('Connection'),
);
/** Lists of content, of which rest/posts and graphql-face/content try the orders. */
const OF_CONTENT = ['posts', 'pages', 'healthcareItems', 'search'];

const inputOf = ({ args }: GraphQLField<unknown, unknown>) => {
  const type = args.find(({ name }) => name === 'orderBy')?.type;
  const input = type && getNamedType(type);
  return isInputObjectType(input) ? input : undefined;
};
const choicesOf = (root: GraphQLField<unknown, unknown>) => {
  const field = inputOf(root)?.getFields().field;
  const type = field && getNamedType(field.type);
  return isEnumType(type) ? type.getValues().map(({ name }) => name) : [];
};

const NOW = Date.parse('2026-03-10T12:00:00Z');
/** Two of four are at the same moment, and the moments do not go with the numbers. */
const at = (i: number) => new Date(NOW - ([3, 1, 3, 2][i] as number) * 3_600_000);
/** Two of four differ in case and accents alone. */
const NAMES = ['beta', 'Álpha', 'alpha', 'Gamma'];

/** How a list is read: as whom, with which arguments, and the field of a node for each choice. */
interface Listed {
  readonly as: RoleName;
  readonly args?: string;
  readonly fields?: Readonly<Record<string, string>>;
}
const LISTS: Readonly<Record<string, Listed>> = {
  accounts: { as: 'administrator' },
  appointmentReminders: { as: 'subscriber', fields: { NAME: 'title', START: '' } },
  auditEvents: {
    as: 'administrator',
    args: `filter: { to: "${new Date(NOW + 1).toISOString()}" }`,
  },
  authors: { as: 'editor' },
  caredForMembers: { as: 'clinician', fields: { MEMBER: 'member { databaseId }' } },
  careAssignments: {
    as: 'administrator',
    fields: { MEMBER: 'member { databaseId }', CLINICIAN: 'clinician { databaseId }' },
  },
  contentChanges: { as: 'editor' },
  formSubmissions: { as: 'administrator' },
  healthcareServices: {
    as: 'subscriber',
    args: 'near: { latitude: 0, longitude: 0 }',
    fields: { DISTANCE: 'distanceMeters' },
  },
  mediaItems: { as: 'editor' },
  medicineReminders: { as: 'subscriber', fields: { START: '' } },
  models: { as: 'administrator', fields: { CREATED_AT: '' } },
  notifications: { as: 'subscriber' },
  openBreakGlasses: { as: 'administrator' },
  policies: { as: 'administrator' },
  polls: { as: 'administrator' },
  possibleAuthors: { as: 'editor' },
  quotes: { as: 'editor', fields: { LANGUAGE: 'languageCode' } },
  reportEmbeds: { as: 'administrator' },
  savedReports: { as: 'administrator', fields: { ID: '' } },
  terms: { as: 'editor', args: 'taxonomy: TAG' },
  videos: { as: 'editor' },
};
/** Lists that have an argument of their own for what a filter would ask. */
const WITHOUT_FILTER = ['possibleAuthors', 'search'];
/** Of the filters that are declared with the list: what is asked, and how many rows fulfil it. */
const FILTERED: readonly (readonly [list: string, filter: string, rows: number])[] = [
  ['appointmentReminders', 'search: "GAM"', 1],
  ['authors', 'search: "alpha"', 2],
  ['caredForMembers', 'search: "member1"', 1],
  ['contentChanges', 'what: [DELETED]', 0],
  ['medicineReminders', 'search: "alph"', 2],
  ['medicineReminders', 'isRecognized: true', 4],
  ['medicineReminders', 'isRecognized: false', 0],
  ['notifications', 'kinds: [MESSAGE, TEST]', 4],
  ['notifications', 'kinds: [TEST]', 0],
  ['notifications', `since: "${new Date(NOW - 5_400_000).toISOString()}"`, 1],
  ['openBreakGlasses', 'memberId: MEMBER', 1],
  ['openBreakGlasses', 'clinicianId: MEMBER', 0],
  ['policies', 'languageId: 1', 4],
  ['policies', 'isInForce: false', 0],
  ['quotes', 'search: "X", languageCode: "de"', 2],
  ['reportEmbeds', 'isExpired: false', 4],
  ['reportEmbeds', 'isExpired: true', 0],
  ['savedReports', 'search: "_lpha"', 0],
  ['savedReports', 'search: "lpha", isOwn: true, isShared: true', 2],
  ['savedReports', 'isOwn: false', 0],
  ['videos', 'search: "alpha"', 2],
];
const camel = (name: string) =>
  name.toLowerCase().replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

describe('Lists of the graph', () => {
  const service = useService();

  /** Makes four rows of each list. */
  async function fill() {
    const { prisma } = service().database;
    service().at(NOW);
    const members: number[] = [];
    const rows = <T>(row: (i: number) => T) => NAMES.map((_, i) => row(i));
    for (const i of NAMES.keys()) {
      members.push((await service().account('subscriber', `member${i}`)).id);
      const { id } = await service().account('author', `writer${3 - i}`);
      await prisma.account.update({ where: { id }, data: { name: NAMES[i] as string } });
    }
    const { id: clinicianId } = await service().account('clinician');
    const { id: administratorId } = await service().account('administrator');
    const { id: memberId } = await service().account('subscriber');
    for (const i of NAMES.keys()) {
      const as = { as: 'author' as const };
      await prisma.account.update({
        where: { id: members[i] as number },
        data: { createdAt: at(i) },
      });
      await service().term('TAG', NAMES[i] as string);
      await makeMedicine(service(), {
        name: NAMES[i],
        startDate: at(i).toISOString().slice(0, 10),
      });
      await makeAppointment(service(), { title: NAMES[i], dateTime: '2026-03-11T10:00:00' });
      await service().data(
        mutation('createHealthcareService', '__typename'),
        { input: { name: NAMES[i], place: { latitude: 0, longitude: [3, 1, 3, 2][i] } } },
        'editor',
      );
      await service().rest('POST', '/v1/ncsm', {
        edition: 'B',
        body: {
          name: 'x',
          email: 'x@example.org',
          phone: '1',
          platform: 'iOS',
          form: '1',
          score: String(i),
        },
        ...as,
      });
    }
    for (const { id } of await prisma.account.findMany({ where: { roles: { has: 'author' } } }))
      await service().post({ author: id });
    const language = await prisma.language.findFirstOrThrow();
    const data = rows((i) => ({ createdAt: at(i) }));
    await prisma.video.createMany({
      data: rows((i) => ({
        title: NAMES[i] as string,
        url: 'https://cdn.example/v.mp4',
        durationSeconds: 5,
        languageCode: 'en',
        publishedAt: at(i),
      })),
    });
    await prisma.quote.createMany({
      data: data.map((row, i) => ({ ...row, text: 'x', languageCode: i % 2 ? 'de' : 'en' })),
    });
    await prisma.policy.createMany({
      data: data.map((row, i) => ({
        ...row,
        languageId: language.id,
        number: i + 1,
        title: 'x',
        text: 'x',
        effectiveAt: at(i),
      })),
    });
    await prisma.poll.createMany({
      data: data.map((row, i) => ({ ...row, question: 'x', opensAt: at(i) })),
    });
    await prisma.media.createMany({
      data: data.map((row, i) => ({
        ...row,
        id: 1_000 + i,
        authorId: administratorId,
        modifiedAt: row.createdAt,
        slug: `m${[2, 1, 3, 0][i]}`,
        title: 'x',
        sourceUrl: 'https://cdn.example/x.jpg',
        mimeType: 'image/jpeg',
      })),
    });
    for (const place of [2, 1, 3, 0])
      await service().data(
        mutation('createModel', '__typename'),
        { input: { name: `model${place}`, label: 'x', type: 'POST_TYPE' } },
        'administrator',
      );
    await prisma.breakGlass.createMany({
      data: data.map((row, i) => ({
        ...row,
        memberId: members[i] as number,
        clinicianId,
        reason: 'x',
        endsAt: new Date(NOW + 3_600_000 - at(i).getTime() / 1e6),
      })),
    });
    for (const i of NAMES.keys()) {
      service().at(at(i).getTime());
      await service().data(
        mutation('assignClinician', '__typename'),
        { input: { memberId: members[3 - i], clinicianId } },
        { headers: await service().session('administrator') },
      );
    }
    await prisma.savedReport.createMany({
      data: rows((i) => ({
        accountId: administratorId,
        name: NAMES[i] as string,
        query: '{ site { title } }',
        variables: '{}',
        isShared: true,
        modifiedAt: at(i),
      })),
    });
    await prisma.reportEmbed.createMany({
      data: data.map((row, i) => ({
        ...row,
        accountId: administratorId,
        hash: String(i),
        origins: [],
        expiresAt: new Date(at(3 - i).getTime() + 1e9),
      })),
    });
    await prisma.notification.createMany({
      data: rows((i) => ({
        accountId: memberId,
        kind: 'message',
        title: 'x',
        body: 'x',
        state: 'queued',
        sendAt: at(i),
        messageId: `00000000-0000-4000-8000-00000000000${i}`,
        createdBy: memberId,
        createdAt: at(i),
      })),
    });
    service().at(NOW + 2_000);
  }

  it('can each be ordered', () => {
    const unordered = ROOTS.filter((root) => !inputOf(root)).map(({ name }) => name);
    expect(unordered).toStrictEqual([]);
    const ordered = ROOTS.filter((root) => inputOf(root)).map(({ name }) => name);
    expect(ordered.sort()).toStrictEqual([...Object.keys(LISTS), ...OF_CONTENT].sort());
  });

  it('are the same list page by page, from both ends, in every order and its reverse', async () => {
    await fill();
    for (const root of ROOTS.filter(({ name }) => name in LISTS)) {
      const { as, args = '', fields = {} } = LISTS[root.name] as Listed;
      for (const choice of choicesOf(root)) {
        const shown = fields[choice] ?? (choice === 'ID' ? 'databaseId' : camel(choice));
        const page = async (direction: string, window: string) => {
          const order = `orderBy: { field: ${choice}, direction: ${direction} }`;
          const { body } = await service().graphql(
            `{ list: ${root.name}(${args} ${order} ${window}) { edges { cursor node { ${shown} id } } } }`,
            {},
            { as },
          );
          expect(body.errors, `${root.name} by ${choice}`).toBeUndefined();
          return body.data.list.edges as { cursor: string; node: { id: string } }[];
        };
        const one = async (direction: string, size: string, side: string) => {
          const ids: string[] = [];
          for (let cursor = ''; ids.length < 30; ) {
            const [edge] = await page(direction, `${size}: 1 ${cursor}`);
            if (!edge) break;
            ids.push(edge.node.id);
            cursor = `${side}: "${edge.cursor}"`;
          }
          return ids;
        };
        const rising = await page('ASC', 'first: 100');
        const name = `${root.name} by ${choice}`;
        const ids = rising.map(({ node }) => node.id);
        const reversed = [...ids].reverse();
        expect(ids.length, name).toBeGreaterThan(3);
        const falling = (await page('DESC', 'first: 100')).map(({ node }) => node.id);
        expect(falling, name).toStrictEqual(reversed);
        expect(await one('ASC', 'first', 'after'), name).toStrictEqual(ids);
        expect(await one('ASC', 'last', 'before'), name).toStrictEqual(reversed);
        expect(await one('DESC', 'first', 'after'), name).toStrictEqual(reversed);
        if (shown)
          expectRising(
            rising.map(({ node }) => shownOf(node)),
            name,
          );
      }
    }
  });

  it('can each be filtered, but those with a search of their own', () => {
    const without = ROOTS.filter(({ args }) => !args.some(({ name }) => name === 'filter'));
    expect(without.map(({ name }) => name).sort()).toStrictEqual(WITHOUT_FILTER);
  });

  it('list and count what their filter asks', async () => {
    await fill();
    const { id } = await service().account('subscriber', 'member0');
    for (const [list, filter, rows] of FILTERED) {
      const { as } = LISTS[list] as Listed;
      const { body } = await service().graphql(
        `{ list: ${list}(filter: { ${filter.replace('MEMBER', String(id))} }) { nodes { id } totalCount } }`,
        {},
        { as },
      );
      const name = `${list} by ${filter}: ${JSON.stringify(body.errors)}`;
      expect(body.data?.list?.nodes, name).toHaveLength(rows);
      expect(body.data.list.totalCount, name).toBe(rows);
    }
  });

  it('of services are ordered by name without a place, and by no distance', async () => {
    await fill();
    const named = async (args: string) =>
      service().ask(`{ healthcareServices${args} { nodes { name } } }`);
    const names = async (args: string) =>
      (await named(args)).data.healthcareServices.nodes.map(({ name }: { name: string }) => name);
    expect(await names('')).toStrictEqual(['Álpha', 'alpha', 'beta', 'Gamma']);
    expect(await names('(orderBy: { field: NAME, direction: DESC })')).toStrictEqual([
      'Gamma',
      'beta',
      'alpha',
      'Álpha',
    ]);
    const near = 'near: { latitude: 0, longitude: 0 }';
    expect(await names(`(${near})`)).toStrictEqual(['Álpha', 'Gamma', 'beta', 'alpha']);
    const refused = await named('(orderBy: { field: DISTANCE, direction: ASC })');
    expect(errorCode(refused)).toBe('NEAR_INVALID');
  });

  it('of what a search finds are the same page by page in every order', async () => {
    const titles = ['Beta walk', 'Walk', 'alpha walk', 'Gamma walk'];
    for (const [i, title] of titles.entries())
      await service().post({ title, date: at(i).toISOString(), content: i === 3 ? 'walk' : 'x' });
    const page = async (args: string) => {
      const { search } = await service().data(
        `{ search(query: "walk" ${args}) { edges { cursor node { title } } } }`,
      );
      return search.edges as { cursor: string; node: { title: string } }[];
    };
    const whole = async (args: string) => (await page(args)).map(({ node }) => node.title);
    const by = (field: string, direction: string) =>
      `orderBy: { field: ${field}, direction: ${direction} }`;
    expect(await whole(by('TITLE', 'ASC'))).toStrictEqual([
      'alpha walk',
      'Beta walk',
      'Gamma walk',
      'Walk',
    ]);
    expect(await whole('')).toStrictEqual(await whole(by('RELEVANCE', 'DESC')));
    for (const field of ['PUBLISHED_AT', 'MODIFIED_AT', 'TITLE', 'SLUG', 'RELEVANCE'])
      for (const direction of ['ASC', 'DESC']) {
        const order = by(field, direction);
        const one: string[] = [];
        for (let cursor = ''; one.length < 9; ) {
          const [edge] = await page(`${order} first: 1 ${cursor}`);
          if (!edge) break;
          one.push(edge.node.title);
          cursor = `after: "${edge.cursor}"`;
        }
        expect(one, order).toHaveLength(4);
        expect(one, order).toStrictEqual(await whole(order));
      }
    const [edge] = await page(by('TITLE', 'ASC'));
    const other = `{ search(query: "walk" ${by('SLUG', 'ASC')} after: "${edge?.cursor}") { totalCount } }`;
    expect(errorCode(await service().ask(other))).toBe('CURSOR_INVALID');
  });

  it('refuse a cursor of another order', async () => {
    await fill();
    const query = (order: string, rest = '') =>
      `{ videos(first: 1 orderBy: { field: ${order} } ${rest}) { pageInfo { endCursor } } }`;
    const { body } = await service().graphql(query('TITLE, direction: ASC'));
    const after = `after: "${body.data.videos.pageInfo.endCursor}"`;
    for (const other of ['TITLE, direction: DESC', 'PUBLISHED_AT, direction: ASC'])
      expect(errorCode((await service().graphql(query(other, after))).body)).toBe('CURSOR_INVALID');
  });
});

/** Returns what a node is ordered by: the first of its fields. */
function shownOf(node: object): string | number {
  const [value] = Object.values(node);
  return typeof value === 'object' ? shownOf(value) : value;
}

const folded = (value: string | number) =>
  typeof value === 'number'
    ? value
    : value.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();

function expectRising(values: readonly (string | number)[], name: string): void {
  const keys = values.map(folded);
  for (const [i, key] of keys.entries())
    expect(i === 0 || (keys[i - 1] as typeof key) <= key, `${name}: ${keys}`).toBe(true);
}
