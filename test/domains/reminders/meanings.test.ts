import { serviceContext } from '../../../src/core/service-context.js';
import { keepMeanings } from '../../../src/domains/reminders/reminder/phrase-meaning.service.js';
import { useService } from '../../support/harness.js';

const NOW = Date.parse('2026-03-10T07:30:00Z');
const FIVE = ['06:00', '10:00', '14:00', '18:00', '22:00'];

describe('The phrase of a medicine', () => {
  const service = useService();
  const ask = (document: string, input?: object) =>
    service().data(document, { input }, 'subscriber');
  const prisma = () => service().database.prisma;
  const create = async (frequency: string) => {
    service().at(NOW);
    const { createMedicineReminder } = await ask(
      'mutation($input: CreateMedicineReminderInput!) { createMedicineReminder(input: $input) { reminder { databaseId } } }',
      { name: 'Medicine', frequency, startsOn: '2026-03-10' },
    );
    return createMedicineReminder.reminder.databaseId as number;
  };
  const change = (id: number, input: object) =>
    ask(
      'mutation($input: UpdateMedicineReminderInput!) { updateMedicineReminder(input: $input) { reminder { id } } }',
      { id: String(id), ...input },
    );
  const shown = async (id: number) =>
    (
      await ask(
        `{ reminder(id: "${id}") { status nextOccurrenceAt ... on MedicineReminder { frequency times } } }`,
      )
    ).reminder;
  /** Makes a row look as if an older version of the service had read another phrase in its way. */
  const reworded = async (id: number, frequencyType: string, more: object = {}) =>
    prisma().reminder.update({ where: { id }, data: { frequencyType, ...more } });
  const move = () =>
    ask(
      'mutation($input: UpdateCareSettingsInput!) { updateCareSettings(input: $input) { careSettings { timeZone } } }',
      {
        usualTimes: [{ times: FIVE }],
      },
    );
  const keep = async () =>
    keepMeanings(await serviceContext(service().app.deps, 'test'), AbortSignal.timeout(30_000));

  it('keeps what it meant when it was written, whatever the grammar has learned since', async () => {
    const id = await create('5 times a day');
    await reworded(id, 'daily x 5');
    const before = await shown(id);
    expect([before.status, before.times.length]).toStrictEqual(['ACTIVE', 5]);
    await move();
    expect((await shown(id)).times).toStrictEqual(FIVE);
    await change(id, { name: 'Another name', frequency: 'daily x 5' });
    expect(await shown(id)).toMatchObject({
      frequency: 'daily x 5',
      status: 'ACTIVE',
      times: FIVE,
    });
    await change(id, { startsOn: '2026-03-12' });
    expect(await shown(id)).toMatchObject({
      status: 'ACTIVE',
      times: FIVE,
      nextOccurrenceAt: expect.stringMatching('^2026-03-12T06:00'),
    });
    await change(id, { frequency: 'daily' });
    expect((await shown(id)).times).toHaveLength(1);
    await change(id, { frequency: 'daily x 5' });
    expect((await shown(id)).status, 'written anew').toBe('UNRECOGNIZED');
  });

  it('shows what else it says: where, how, what for', async () => {
    const partsOf = async (frequency: string) =>
      (
        await ask(
          `{ reminder(id: "${await create(frequency)}") { ... on MedicineReminder { frequency directionParts { kind text } } } }`,
        )
      ).reminder;
    const words = 'Take 1 tablet (500 mg) by mouth twice daily with food for pain';
    expect(await partsOf(words)).toStrictEqual({
      frequency: words,
      directionParts: [
        { kind: 'VERB', text: 'take' },
        { kind: 'ROUTE', text: 'by mouth' },
        { kind: 'ADVICE', text: 'with food' },
        { kind: 'INDICATION', text: 'for pain' },
        { kind: 'STRENGTH', text: '500 mg' },
      ],
    });
    expect((await partsOf('as directed')).directionParts).toStrictEqual([]);
  });

  it('is an RRULE too, where a single rule says it', async () => {
    const ruleOf = async (frequency: string) =>
      (
        await ask(
          `{ reminder(id: "${await create(frequency)}") { ... on MedicineReminder { schedule { rrule } } } }`,
        )
      ).reminder.schedule.rrule;
    expect(await ruleOf('first Monday')).toBe('FREQ=MONTHLY;INTERVAL=1;BYDAY=1MO');
    expect(await ruleOf('first Monday at 9am and 9pm')).toBe(
      'FREQ=MONTHLY;INTERVAL=1;BYDAY=1MO;BYHOUR=9,21;BYMINUTE=0',
    );
    expect(await ruleOf('every 8 hours for 6 doses')).toBe('FREQ=HOURLY;INTERVAL=8;COUNT=6');
    expect(await ruleOf('RRULE:FREQ=MONTHLY;BYDAY=-1FR')).toBe('RRULE:FREQ=MONTHLY;BYDAY=-1FR');
    expect(await ruleOf('first Monday in the evening'), "the member's time").toBeNull();
    expect(await ruleOf('first Monday for 6 months'), 'a duration').toBeNull();
  });

  it('rings when it is sent again that was not understood, and is understood by now', async () => {
    const id = await create('as directed');
    await reworded(id, 'daily');
    await move();
    await change(id, { name: 'Another name' });
    expect((await shown(id)).status).toBe('UNRECOGNIZED');
    await change(id, { frequency: 'daily' });
    expect(await shown(id)).toMatchObject({ status: 'ACTIVE', times: ['08:00'] });
  });

  it('that an older version stored without its meaning gets the one it had, and moves no dose', async () => {
    const ids = [
      await create('5 times a day'),
      await create('twice a day'),
      await create('nothing'),
    ];
    const [five, two, silent] = ids as [number, number, number];
    const doses = () =>
      prisma().reminderAlert.findMany({
        orderBy: { id: 'asc' },
        select: { id: true, dueAt: true },
      });
    const planned = await doses();
    await reworded(five, 'daily x 5', { schedule: null });
    await reworded(two, 'twice a day', { schedule: null });
    await reworded(silent, 'daily', { schedule: null });
    expect(await keep()).toBe(3);
    expect(await keep()).toBe(0);
    expect(await doses()).toStrictEqual(planned);
    await move();
    expect(await shown(five)).toMatchObject({ status: 'ACTIVE', times: FIVE });
    expect(await shown(two)).toMatchObject({ status: 'ACTIVE' });
    expect((await shown(two)).times).toHaveLength(2);
    expect((await shown(silent)).status).toBe('UNRECOGNIZED');
  });
});
