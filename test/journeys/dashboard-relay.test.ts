import {
  commitMutation,
  createOperationDescriptor,
  fetchQuery,
  getRequest,
  requestSubscription,
} from 'relay-runtime';
import { makeMedicine } from '../support/factories.js';
import { useService } from '../support/harness.js';
import audit, {
  type accountScreen_audit$key,
} from './dashboard/generated/relay/accountScreen_audit.graphql.js';
import moreAudit, {
  type accountScreenAuditPaginationQuery,
} from './dashboard/generated/relay/accountScreenAuditPaginationQuery.graphql.js';
import account, {
  type accountScreenQuery,
} from './dashboard/generated/relay/accountScreenQuery.graphql.js';
import saveProfile, {
  type accountScreenUpdateProfileMutation,
} from './dashboard/generated/relay/accountScreenUpdateProfileMutation.graphql.js';
import changes, {
  type calendarScreenChangesSubscription,
} from './dashboard/generated/relay/calendarScreenChangesSubscription.graphql.js';
import take, {
  type calendarScreenTakeMutation,
} from './dashboard/generated/relay/calendarScreenTakeMutation.graphql.js';
import card, {
  type careHomeScreen_card$key,
} from './dashboard/generated/relay/careHomeScreen_card.graphql.js';
import event, {
  type careHomeScreen_event$key,
} from './dashboard/generated/relay/careHomeScreen_event.graphql.js';
import again, {
  type careHomeScreenEventQuery,
} from './dashboard/generated/relay/careHomeScreenEventQuery.graphql.js';
import home, {
  type careHomeScreenQuery,
} from './dashboard/generated/relay/careHomeScreenQuery.graphql.js';
import posts, {
  type contentScreen_posts$key,
} from './dashboard/generated/relay/contentScreen_posts.graphql.js';
import teaser, {
  type contentScreen_teaser$key,
} from './dashboard/generated/relay/contentScreen_teaser.graphql.js';
import list, {
  type contentScreenListQuery,
} from './dashboard/generated/relay/contentScreenListQuery.graphql.js';
import more, {
  type contentScreenPostsPaginationQuery,
} from './dashboard/generated/relay/contentScreenPostsPaginationQuery.graphql.js';
import { MINA, makeMina } from './dashboard/mina.js';
import { Outgoing } from './dashboard/outgoing.js';
import { codeOf, relayEnvironment, watchFragment } from './dashboard/relay-environment.js';
import { Session } from './dashboard/session.js';

const MORNING = '2026-03-10T08:30:00Z';

