import { makeCarer, makeMedicine } from '../support/factories.js';
import { useService } from '../support/harness.js';
import { expoToken } from '../support/provider.js';
import { doseOf, eventOf, homeOf, postsOf, take, takenOf } from './dashboard/apollo-cards.js';
import { apolloClient, codeOf, openScreen, problemsOf } from './dashboard/apollo-client.js';
import { unmask } from './dashboard/generated/apollo/fragment-masking.js';
import {
  AccountScreenDocument,
  AuditRowFragmentDoc,
  CalendarChangesDocument,
  CalendarDocument,
  CaredForMembersDocument,
  CaredForRowFragmentDoc,
  CareHomeDocument,
  DeviceRowFragmentDoc,
  EndSessionDocument,
  EventCardFragmentDoc,
  MemberHomeCardFragmentDoc,
  PageLinksFragmentDoc,
  PostByIdDocument,
  PostsDocument,
  PostTeaserFragmentDoc,
  RemoveDeviceDocument,
  SearchContentDocument,
  SessionRowFragmentDoc,
  SkipDoseDocument,
  SnoozeDoseDocument,
  UndoDoseDocument,
  UpdateProfileDocument,
  ViewerFieldsFragmentDoc,
} from './dashboard/generated/apollo/graphql.js';
import { MINA, makeMina } from './dashboard/mina.js';
import { Outgoing } from './dashboard/outgoing.js';
import { Session } from './dashboard/session.js';

const MORNING = '2026-03-10T08:30:00Z';

