// After each mutation of care the caches of real clients equal a fresh read: its payload shows by
// `query` what the screens show, and no code of the client writes to a cache.
import { type ApolloClient, gql } from '@apollo/client';
import {
  commitMutation,
  createOperationDescriptor,
  fetchQuery,
  type GraphQLTaggedNode,
  getRequest,
} from 'relay-runtime';
import { makeMedicine } from '../support/factories.js';
import { useService } from '../support/harness.js';
import { apolloClient } from './dashboard/apollo-client.js';
import createInRelay from './dashboard/generated/relay/careCacheCreateMutation.graphql.js';
import deleteInRelay from './dashboard/generated/relay/careCacheDeleteMutation.graphql.js';
import screensInRelay from './dashboard/generated/relay/careCacheQuery.graphql.js';
import settingsInRelay from './dashboard/generated/relay/careCacheSettingsMutation.graphql.js';
import takeInRelay from './dashboard/generated/relay/careCacheTakeMutation.graphql.js';
import { MINA, makeMina } from './dashboard/mina.js';
import { relayEnvironment } from './dashboard/relay-environment.js';
import { Session } from './dashboard/session.js';

const MORNING = '2026-03-10T08:30:00Z';

const SCREENS = gql`
  fragment Screens on Query {
    viewer { id name timeZone can { createPost } }
    memberHome {
      id version timeZone unreadNotifications
      today { id status title startsAt }
      nextAppointment { id startsAt status }
      unrecognizedMedicines { id name }
      week { id version taken skipped missed rate days { date taken } medicines { name taken } }
    }
    calendar(from: "2026-03-09", to: "2026-03-14") {
      id version
      days {
        id date
        doses { taken skipped missed rate }
        events { id status title ... on DoseEvent { snoozedUntil answeredAt note amount { value unit } } }
      }
    }
    adherence(from: "2026-03-04", to: "2026-03-10") { id taken skipped asNeeded rate }
    medicineReminders(first: 10) {
      totalCount
      nodes {
        id name version frequency scheduleText status times endsOn
        amounts { value unit } stock { amount runsOutOn } limits { maxPerDay taken } pause { startsAt endsAt }
        viewerCan { update delete }
      }
    }
    appointmentReminders(first: 10) {
      totalCount
      nodes { id title startsAt remindAt version attendedAt status }
    }
    careSettings { id timeZone dayTimes { waking breakfast } usualTimes { count times } }
    notificationPreference { id version lockScreenNames quietStart quietEnd }
  }
`;
const READ = gql`
  query Read { ...Screens }
  ${SCREENS}
`;

/** What the cache has at a step, by the ids of what the member sees. */
interface Seen {
  readonly medicine: string;
  readonly course: string;
  readonly appointment: string;
  readonly dose: string;
}

/** Each mutation of care with its input, in an order in which each changes something. */
const STEPS: readonly [mutation: string, input: (seen: Seen) => object][] = [
  ['createAppointmentReminder', () => ({ title: 'Dentist', date: '2026-03-11', time: '10:00' })],
  [
    'createMedicineReminder',
    () => ({ name: 'Ramipril', frequency: 'daily for 9 days', startsOn: '2026-03-12' }),
  ],
  ['moveMedicineCourse', ({ course: id }) => ({ id, startsOn: '2026-03-11' })],
  ['setDoseAmounts', ({ medicine: id }) => ({ id, unit: 'mg', steps: [{ amount: 5 }] })],
  ['setMedicineStock', ({ medicine: id }) => ({ id, unit: 'mg', amount: 100 })],
  ['refillMedicineStock', ({ medicine: id }) => ({ id, amount: 50 })],
  ['limitDoses', ({ medicine: id }) => ({ id, maxPerDay: 4 })],
  ['takeDose', ({ dose: occurrenceId }) => ({ occurrenceId, note: 'with water' })],
  ['undoDose', ({ dose: occurrenceId }) => ({ occurrenceId })],
  ['snoozeDose', ({ dose: occurrenceId }) => ({ occurrenceId, minutes: 20 })],
  ['skipDose', ({ dose: occurrenceId }) => ({ occurrenceId })],
  ['logDose', ({ medicine: reminderId }) => ({ reminderId })],
  ['updateMedicineReminder', ({ medicine: id }) => ({ id, name: 'Aspirin protect' })],
  ['pauseMedicineReminder', ({ medicine: id }) => ({ id, startsOn: '2026-03-11' })],
  ['resumeMedicineReminder', ({ medicine: id }) => ({ id })],
  ['updateAppointmentReminder', ({ appointment: id }) => ({ id, time: '08:00' })],
  ['attendAppointment', ({ appointment: id }) => ({ id })],
  ['updateCareSettings', () => ({ usualTimes: [{ times: ['07:30'] }] })],
  ['updateNotificationPreference', () => ({ lockScreenNames: true })],
  ['deleteAppointmentReminder', ({ appointment: id }) => ({ id })],
  ['deleteMedicineReminder', ({ medicine: id }) => ({ id })],
];