describe('A dashboard built on Relay', () => {
  const service = useService();
  const closing: (() => void)[] = [];
  afterEach(() => {
    for (const close of closing.splice(0).reverse()) close();
  });

  /** Makes the member, who signs in. Returns the environment and what it sends. */
  const open = async () => {
    await makeMina(service());
    const outgoing = new Outgoing();
    const session = await Session.start(service().url, MINA, outgoing.fetch);
    const { environment, close } = relayEnvironment(session);
    closing.push(close);
    const load = () => fetchQuery<careHomeScreenQuery>(environment, home, {}).toPromise();
    return { environment, session, outgoing, load };
  };
  type Opened = Awaited<ReturnType<typeof open>>;

  /** Keeps what an operation has read in the store until the test ends. */
  const keep = ({ environment }: Opened, request: typeof home, variables: object) => {
    const kept = environment.retain(createOperationDescriptor(getRequest(request), variables));
    closing.push(() => kept.dispose());
  };

  /** What a fragment shows until the test ends. */
  const watch: typeof watchFragment = (environment, fragment, key) => {
    const watched = watchFragment(environment, fragment, key);
    closing.push(watched.close);
    return watched;
  };

  /** Opens the first screen of the member, who has a dose to take. Returns its first event. */
  const openHome = async () => {
    service().at(MORNING);
    const opened = await open();
    await makeMedicine(service(), {}, { headers: opened.session.headers });
    keep(opened, home, {});
    const { memberHome } = (await opened.load()) ?? {};
    const { environment } = opened;
    const [shownCard] = watch(environment, card, memberHome as careHomeScreen_card$key).shown
      .states;
    const [first] = shownCard?.today ?? [];
    const { shown } = watch(environment, event, first as careHomeScreen_event$key);
    const [due] = shown.states;
    if (!due) throw new Error('Nothing is due.');
    return { ...opened, shown, due, version: shownCard?.version };
  };

  /** Takes a dose; the screen shows it at once. Returns the code of the refusal, if there is one. */
  const taking = ({ environment }: Opened, id: string) =>
    new Promise<unknown>((resolve) => {
      commitMutation<calendarScreenTakeMutation>(environment, {
        mutation: take,
        variables: { input: { occurrenceId: id } },
        optimisticResponse: {
          takeDose: { event: { id, status: 'TAKEN', answeredAt: null }, adherence: null },
        },
        onCompleted: (_, errors) => resolve(codeOf({ errors })),
        onError: resolve,
      });
    });

  it('renews its tokens once when three queries find them expired together', async () => {
    const { environment, outgoing, load } = await open();
    service().at(Date.now() + 16 * 60_000);
    outgoing.sent.length = 0;
    const [answer] = await Promise.all([
      fetchQuery<accountScreenQuery>(environment, account, {}).toPromise(),
      fetchQuery<contentScreenListQuery>(environment, list, { first: 1 }).toPromise(),
      load(),
    ]);
    expect(answer?.viewer).toBeTruthy();
    expect(outgoing.sent.filter((name) => name === 'Refresh')).toHaveLength(1);
    expect(outgoing.sent).toHaveLength(7);
  });

  for (const way of ['forward', 'backward'] as const)
    it(`pages ${way} through posts, and shows what it has read as one list`, async () => {
      for (let n = 1; n <= 5; n++)
        await service().post({ title: `Post ${n}`, date: `2026-01-0${n}T00:00:00` });
      const opened = await open();
      const { environment } = opened;
      const size = way === 'forward' ? { first: 2 } : { last: 2 };
      keep(opened, list, size);
      const answer = await fetchQuery<contentScreenListQuery>(environment, list, size).toPromise();
      const { shown } = watch(environment, posts, answer as contentScreen_posts$key);
      const page = () => shown.states.at(-1)?.posts;
      for (let info = page()?.pageInfo; info; info = page()?.pageInfo) {
        if (!(way === 'forward' ? info.hasNextPage : info.hasPreviousPage)) break;
        const cursor = way === 'forward' ? { after: info.endCursor } : { before: info.startCursor };
        const known = page()?.edges.length ?? 0;
        await fetchQuery<contentScreenPostsPaginationQuery>(environment, more, {
          ...size,
          ...cursor,
        }).toPromise();
        await shown.until((data) => (data.posts?.edges.length ?? 0) > known);
      }
      const titles = page()?.edges.map(
        ({ node }) =>
          watch(environment, teaser, node as contentScreen_teaser$key).shown.states[0]?.title,
      );
      expect(titles).toStrictEqual([5, 4, 3, 2, 1].map((n) => `Post ${n}`));
      expect(page()?.totalCount).toBe(5);
    });

  it('pages through what the audit holds about the viewer', async () => {
    const opened = await open();
    const { environment } = opened;
    await Session.start(service().url, MINA);
    keep(opened, account, { events: 1 });
    const load = fetchQuery<accountScreenQuery>(environment, account, { events: 1 });
    const { viewer } = (await load.toPromise()) ?? {};
    const { shown } = watch(environment, audit, viewer as accountScreen_audit$key);
    const [first] = shown.states;
    await fetchQuery<accountScreenAuditPaginationQuery>(environment, moreAudit, {
      count: 1,
      cursor: first?.auditEvents?.pageInfo.endCursor,
    }).toPromise();
    const { auditEvents } = await shown.until((data) => data.auditEvents?.edges.length === 2);
    const actions = auditEvents?.edges.map(({ node }) => node.action);
    expect(actions).toStrictEqual(['session.start', 'session.start']);
  });

  it('shows a dose as taken before the service has answered', async () => {
    const { shown, due, ...opened } = await openHome();
    opened.outgoing.hold();
    const done = taking(opened, due.id);
    expect(await shown.until(({ status }) => status === 'TAKEN')).toStrictEqual({
      ...due,
      status: 'TAKEN',
    });
    opened.outgoing.release();
    expect(await done).toBeUndefined();
    expect(await shown.until(({ answeredAt }) => !!answeredAt)).toStrictEqual({
      ...due,
      status: 'TAKEN',
      answeredAt: '2026-03-10T08:30:00.000Z',
    });
  });

  it('shows a dose as it was when it could not be taken, and says by a code why', async () => {
    const { shown, due, ...opened } = await openHome();
    service().at('2026-03-08T08:30:00Z');
    opened.outgoing.hold();
    const refused = taking(opened, due.id);
    await shown.until(({ status }) => status === 'TAKEN');
    opened.outgoing.release();
    expect(await refused).toBe('TOO_EARLY');
    expect(await shown.until(({ status }) => status !== 'TAKEN')).toStrictEqual(due);
  });

  it('reads an event again alone, by its id', async () => {
    const { shown, due, environment } = await openHome();
    await answerOnPhone(due.id);
    await fetchQuery<careHomeScreenEventQuery>(environment, again, { id: due.id }).toPromise();
    await shown.until(({ status }) => status === 'TAKEN');
  });

  it('is told each mistake of a form with the path of its field', async () => {
    const { environment } = await open();
    const input = { name: '', language: 'nobody' };
    const problems = await new Promise<Problem[]>((resolve, reject) => {
      commitMutation<accountScreenUpdateProfileMutation>(environment, {
        mutation: saveProfile,
        variables: { input },
        onCompleted: (_, errors) =>
          resolve((errors as Refused | null)?.[0]?.extensions.problems ?? []),
        onError: reject,
      });
    });
    expect(problems.map(({ path, code }) => `${path.join('.')} ${code}`).sort()).toStrictEqual([
      'input.language ID_INVALID',
      'input.name BAD_USER_INPUT',
    ]);
  });

  it('hears that a dose was taken on the phone', async () => {
    const { environment, shown, due, load, version } = await openHome();
    const live = requestSubscription<calendarScreenChangesSubscription>(environment, {
      subscription: changes,
      variables: { since: version },
      onNext: () => void load(),
    });
    closing.push(() => live.dispose());
    await answerOnPhone(due.id);
    const taken = await shown.until(({ status }) => status === 'TAKEN');
    expect(taken.answeredAt).toBe('2026-03-10T08:30:00.000Z');
  });

  /** The member takes a dose in another session. */
  const answerOnPhone = async (occurrenceId: string) => {
    const phone = await Session.start(service().url, MINA);
    const query = 'mutation($input: TakeDoseInput!) { takeDose(input: $input) { __typename } }';
    await service().data(query, { input: { occurrenceId } }, { headers: phone.headers });
  };
});

interface Problem {
  readonly path: readonly (string | number)[];
  readonly code: string;
}
type Refused = readonly { readonly extensions: { readonly problems?: Problem[] } }[];
