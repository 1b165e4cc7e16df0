import { mutation } from '../../../support/harness.js';
import { type Call, refused, type Stage } from '../calling.js';

const MEDICINE = { name: 'A', frequency: 'daily', startsOn: '2026-03-01', startTime: '08:00' };

const medicine =
  (fields: object = {}) =>
  async ({ world, by }: Stage) => {
    const text = mutation('createMedicineReminder', 'reminder { id }');
    const made = await world.ask(text, { input: { ...MEDICINE, ...fields } }, by);
    return { id: made.createMedicineReminder.reminder.id as string };
  };

const dosesOf = async ({ world, by }: Stage) => {
  const query = '{ calendar(from: "2026-03-01", to: "2026-03-02") { events { occurrenceId } } }';
  return (await world.ask(query, {}, by)).calendar.events as { occurrenceId: string }[];
};
const dose = async (stage: Stage) => {
  await medicine({ startTime: '08:00' })(stage);
  return (await dosesOf(stage))[0] as { occurrenceId: string };
};
/** A dose of a medicine with an amount of 2 tablets, and 10 of them at hand. */
const countedDose = async (stage: Stage) => {
  const { id } = await medicine()(stage);
  const ask = (name: string, input: object) =>
    stage.world.ask(mutation(name, '__typename'), { input: { id, ...input } }, stage.by);
  await ask('setDoseAmounts', { unit: 'tablet', steps: [{ amount: 2 }] });
  return (await dosesOf(stage))[0] as { occurrenceId: string };
};

const reminder = (fields: object) => ({ reminder: fields });
const asMember = { as: 'subscriber' } as const;
/** A dose that there is not, and the one that there is. */
const whichDose: NonNullable<Call['lines']>[string] = (_, { occurrenceId }) => [
  [occurrenceId, { __typename: /Payload$/ }],
  [`${String(occurrenceId).slice(0, -4)}AAAA`, refused('')],
];