describe('After a mutation of care that shows `query`', () => {
  const service = useService();
  const closing: (() => void)[] = [];
  afterEach(() => {
    for (const close of closing.splice(0).reverse()) close();
  });

  const open = async () => {
    service().at(MORNING);
    await makeMina(service());
    const session = await Session.start(service().url, MINA);
    await makeMedicine(service(), {}, { headers: session.headers });
    return session;
  };
  const clientOf = (session: Session) => {
    const { client, close } = apolloClient(session);
    closing.push(close);
    return client;
  };
  /** What a client reads that has cached nothing. */
  const fresh = async (session: Session) => (await clientOf(session).query({ query: READ })).data;
  const seenBy = (client: ApolloClient): Seen => {
    // biome-ignore lint/suspicious/noExplicitAny: the screens are written above
    const shown: any = client.readQuery({ query: READ });
    const [medicine, course] = ['Aspirin', 'Ramipril'].map(
      (name) =>
        shown.medicineReminders.nodes.find((node: { name: string }) => node.name.startsWith(name))
          ?.id,
    );
    return {
      medicine,
      course,
      appointment: shown.appointmentReminders.nodes[0]?.id,
      dose: shown.memberHome.today[0]?.id,
    };
  };

  it('the cache of Apollo Client equals a fresh read', async () => {
    const session = await open();
    const client = clientOf(session);
    await client.query({ query: READ });
    for (const [name, input] of STEPS) {
      const before = client.readQuery({ query: READ });
      const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}Input`;
      const mutation = gql`
        mutation Change($input: ${type}!) { ${name}(input: $input) { query { ...Screens } } }
        ${SCREENS}
      `;
      await client.mutate({ mutation, variables: { input: input(seenBy(client)) } });
      const after = client.readQuery({ query: READ });
      expect(after, name).toStrictEqual(await fresh(session));
      expect(after, `${name} changes something`).not.toStrictEqual(before);
    }
  });

  it('the cache of Apollo Client equals a fresh read of the day that a dose is answered on', async () => {
    const session = await open();
    const client = clientOf(session);
    await client.query({ query: READ });
    const mutation = gql`
      mutation Take($input: TakeDoseInput!) {
        takeDose(input: $input) {
          event { id status answeredAt note }
          day { id doses { taken skipped missed rate } }
          memberHome { id version week { id version taken skipped missed rate days { date taken } medicines { name taken } } }
        }
      }
    `;
    await client.mutate({
      mutation,
      variables: { input: { occurrenceId: seenBy(client).dose } },
    });
    // biome-ignore lint/suspicious/noExplicitAny: the screens are written above
    const [cached, read]: any[] = [client.readQuery({ query: READ }), await fresh(session)];
    expect(cached.calendar.days).toStrictEqual(read.calendar.days);
    expect(cached.memberHome).toStrictEqual(read.memberHome);
    expect(cached.adherence).toStrictEqual(read.adherence);
  });

  it('the store of Relay equals a fresh read', async () => {
    const session = await open();
    const environmentOf = () => {
      const { environment, close } = relayEnvironment(session);
      closing.push(close);
      return environment;
    };
    const environment = environmentOf();
    const operation = createOperationDescriptor(getRequest(screensInRelay), {});
    const kept = environment.retain(operation);
    closing.push(() => kept.dispose());
    await fetchQuery(environment, screensInRelay, {}).toPromise();
    // biome-ignore lint/suspicious/noExplicitAny: the screens are written in relay/care-cache.ts
    const shown = (): any => environment.lookup(operation.fragment).data;
    const change = (mutation: GraphQLTaggedNode, input: object) =>
      new Promise<void>((done, fail) => {
        const variables = { input };
        const onCompleted = () => done();
        commitMutation(environment, { mutation, variables, onCompleted, onError: fail });
      });
    const steps: [GraphQLTaggedNode, () => object][] = [
      [createInRelay, () => ({ name: 'Ramipril', frequency: 'daily' })],
      [takeInRelay, () => ({ occurrenceId: shown().memberHome.today[0].id })],
      [settingsInRelay, () => ({ usualTimes: [{ times: ['07:30'] }] })],
      [deleteInRelay, () => ({ id: shown().medicineReminders.nodes[0].id })],
    ];
    for (const [mutation, input] of steps) {
      const before = JSON.stringify(shown());
      await change(mutation, input());
      const other = environmentOf();
      await fetchQuery(other, screensInRelay, {}).toPromise();
      expect(shown()).toStrictEqual(other.lookup(operation.fragment).data);
      expect(JSON.stringify(shown())).not.toBe(before);
    }
  });
});