describe('A dashboard built on Apollo Client', () => {
  const service = useService();
  const closing: (() => void)[] = [];
  afterEach(() => {
    for (const close of closing.splice(0).reverse()) close();
  });

  /** Makes the member, who signs in. Returns the client and what it sends. */
  const open = async () => {
    await makeMina(service());
    const outgoing = new Outgoing();
    const session = await Session.start(service().url, MINA, outgoing.fetch);
    const { client, close } = apolloClient(session);
    closing.push(close);
    return { client, session, outgoing };
  };

  /** Shows a query until the test ends. */
  const show: typeof openScreen = (client, query, variables) => {
    const opened = openScreen(client, query, variables);
    closing.push(opened.close);
    return opened;
  };

  /** Opens the first screen of the member, who has a dose to take. Returns it and the dose. */
  const openHome = async () => {
    service().at(MORNING);
    const opened = await open();
    await makeMedicine(service(), {}, { headers: opened.session.headers });
    const { shown, screen } = show(opened.client, CareHomeDocument, {});
    const due = doseOf(eventOf(await shown.until((data) => eventOf(data) !== undefined)));
    if (!due) throw new Error('Nothing is due.');
    return { ...opened, shown, screen, due };
  };

  it('renews its tokens once when three queries find them expired together', async () => {
    const { client, outgoing } = await open();
    service().at(Date.now() + 16 * 60_000);
    outgoing.sent.length = 0;
    const answers = await Promise.all([
      client.query({ query: AccountScreenDocument }),
      client.query({ query: CareHomeDocument }),
      client.query({ query: PostsDocument, variables: { first: 1 } }),
    ]);
    expect(answers.map(({ error }) => error)).toStrictEqual([undefined, undefined, undefined]);
    expect(unmask(ViewerFieldsFragmentDoc, answers[0].data?.viewer)?.username).toBe('mina');
    expect([...outgoing.sent].sort()).toStrictEqual(
      [
        ...['AccountScreen', 'AccountScreen', 'CareHome', 'CareHome', 'Posts', 'Posts'],
        'Refresh',
      ].sort(),
    );
  });

  for (const way of ['forward', 'backward'] as const)
    it(`pages ${way} through posts, and shows what it has read as one list`, async () => {
      for (let n = 1; n <= 5; n++)
        await service().post({ title: `Post ${n}`, date: `2026-01-0${n}T00:00:00` });
      const { client } = await open();
      const size = way === 'forward' ? { first: 2 } : { last: 2 };
      const { shown, screen } = show(client, PostsDocument, size);
      let page = postsOf(await shown.until(() => true));
      while (way === 'forward' ? page.links.hasNextPage : page.links.hasPreviousPage) {
        const known = page.titles.length;
        const { startCursor: before, endCursor: after } = page.links;
        await screen.fetchMore({ variables: way === 'forward' ? { after } : { before } });
        page = postsOf(await shown.until((data) => postsOf(data).titles.length > known));
      }
      expect(page.titles).toStrictEqual([5, 4, 3, 2, 1].map((n) => `Post ${n}`));
      expect(page.totalCount).toBe(5);
    });

  it('opens a post by the id that a list has of it, and finds it by its words', async () => {
    await service().post({ title: 'Aspirin with food', content: '<p>Drink water.</p>' });
    const { client } = await open();
    const { data: listed } = await client.query({ query: PostsDocument });
    const [teaser] = (listed?.posts?.edges ?? []).map(({ node }) =>
      unmask(PostTeaserFragmentDoc, node),
    );
    const variables = { id: teaser?.id ?? '' };
    const { data } = await client.query({ query: PostByIdDocument, variables });
    expect(data?.post?.content).toContain('Drink water.');
    const { data: found } = await client.query({
      query: SearchContentDocument,
      variables: { query: 'aspirin' },
    });
    expect(found?.search?.edges.map(({ node }) => node.id)).toStrictEqual([teaser?.id]);
  });

  it('shows a carer the members in their care, page by page', async () => {
    service().at(MORNING);
    const { client } = await open();
    const { data: own } = await client.query({ query: AccountScreenDocument });
    const carerId = unmask(ViewerFieldsFragmentDoc, own?.viewer)?.account.databaseId ?? 0;
    for (const name of ['ada', 'bob', 'cleo']) {
      const { id: memberId } = await service().account('subscriber', name);
      await makeCarer(service(), { memberId, carerId });
    }
    const { shown, screen } = show(client, CaredForMembersDocument, { first: 2 });
    const { caredForMembers } = await shown.until(() => true);
    const { endCursor: after } = unmask(PageLinksFragmentDoc, caredForMembers?.pageInfo) ?? {};
    await screen.fetchMore({ variables: { after } });
    const all = await shown.until((data) => data.caredForMembers?.edges.length === 3);
    const rows = (all.caredForMembers?.edges ?? []).map(({ node }) =>
      unmask(CaredForRowFragmentDoc, node),
    );
    expect(rows.map(({ member }) => member.name).sort()).toStrictEqual([
      'The ada',
      'The bob',
      'The cleo',
    ]);
    for (const { member, home } of rows)
      expect(unmask(MemberHomeCardFragmentDoc, home)?.member.id).toBe(member.id);
  });

  it('shows sessions, devices and audit, and takes away what is ended or removed', async () => {
    const { client } = await open();
    await Session.start(service().url, MINA);
    const { data: own } = await client.query({ query: AccountScreenDocument });
    const ended = (own?.viewer?.sessions?.nodes ?? [])
      .map((node) => unmask(SessionRowFragmentDoc, node))
      .find(({ isCurrent }) => !isCurrent);
    const actions = (own?.viewer?.auditEvents?.edges ?? []).map(
      ({ node }) => unmask(AuditRowFragmentDoc, node).action,
    );
    expect(actions).toContain('session.start');
    await client.mutate({
      mutation: EndSessionDocument,
      variables: { input: { id: ended?.id ?? '' } },
    });
    const { data: left } = await client.query({
      query: AccountScreenDocument,
      fetchPolicy: 'network-only',
    });
    expect(left?.viewer?.sessions?.totalCount).toBe(1);
  });

  it('removes a device by the id that the list has of it', async () => {
    const { client, session } = await open();
    const phone =
      'mutation($input: RegisterDeviceInput!) { registerDevice(input: $input) { __typename } }';
    const input = { token: expoToken('phone') };
    await service().data(phone, { input }, { headers: session.headers });
    const { shown } = show(client, AccountScreenDocument, {});
    const { devices } = await shown.until((data) => data.devices?.length === 1);
    const [device] = unmask(DeviceRowFragmentDoc, devices) ?? [];
    await client.mutate({
      mutation: RemoveDeviceDocument,
      variables: { input: { id: device?.id ?? '' } },
      update: (cache, { data }) => {
        const id = data?.removeDevice?.deletedDeviceId;
        cache.evict({ id: cache.identify({ __typename: 'Device', id }) });
      },
    });
    await shown.until((data) => data.devices?.length === 0);
  });

  it('is told each mistake of a form with the path of its field', async () => {
    const { client } = await open();
    const input = { name: '', language: 'nobody' };
    const refused = client.mutate({ mutation: UpdateProfileDocument, variables: { input } });
    const problems = problemsOf(await refused.catch((error: unknown) => error));
    expect(problems.map(({ path, code }) => `${path.join('.')} ${code}`).sort()).toStrictEqual([
      'input.language ID_INVALID',
      'input.name BAD_USER_INPUT',
    ]);
    for (const { message } of problems) expect(message).toBeTruthy();
  });

  it('shows a dose as taken before the service has answered, and then the week', async () => {
    const { client, outgoing, shown, due } = await openHome();
    outgoing.hold();
    const taking = client.mutate(take(due));
    const early = await shown.until((data) => eventOf(data)?.status === 'TAKEN');
    expect(eventOf(early)).toStrictEqual({ ...due, status: 'TAKEN' });
    expect(takenOf(early)).toBe(0);
    outgoing.release();
    await taking;
    const answered = await shown.until((data) => takenOf(data) === 1);
    expect(eventOf(answered)).toMatchObject({
      id: due.id,
      status: 'TAKEN',
      answeredAt: '2026-03-10T08:30:00.000Z',
    });
  });

  it('shows a dose as it was when it could not be taken, and says by a code why', async () => {
    const { client, outgoing, shown, due } = await openHome();
    service().at('2026-03-08T08:30:00Z');
    outgoing.hold();
    const taking = client.mutate(take(due)).catch(codeOf);
    await shown.until((data) => eventOf(data)?.status === 'TAKEN');
    outgoing.release();
    expect(await taking).toBe('TOO_EARLY');
    const back = await shown.until((data) => eventOf(data)?.status !== 'TAKEN');
    expect(eventOf(back)).toStrictEqual(due);
  });

  it('answers a dose on the calendar, and takes the answer back', async () => {
    const { client, due } = await openHome();
    const variables = { from: '2026-03-10', to: '2026-03-10' };
    const { shown } = show(client, CalendarDocument, variables);
    const card = (data: Awaited<ReturnType<typeof shown.until>>) =>
      unmask(EventCardFragmentDoc, data.calendar?.days[0]?.events[0]);
    const input = { occurrenceId: due.id };
    await client.mutate({
      mutation: SnoozeDoseDocument,
      variables: { input: { ...input, minutes: 20 } },
    });
    const put = card(await shown.until((data) => doseOf(card(data))?.snoozedUntil !== null));
    expect(doseOf(put)?.snoozedUntil).toBe('2026-03-10T08:50:00.000Z');
    await client.mutate({ mutation: SkipDoseDocument, variables: { input } });
    await shown.until((data) => card(data)?.status === 'SKIPPED');
    await client.mutate({ mutation: UndoDoseDocument, variables: { input } });
    await shown.until((data) => card(data)?.status === 'DUE');
  });

  it('hears that a dose was taken on the phone', async () => {
    const { client, shown, screen, due } = await openHome();
    const since = homeOf(await shown.until(() => true))?.version;
    const watching = client
      .subscribe({ query: CalendarChangesDocument, variables: { since } })
      .subscribe(() => void screen.refetch());
    closing.push(() => watching.unsubscribe());
    const phone = await Session.start(service().url, MINA);
    const input = { occurrenceId: due.id };
    const query = 'mutation($input: TakeDoseInput!) { takeDose(input: $input) { __typename } }';
    await service().data(query, { input }, { headers: phone.headers });
    const taken = await shown.until((data) => eventOf(data)?.status === 'TAKEN');
    expect(doseOf(eventOf(taken))?.answeredAt).toBe('2026-03-10T08:30:00.000Z');
  });
});