export const REMINDERS: readonly Call[] = [
  ...['createMedicineReminder', 'updateMedicineReminder'].map((name): Call => {
    const isNew = name.startsWith('create');
    return {
      ...asMember,
      name,
      route: isNew ? 'POST /v1/medicine_reminder' : 'POST /v1/medicine_reminder/{id}',
      params: { frequency: 'frequency_type' },
      make: async (stage) => {
        if (isNew) return { name: 'A', frequency: 'daily' };
        const { id } = await medicine()(stage);
        const query =
          'query($id: ID!) { node(id: $id) { ... on MedicineReminder { databaseId } } }';
        return { id: (await stage.world.ask(query, { id }, stage.by)).node.databaseId };
      },
      lines: {
        createdDate: ['2026-02-01', 'long ago'].map(
          (created_date) => [created_date, { created_date }] as const,
        ),
      },
    };
  }),
  {
    ...asMember,
    name: 'createMedicineReminder',
    route: 'POST /v1/event/medicine',
    params: { frequency: 'frequency_type', startsOn: 'start_date' },
    make: () => ({ name: 'A', frequency: 'daily', startsOn: '2026-03-01T07:00:00' }),
    read: async ({ service, by }) => {
      const query = 'date_from=2026-03-01&date_to=2026-03-01';
      const sending = { ...(by as object), edition: 'B', query } as const;
      return (await service.rest('GET', '/v1/all_events', sending)).body;
    },
    lines: {
      status: [
        ['taken', [{ status: 'taken' }]],
        ['skipped', [{ status: 'skipped' }]],
      ],
    },
    because: 'docs/interface.md 10: the route makes a medicine, whatever `type` says.',
    ignored: { type: () => 'appointment' },
  },
  {
    ...asMember,
    name: 'setDoseAmounts',
    make: async (stage) => ({
      ...(await medicine()(stage)),
      unit: 'tablet',
      steps: [{ amount: 2 }],
    }),
    shown: 'reminder { amounts { startsOn value upTo unit } }',
    lines: {
      unit: ['ml', 'drop'].map((unit) => [unit, reminder({ amounts: [{ unit }] })] as const),
      steps: [
        [[{ amount: 3, upTo: 4 }], reminder({ amounts: [{ value: 3, upTo: 4 }] })],
        [
          [{ amount: 1 }, { startsOn: '2026-03-05', amount: 5 }],
          reminder({ amounts: [{ value: 1 }, { startsOn: '2026-03-05', value: 5 }] }),
        ],
      ],
    },
  },
  {
    ...asMember,
    name: 'moveMedicineCourse',
    make: async (stage) => ({
      ...(await medicine({ startsOn: '2026-03-05', endsOn: '2026-03-09' })(stage)),
      startsOn: '2026-03-06',
    }),
    shown: 'reminder { startsOn }',
    lines: {
      startsOn: ['2026-03-07', '2026-03-08'].map(
        (startsOn) => [startsOn, reminder({ startsOn })] as const,
      ),
    },
  },
  {
    ...asMember,
    name: 'takeDose',
    make: countedDose,
    shown: '__typename event { amount { value } answeredAt note }',
    lines: {
      amount: [
        [1, { event: { amount: { value: 1 } } }],
        [2.5, { event: { amount: { value: 2.5 } } }],
      ],
      occurrenceId: whichDose,
    },
  },
  { ...asMember, name: 'skipDose', make: dose, lines: { occurrenceId: whichDose } },
  { ...asMember, name: 'snoozeDose', make: dose, lines: { occurrenceId: whichDose } },
  {
    ...asMember,
    name: 'undoDose',
    make: async (stage) => {
      const input = await dose(stage);
      await stage.world.ask(mutation('takeDose', '__typename'), { input }, stage.by);
      return input;
    },
    lines: { occurrenceId: whichDose },
  },
  {
    ...asMember,
    name: 'logDose',
    make: async (stage) => ({
      reminderId: (await medicine({ frequency: 'as_needed', startTime: null })(stage)).id,
    }),
    shown: 'event { note answeredAt amount { value } }',
    lines: {
      at: ['2026-03-01T07:00:00.000Z', '2026-03-01T07:30:00.000Z'].map(
        (at) => [at, { event: { answeredAt: at } }] as const,
      ),
      note: ['One', 'Two'].map((note) => [note, { event: { note } }] as const),
      amount: [1, 2.5].map((value) => [value, { event: { amount: { value } } }] as const),
    },
  },
  {
    ...asMember,
    name: 'attendAppointment',
    make: async ({ world, by }) => {
      const input = { title: 'A', date: '2026-03-01', time: '07:00' };
      const text = mutation('createAppointmentReminder', 'reminder { id }');
      return { id: (await world.ask(text, { input }, by)).createAppointmentReminder.reminder.id };
    },
  },
  {
    ...asMember,
    name: 'pauseMedicineReminder',
    make: medicine(),
    shown: 'reminder { pause { startsAt endsAt } }',
    lines: {
      startsOn: ['2026-03-05', '2026-03-06'].map(
        (day) => [day, reminder({ pause: { startsAt: new RegExp(`^${day}`) } })] as const,
      ),
      resumesOn: ['2026-03-10', '2026-03-11'].map(
        (day) => [day, reminder({ pause: { endsAt: new RegExp(`^${day}`) } })] as const,
      ),
    },
  },
  {
    ...asMember,
    name: 'resumeMedicineReminder',
    make: async (stage) => {
      const input = await medicine()(stage);
      await stage.world.ask(mutation('pauseMedicineReminder', '__typename'), { input }, stage.by);
      return input;
    },
  },
  {
    ...asMember,
    name: 'confirmDirections',
    make: medicine({ frequency: 'biweekly' }),
    shown: 'reminder { schedule { kind every } confirmedAt }',
    lines: {
      meaning: [
        [0, {}],
        [77, refused('MEANING_INVALID')],
      ],
    },
  },
  {
    ...asMember,
    name: 'limitDoses',
    make: async (s) => ({ ...(await medicine()(s)), maxPerDay: 3 }),
  },
  {
    ...asMember,
    name: 'setMedicineStock',
    make: async (stage) => ({ ...(await medicine()(stage)), amount: 3, unit: 'tablet' }),
  },
  {
    ...asMember,
    name: 'refillMedicineStock',
    make: async (stage) => {
      const { id } = await medicine()(stage);
      const input = { id, amount: 3, unit: 'tablet' };
      await stage.world.ask(mutation('setMedicineStock', '__typename'), { input }, stage.by);
      return { id, amount: 2 };
    },
    shown: 'reminder { stock { amount packs { amount expiresOn } } }',
    lines: {
      amount: [1, 2].map(
        (amount) => [amount, reminder({ stock: { amount: 3 + amount } })] as const,
      ),
      expiresOn: ['2026-05-01', '2026-06-01'].map(
        (expiresOn) =>
          [expiresOn, reminder({ stock: { packs: [{ amount: 2, expiresOn }] } })] as const,
      ),
    },
  },
];
