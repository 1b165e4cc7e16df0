import {
  commitMutation,
  createOperationDescriptor,
  fetchQuery,
  getRequest,
  requestSubscription,
} from 'relay-runtime';
import { makeMedicine } from '../support/factories.js';
import { useService } from '../support/harness.js';
import me, {
  type titlesMeQuery,
} from './dashboard/generated/relay-served/titlesMeQuery.graphql.js';
import titles, {
  type titlesQuery,
} from './dashboard/generated/relay-served/titlesQuery.graphql.js';
import changes, {
  type todayChangesSubscription,
} from './dashboard/generated/relay-served/todayChangesSubscription.graphql.js';
import today, { type todayQuery } from './dashboard/generated/relay-served/todayQuery.graphql.js';
import take, {
  type todayTakeMutation,
} from './dashboard/generated/relay-served/todayTakeMutation.graphql.js';
import { MINA, makeMina } from './dashboard/mina.js';
import { Outgoing } from './dashboard/outgoing.js';
import { Refusal, relayEnvironment } from './dashboard/relay-environment.js';
import { Session } from './dashboard/session.js';
import { Shown } from './dashboard/shown.js';

type Events = NonNullable<todayQuery['response']['memberHome']>['today'];

describe('A dashboard built on Relay', () => {
  const service = useService();
  const closing: (() => void)[] = [];
  afterEach(() => {
    for (const close of closing.splice(0)) close();
  });

  /** Makes the member, who signs in. Returns the environment and what it sends. */
  const open = async () => {
    await makeMina(service());
    const outgoing = new Outgoing();
    const session = await Session.start(service().url, MINA, outgoing.fetch);
    const { environment, close } = relayEnvironment(session);
    closing.push(close);
    const load = () => fetchQuery<todayQuery>(environment, today, {}).toPromise();
    return { environment, session, outgoing, load };
  };
  type Opened = Awaited<ReturnType<typeof open>>;

  /** Loads the screen of today; returns its first event and what it shows from then on. */
  const openToday = async ({ environment, session, load }: Opened) => {
    await makeMedicine(service(), {}, { headers: session.headers });
    const answer = await load();
    const operation = createOperationDescriptor(getRequest(today), {});
    const shown = new Shown<Events>();
    const show = ({ data }: { data?: unknown }) =>
      shown.next((data as todayQuery['response']).memberHome?.today ?? []);
    const snapshot = environment.lookup(operation.fragment);
    show(snapshot);
    const kept = [environment.retain(operation), environment.subscribe(snapshot, show)];
    closing.push(() => {
      for (const { dispose } of kept) dispose();
    });
    const due = answer?.memberHome?.today[0];
    if (!due) throw new Error('Nothing is due.');
    return { shown, due, version: answer?.memberHome?.version };
  };

  /** Takes a dose; the screen shows it at once. */
  const taking = ({ environment }: Opened, { id }: Events[number]) =>
    new Promise<unknown>((resolve) => {
      commitMutation<todayTakeMutation>(environment, {
        mutation: take,
        variables: { input: { occurrenceId: id } },
        optimisticResponse: { takeDose: { event: { id, status: 'TAKEN', answeredAt: null } } },
        onCompleted: resolve,
        onError: resolve,
      });
    });

  it('renews its tokens once when three queries find them expired together', async () => {
    const { environment, outgoing, load } = await open();
    service().at(Date.now() + 16 * 60_000);
    outgoing.sent.length = 0;
    const [answer] = await Promise.all([
      fetchQuery<titlesMeQuery>(environment, me, {}).toPromise(),
      fetchQuery<titlesQuery>(environment, titles, { count: 1 }).toPromise(),
      load(),
    ]);
    expect(answer?.viewer?.username).toBe('mina');
    expect(outgoing.sent.filter((name) => name === 'Refresh')).toHaveLength(1);
    expect(outgoing.sent).toHaveLength(7);
  });

  it('shows a dose as taken before the service has answered', async () => {
    service().at('2026-03-10T08:30:00Z');
    const opened = await open();
    const { shown, due } = await openToday(opened);
    opened.outgoing.hold();
    const done = taking(opened, due);
    expect(await shown.until(([event]) => event?.status === 'TAKEN')).toStrictEqual([
      { ...due, status: 'TAKEN' },
    ]);
    opened.outgoing.release();
    await done;
    expect(await shown.until(([event]) => !!event?.answeredAt)).toStrictEqual([
      { ...due, status: 'TAKEN', answeredAt: '2026-03-10T08:30:00.000Z' },
    ]);
  });

  it('shows a dose as it was when it could not be taken, and says by a code why', async () => {
    service().at('2026-03-10T08:30:00Z');
    const opened = await open();
    const { shown, due } = await openToday(opened);
    service().at('2026-03-08T08:30:00Z');
    opened.outgoing.hold();
    const refused = taking(opened, due);
    await shown.until(([event]) => event?.status === 'TAKEN');
    opened.outgoing.release();
    expect(((await refused) as Refusal).code).toBe('TOO_EARLY');
    expect(await shown.until(([event]) => event?.status !== 'TAKEN')).toStrictEqual([due]);
  });

  it('hears that a dose was taken on the phone', async () => {
    service().at('2026-03-10T08:30:00Z');
    const opened = await open();
    const { shown, due, version } = await openToday(opened);
    const live = requestSubscription<todayChangesSubscription>(opened.environment, {
      subscription: changes,
      variables: { since: version },
      onNext: () => void opened.load(),
    });
    closing.push(() => live.dispose());
    const phone = await Session.start(service().url, MINA);
    const query = 'mutation($input: TakeDoseInput!) { takeDose(input: $input) { __typename } }';
    const input = { occurrenceId: due.id };
    await service().data(query, { input }, { headers: phone.headers });
    const [taken] = await shown.until(([event]) => event?.status === 'TAKEN');
    expect(taken?.answeredAt).toBe('2026-03-10T08:30:00.000Z');
  });
});
