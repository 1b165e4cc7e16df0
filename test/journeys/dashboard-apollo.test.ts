import { makeMedicine } from '../support/factories.js';
import { useService } from '../support/harness.js';
import { apolloClient, codeOf, problemsOf } from './dashboard/apollo-client.js';
import { makeFragmentData, unmask } from './dashboard/generated/served/fragment-masking.js';
import {
  AccountsDocument,
  type AccountsQuery,
  AuditDocument,
  ChangesDocument,
  type EventFragment,
  EventFragmentDoc,
  MeDocument,
  TakeDocument,
  TitlesDocument,
  type TitlesQuery,
  TodayDocument,
  type TodayQuery,
} from './dashboard/generated/served/graphql.js';
import { MINA, makeMina } from './dashboard/mina.js';
import { Outgoing } from './dashboard/outgoing.js';
import { Session } from './dashboard/session.js';
import { Shown } from './dashboard/shown.js';

describe('A dashboard built on Apollo Client', () => {
  const service = useService();
  const closing: (() => void)[] = [];
  afterEach(() => {
    for (const close of closing.splice(0)) close();
  });

  /** Makes the member, who signs in. Returns the client and what it sends. */
  const open = async (role?: string) => {
    await makeMina(service(), role);
    const outgoing = new Outgoing();
    const session = await Session.start(service().url, MINA, outgoing.fetch);
    const { client, close } = apolloClient(session);
    closing.push(close);
    return { client, session, sent: outgoing.sent, outgoing };
  };
  type Client = Awaited<ReturnType<typeof open>>['client'];

  /** What the screen of today shows of its events. */
  const watchToday = (client: Client) => {
    const shown = new Shown<readonly EventFragment[]>();
    const screen = client.watchQuery({ query: TodayDocument });
    const watching = screen.subscribe(({ data }) => {
      if (data) shown.next(eventsOf(data as TodayQuery));
    });
    closing.push(() => watching.unsubscribe());
    return { shown, screen };
  };

  it('signs in and sees who it is', async () => {
    const { client } = await open();
    const { data } = await client.query({ query: MeDocument });
    expect(data?.viewer?.username).toBe('mina');
  });

  it('renews its tokens once when three queries find them expired together', async () => {
    const { client, sent } = await open();
    service().at(Date.now() + 16 * 60_000);
    sent.length = 0;
    const answers = await Promise.all([
      client.query({ query: MeDocument }),
      client.query({ query: TodayDocument }),
      client.query({ query: TitlesDocument, variables: { first: 1 } }),
    ]);
    expect(answers.map(({ error }) => error)).toStrictEqual([undefined, undefined, undefined]);
    expect(answers[0].data?.viewer?.username).toBe('mina');
    expect([...sent].sort()).toStrictEqual(
      ['Me', 'Me', 'Refresh', 'Titles', 'Titles', 'Today', 'Today'].sort(),
    );
  });

  it('pages through posts, and shows every page that it has read as one list', async () => {
    for (let n = 1; n <= 5; n++)
      await service().post({ title: `Post ${n}`, date: `2026-01-0${n}T00:00:00` });
    const { client } = await open();
    const screen = client.watchQuery({ query: TitlesDocument, variables: { first: 2 } });
    const shown = new Shown<TitlesQuery['posts']>();
    const watching = screen.subscribe(({ data }) => {
      if (data?.posts) shown.next(data.posts as TitlesQuery['posts']);
    });
    closing.push(() => watching.unsubscribe());
    for (let pages = 1; pages <= 3; pages++) {
      const { pageInfo } = await shown.until(({ edges }) => edges.length >= 2 * pages - 1);
      if (pageInfo.hasNextPage)
        await screen.fetchMore({ variables: { after: pageInfo.endCursor } });
    }
    const { edges, totalCount } = await shown.until(({ pageInfo }) => !pageInfo.hasNextPage);
    expect(edges.map(({ node }) => node.title.rendered)).toStrictEqual(
      [5, 4, 3, 2, 1].map((n) => `Post ${n}`),
    );
    expect(totalCount).toBe(5);
  });

  for (const way of ['forward', 'backward'] as const)
    it(`pages ${way} through accounts, and shows each once`, async () => {
      for (const name of ['ada', 'bob', 'cleo']) await service().account('editor', name);
      const { client } = await open('ADMINISTRATOR');
      const size = way === 'forward' ? { first: 2 } : { last: 2 };
      const screen = client.watchQuery({ query: AccountsDocument, variables: size });
      const shown = new Shown<NonNullable<AccountsQuery['accounts']>>();
      const watching = screen.subscribe(({ data }) => {
        if (data?.accounts) shown.next(data.accounts as NonNullable<AccountsQuery['accounts']>);
      });
      closing.push(() => watching.unsubscribe());
      const more = ({ pageInfo }: NonNullable<AccountsQuery['accounts']>) =>
        way === 'forward' ? pageInfo.hasNextPage : pageInfo.hasPreviousPage;
      for (let page = await shown.until(() => true); more(page); ) {
        const { startCursor: before, endCursor: after } = page.pageInfo;
        await screen.fetchMore({ variables: way === 'forward' ? { after } : { before } });
        const known = page.edges.length;
        page = await shown.until(({ edges }) => edges.length > known);
      }
      const names = shown.states.at(-1)?.edges.map(({ node }) => node.name);
      expect(names).toStrictEqual(['The ada', 'The bob', 'The cleo', 'The administrator', 'mina']);
    });

  it('is told each mistake of a form with the path of its field', async () => {
    const { client } = await open('ADMINISTRATOR');
    const filter = { action: '', actorId: 'nobody' };
    const refused = client.query({ query: AuditDocument, variables: { filter } });
    const problems = problemsOf(await refused.catch((error: unknown) => error));
    expect(problems.map(({ path, code }) => [path.join('.'), code])).toStrictEqual([
      ['filter.actorId', 'ID_INVALID'],
      ['filter.action', 'BAD_USER_INPUT'],
    ]);
    for (const { message } of problems) expect(message).toBeTruthy();
  });

  it('shows a dose as taken before the service has answered', async () => {
    service().at('2026-03-10T08:30:00Z');
    const { client, session, outgoing } = await open();
    await makeMedicine(service(), {}, { headers: session.headers });
    const { shown } = watchToday(client);
    const [due] = await shown.until((events) => events.length > 0);
    if (!due) throw new Error('Nothing is due.');
    outgoing.hold();
    const taking = client.mutate(take(due));
    expect(await shown.until(([event]) => event?.status === 'TAKEN')).toStrictEqual([
      { ...due, status: 'TAKEN', answeredAt: null },
    ]);
    outgoing.release();
    await taking;
    const answered = await shown.until(([event]) => !!event?.answeredAt);
    expect(answered).toStrictEqual([
      { ...due, status: 'TAKEN', answeredAt: '2026-03-10T08:30:00.000Z' },
    ]);
  });

  it('shows a dose as it was when it could not be taken, and says by a code why', async () => {
    service().at('2026-03-10T08:30:00Z');
    const { client, session, outgoing } = await open();
    await makeMedicine(service(), {}, { headers: session.headers });
    const { shown } = watchToday(client);
    const [due] = await shown.until((events) => events.length > 0);
    if (!due) throw new Error('Nothing is due.');
    service().at('2026-03-08T08:30:00Z');
    outgoing.hold();
    const taking = client.mutate(take(due)).catch(codeOf);
    await shown.until(([event]) => event?.status === 'TAKEN');
    outgoing.release();
    expect(await taking).toBe('TOO_EARLY');
    expect(await shown.until(([event]) => event?.status !== 'TAKEN')).toStrictEqual([due]);
  });

  it('hears that a dose was taken on the phone', async () => {
    service().at('2026-03-10T08:30:00Z');
    const { client, session } = await open();
    await makeMedicine(service(), {}, { headers: session.headers });
    const { shown, screen } = watchToday(client);
    const [due] = await shown.until((events) => events.length > 0);
    if (!due) throw new Error('Nothing is due.');
    const { data } = await client.query({ query: TodayDocument });
    const since = data?.memberHome?.version;
    const watching = client
      .subscribe({ query: ChangesDocument, variables: { since } })
      .subscribe(() => void screen.refetch());
    closing.push(() => watching.unsubscribe());
    const phone = await Session.start(service().url, MINA);
    const input = { occurrenceId: due.id };
    const query = 'mutation($input: TakeDoseInput!) { takeDose(input: $input) { __typename } }';
    await service().data(query, { input }, { headers: phone.headers });
    const [taken] = await shown.until(([event]) => event?.status === 'TAKEN');
    expect(taken?.answeredAt).toBe('2026-03-10T08:30:00.000Z');
  });
});

/** The doses of today. */
const eventsOf = ({ memberHome }: TodayQuery) => {
  const doses = (memberHome?.today ?? []).flatMap((event) =>
    event.__typename === 'DoseEvent' ? [event] : [],
  );
  return unmask(EventFragmentDoc, doses);
};

/** Takes a dose; the screen shows it at once. */
const take = (due: EventFragment) => ({
  mutation: TakeDocument,
  variables: { input: { occurrenceId: due.id } },
  optimisticResponse: {
    takeDose: {
      __typename: 'TakeDosePayload',
      event: {
        __typename: 'DoseEvent',
        ...makeFragmentData({ ...due, status: 'TAKEN' }, EventFragmentDoc),
      },
    },
  },
});
