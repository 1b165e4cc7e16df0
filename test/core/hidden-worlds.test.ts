// Worlds that differ only in what a caller may not see: the reports that somebody saved for themselves, and
// the feeds of a member who is nothing to them. Every answer is the same.
import { globalId } from '../../src/core/node.js';
import { feedName } from '../../src/domains/live/feed.service.js';
import { FeedKind } from '../../src/domains/live/feed.types.js';
import { mutation, type RoleName, useService } from '../support/harness.js';

/** Strangers of all that access tells apart. */
const STRANGERS: readonly RoleName[] = [
  ...(['subscriber', 'contributor', 'editor', 'clinician', 'analyst'] as const),
];
const NOW = '2026-03-10T12:00:00Z';

describe('What a caller may not see', () => {
  const service = useService();

  /** Makes a world: how much there is of what is hidden, and what it says. Returns the member's number. */
  async function make(word: string, count: number): Promise<number> {
    await service().clean();
    service().at(NOW);
    const { id: memberId } = await service().account('guest', 'member');
    await service().accounts(STRANGERS.map((role) => [role, role]));
    const { id: accountId } = await service().account('administrator');
    const { prisma } = service().database;
    const createdAt = new Date(NOW);
    const hidden = Array.from({ length: count }, (_, i) => i);
    for (const i of hidden) {
      const texts = { name: `${word} ${i}`, query: `{ viewer { id } } # ${word}`, variables: '{}' };
      const { id } = await prisma.savedReport.create({
        data: { ...texts, accountId, isShared: false, modifiedAt: createdAt },
      });
      await prisma.reportEmbed.create({
        data: {
          ...{ accountId, reportId: id, hash: `${word}${i}`, origins: [] },
          ...{ createdAt, expiresAt: new Date('2027-01-01') },
        },
      });
    }
    await prisma.feed.deleteMany();
    await prisma.feed.createMany({
      data: Object.values(FeedKind).map((kind) => ({
        ...{ name: feedName(kind, memberId), version: count * 7 },
      })),
    });
    // What strangers make has the same ids in each world.
    for (const table of ['saved_report', 'report_embed'])
      await service().database.query(`SELECT setval('${table}_id_seq', 1000)`);
    return memberId;
  }

  /** What a caller is answered, by what was asked. */
  async function answers(role: RoleName, memberId: number): Promise<Map<string, string>> {
    const told = new Map<string, string>();
    const headers = await service().session(role);
    const ask = async (query: string, variables: object = {}) => {
      const { status, text } = await service().graphql(query, variables, { headers });
      told.set(`${query} ${JSON.stringify(variables)}`, `${status} ${text}`);
    };
    const page =
      'totalCount nodes { id name version } edges { cursor } pageInfo { hasNextPage hasPreviousPage endCursor }';
    for (const args of ['', '(first: 1)', '(last: 1)', '(first: 0)'])
      await ask(`{ savedReports${args} { ${page} } }`);
    for (const type of ['SavedReport', 'ReportEmbed', 'MemberHome', 'Account'])
      for (const number of [1, 2, 3, memberId])
        await ask('query($id: ID!) { node(id: $id) { __typename id } }', {
          id: globalId(type, number),
        });
    const report = { name: 'new', query: '{ viewer { id } }' };
    for (const id of ['1', '3']) {
      await ask(`{ savedReport(id: "${id}") { id name } reportEmbeds { nodes { id } } }`);
      await ask(mutation('updateSavedReport', 'savedReport { id }'), {
        input: { id, version: 0, ...report },
      });
      await ask(mutation('deleteSavedReport', 'savedReport { id }'), { input: { id } });
      await ask(mutation('createReportEmbed', 'url'), {
        input: { reportId: id, origins: ['https://a.example'] },
      });
      await ask(mutation('revokeReportEmbed', '__typename'), { input: { id } });
    }
    await ask(mutation('createSavedReport', 'savedReport { id name version }'), { input: report });
    await ask(`{ savedReports { ${page} } }`);
    for (const subject of [
      { feed: 'CALENDAR', memberId },
      { feed: 'NOTIFICATIONS', memberId },
      { feed: 'CALENDAR', memberId, since: 7 },
      { feed: 'CALENDAR', memberId, since: 21 },
    ]) {
      const query =
        'subscription($s: [FeedSubjectInput!]!) { changes(subjects: $s) { feed memberId version ended } }';
      const { status, text } = await service().fetch('/graphql', {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'text/event-stream', ...headers },
        body: JSON.stringify({ query, variables: { s: [subject] } }),
      });
      told.set(`changes ${JSON.stringify(subject)}`, `${status} ${text}`);
    }
    return told;
  }

  it.each(STRANGERS)('changes no answer about saved reports and feeds: %s', async (role) => {
    const plain = (text = '') =>
      text.replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'ID');
    const here = await answers(role, await make('alpha', 1));
    const there = await answers(role, await make('omega', 3));
    const changed = [...here].filter(([asked, text]) => plain(there.get(asked)) !== plain(text));
    expect(changed.map(([asked, text]) => [asked, text, there.get(asked)])).toStrictEqual([]);
    expect([...here.values()].join()).not.toMatch(/alpha|INTERNAL_ERROR/);
    expect(here.size).toBeGreaterThan(30);
  });
});
