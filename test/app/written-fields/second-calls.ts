import { globalId } from '../../../src/core/node.js';
import { type By, type Harness, mutation, type RoleName } from '../../support/harness.js';
import type { World } from './world.js';

/** A mutation that may be sent again of one row, and what it shows after each call. */
export interface SecondCalls {
  readonly name: string;
  readonly as: RoleName;
  /** Makes the row. Returns what names it. */
  readonly make: (world: World, by: By, service: Harness) => Promise<object>;
  /** The fields of the payload that are compared. */
  readonly shown: string;
  /** What is sent in turn, with what the payload then has at least. */
  readonly calls: readonly (readonly [sent: object, shown: object])[];
}

/** Makes a medicine of 08:00 each day. */
const medicine = async (world: World, by: By) => {
  const input = { name: 'A', frequency: 'daily', startsOn: '2026-03-01', startTime: '08:00' };
  const made = await world.ask(
    mutation('createMedicineReminder', 'reminder { id }'),
    { input },
    by,
  );
  return { id: made.createMedicineReminder.reminder.id };
};

/** Makes a medicine, and names its dose of today. */
const dose = async (world: World, by: By) => {
  await medicine(world, by);
  const day = 'from: "2026-03-01", to: "2026-03-01"';
  const query = `{ calendar(${day}) { events { occurrenceId } } }`;
  return (await world.ask(query, {}, by)).calendar.events[0];
};

const skippedFirst = async (world: World, by: By) => {
  const input = await dose(world, by);
  await world.ask(mutation('skipDose', '__typename'), { input: { ...input, note: 'One' } }, by);
  return input;
};

const event = (fields: object) => ({ event: fields });
const reminder = (fields: object) => ({ reminder: fields });
const AS_MEMBER = { as: 'subscriber', make: medicine } as const;
const DOSE = { as: 'subscriber', make: dose } as const;

export const SECOND_CALLS: readonly SecondCalls[] = [
  {
    ...DOSE,
    name: 'skipDose',
    shown: 'event { status note }',
    calls: [
      [{}, event({ status: 'SKIPPED', note: null })],
      [{ note: 'One' }, event({ status: 'SKIPPED', note: 'One' })],
      [{ note: 'Two', reason: 'LEFT_OUT' }, event({ status: 'SKIPPED', note: 'Two' })],
      [{ reason: 'REFUSED' }, event({ status: 'REFUSED', note: 'Two' })],
      [{ note: 'Three' }, event({ status: 'REFUSED', note: 'Three' })],
      [{ note: null }, event({ status: 'REFUSED', note: 'Three' })],
      [{ note: '' }, event({ status: 'REFUSED', note: '' })],
    ],
  },
  {
    ...DOSE,
    name: 'takeDose',
    make: skippedFirst,
    shown: 'event { status note answeredAt amount { value } }',
    calls: [
      [
        { note: 'Two', at: '2026-03-01T07:30:00.000Z' },
        event({ status: 'TAKEN', note: 'Two', answeredAt: '2026-03-01T07:30:00.000Z' }),
      ],
      [{ note: 'Three', force: true }, event({ status: 'TAKEN', note: 'Three' })],
    ],
  },
  {
    ...DOSE,
    name: 'snoozeDose',
    shown: 'event { snoozedUntil }',
    calls: [
      [{}, event({ snoozedUntil: '2026-03-01T08:10:00.000Z' })],
      [{ minutes: 30 }, event({ snoozedUntil: '2026-03-01T08:30:00.000Z' })],
    ],
  },
  {
    ...AS_MEMBER,
    name: 'limitDoses',
    shown: 'reminder { limits { maxPerDay leastInterval } }',
    calls: [
      [{ maxPerDay: 3 }, reminder({ limits: { maxPerDay: 3, leastInterval: null } })],
      [
        { maxPerDay: 4, leastInterval: 120 },
        reminder({ limits: { maxPerDay: 4, leastInterval: 120 } }),
      ],
    ],
  },
  {
    ...AS_MEMBER,
    name: 'setMedicineStock',
    shown: 'reminder { stock { amount unit noticeDays packs { amount expiresOn } } }',
    calls: [
      [{ amount: 3, unit: 'tablet' }, reminder({ stock: { amount: 3, unit: 'tablet' } })],
      [{ noticeDays: 9 }, reminder({ stock: { amount: 3, unit: 'tablet', noticeDays: 9 } })],
      [
        { amount: 5, packs: [{ amount: 5, expiresOn: '2026-05-01' }] },
        reminder({ stock: { amount: 5, packs: [{ amount: 5, expiresOn: '2026-05-01' }] } }),
      ],
    ],
  },
  {
    name: 'attendAppointment',
    as: 'subscriber',
    make: async (world, by) => {
      const input = { title: 'A', date: '2026-03-01', time: '07:00' };
      const make = mutation('createAppointmentReminder', 'reminder { id }');
      return {
        id: (await world.ask(make, { input }, by)).createAppointmentReminder.reminder.id,
      };
    },
    shown: 'reminder { attendedAt }',
    calls: [
      [{}, reminder({ attendedAt: '2026-03-01T08:00:00.000Z' })],
      [{ attended: false }, reminder({ attendedAt: null })],
    ],
  },
  {
    name: 'registerDevice',
    as: 'subscriber',
    make: async () => ({ token: 'ExponentPushToken[abcdefghijklmnopqrstuv]' }),
    shown: 'device { platform }',
    calls: [
      [{}, { device: { platform: '' } }],
      [{ platform: 'ios' }, { device: { platform: 'ios' } }],
    ],
  },
  {
    name: 'setReportMailing',
    as: 'administrator',
    make: async (world) => ({ reportId: await world.savedReport(0), recipientIds: [world.own] }),
    shown: 'reportMailing { every day hour }',
    calls: [
      [{ every: 'WEEK', day: 1 }, { reportMailing: { every: 'WEEK', day: 1, hour: 7 } }],
      [{ every: 'MONTH', day: 9, hour: 8 }, { reportMailing: { every: 'MONTH', day: 9, hour: 8 } }],
    ],
  },
  {
    name: 'suspendUser',
    as: 'administrator',
    make: async (_world, _by, service) => ({
      userId: globalId('Account', (await service.account('author')).id),
    }),
    shown:
      'account { remindersStopped } query { auditEvents(first: 1, filter: { action: "account.suspend" }) { nodes { detail } } }',
    calls: [
      [{}, { account: { remindersStopped: false } }],
      [
        { reason: 'One reason' },
        { query: { auditEvents: { nodes: [{ detail: { reason: 'One reason' } }] } } },
      ],
      [
        { reason: 'Two reasons', stopReminders: true },
        {
          account: { remindersStopped: true },
          query: { auditEvents: { nodes: [{ detail: { reason: 'Two reasons' } }] } },
        },
      ],
    ],
  },
];
