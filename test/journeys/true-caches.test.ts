// After each mutation of care the caches of real clients equal a fresh read: its payload shows by
// `query` what the screens show, and no code of the client writes to a cache.
import { makeMedicine } from '../support/factories.js';
import { useService } from '../support/harness.js';
import { CLIENTS } from './dashboard/clients.js';
import { MINA, makeMina } from './dashboard/mina.js';
import { ALL, documentsOf, type OpenClient, type Shown } from './dashboard/screens.js';
import { Session } from './dashboard/session.js';

const MORNING = '2026-03-10T08:30:00Z';

const SCREENS = `
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

const DOCUMENTS = documentsOf({
  shown: SCREENS,
  changes: Object.fromEntries(STEPS.map(([mutation]) => [mutation, ALL])),
});
const OF_A_DAY = documentsOf({
  shown: SCREENS,
  changes: {
    takeDose: `
      event { id status answeredAt note }
      day { id doses { taken skipped missed rate } }
      memberHome { id version week { id version taken skipped missed rate days { date taken } medicines { name taken } } }
    `,
  },
});

const seenOn = ({ medicineReminders, appointmentReminders, memberHome }: Shown): Seen => {
  const [medicine, course] = ['Aspirin', 'Ramipril'].map(
    (start) =>
      medicineReminders.nodes.find(({ name }: { name: string }) => name.startsWith(start))?.id,
  );
  return {
    medicine,
    course,
    appointment: appointmentReminders.nodes[0]?.id,
    dose: memberHome.today[0]?.id,
  };
};

describe.each(CLIENTS)('After a mutation of care %s', (_, openClient) => {
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
  const read = async (...asked: Parameters<OpenClient>) => {
    const screens = await openClient(...asked);
    closing.push(screens.close);
    return screens;
  };

  it('that shows `query` equals a fresh read', async () => {
    const session = await open();
    const { shown, change } = await read(session, DOCUMENTS);
    for (const [name, input] of STEPS) {
      const before = shown();
      await change(name, input(seenOn(before)));
      const fresh = await read(session, DOCUMENTS);
      expect(shown(), name).toStrictEqual(fresh.shown());
      expect(shown(), `${name} changes something`).not.toStrictEqual(before);
    }
  });

  it('that shows the day equals a fresh read of it', async () => {
    const session = await open();
    const { shown, change } = await read(session, OF_A_DAY);
    await change('takeDose', { occurrenceId: seenOn(shown()).dose });
    const fresh = (await read(session, OF_A_DAY)).shown();
    expect(shown().calendar.days).toStrictEqual(fresh.calendar.days);
    expect(shown().memberHome).toStrictEqual(fresh.memberHome);
    expect(shown().adherence).toStrictEqual(fresh.adherence);
  });
});
