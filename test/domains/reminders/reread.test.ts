import { serviceContext } from '../../../src/core/service-context.js';
import { rereadPhrases } from '../../../src/domains/reminders/reminder/reread.service.js';
import { useService } from '../../support/harness.js';

const NOW = Date.parse('2026-03-10T07:30:00Z');
const daily = { kind: 'calendar', unit: 'day', every: 1, timesADay: 1 };

describe('A medicine whose directions an earlier version misread', () => {
  const service = useService();
  const ask = (document: string, input?: object) =>
    service().data(document, { input }, 'subscriber');
  const prisma = () => service().database.prisma;

  /** Makes a medicine as the version before had stored it. */
  async function stored(
    frequency: string,
    meant: object,
    amount?: { value: number; unit: string },
  ): Promise<number> {
    service().at(NOW);
    const { createMedicineReminder } = await ask(
      'mutation($input: CreateMedicineReminderInput!) { createMedicineReminder(input: $input) { reminder { databaseId } } }',
      { name: 'Medicine', frequency: 'daily', startsOn: '2026-03-10' },
    );
    const id = createMedicineReminder.reminder.databaseId as number;
    const schedule = JSON.stringify({ meant });
    const data = { frequencyType: frequency, schedule, reading: 1, doseUnit: amount?.unit ?? null };
    await prisma().reminder.update({ where: { id }, data });
    if (amount) {
      const row = { reminderId: id, startsOn: '0001-01-01', amount: amount.value };
      await prisma().doseAmount.create({ data: row });
    }
    return id;
  }
  const run = async () =>
    rereadPhrases(await serviceContext(service().app.deps, 'test'), AbortSignal.timeout(30_000));
  const shown = async (id: number) =>
    (
      await ask(
        `{ reminder(id: "${id}") { status ... on MedicineReminder {
          frequency times amounts { value unit } frequencyDoubt { kind meanings } stock { isCertain } } } }`,
      )
    ).reminder;
  const told = async () =>
    (await prisma().notification.findMany({ orderBy: { id: 'asc' } })).map(({ kind }) => kind);

  it('has the amount of its directions from now on, and its stock is uncertain', async () => {
    const id = await stored('0.05 mg daily', daily, { value: 0.5, unit: 'mg' });
    await ask(
      'mutation($input: SetMedicineStockInput!) { setMedicineStock(input: $input) { reminder { id } } }',
      { id: String(id), amount: 10, unit: 'mg' },
    );
    await prisma().dose.create({
      data: {
        accountId: (await prisma().reminder.findUniqueOrThrow({ where: { id } })).accountId,
        reminderId: id,
        answer: 'taken',
        at: new Date(NOW),
        name: 'Medicine',
        amount: 0.5,
        unit: 'mg',
        loggedById: 1,
        loggedAt: new Date(NOW),
      },
    });
    expect(await run()).toMatchObject({ looked: 1, corrected: 1, doubted: 0 });
    expect(await shown(id)).toMatchObject({
      amounts: [{ value: 0.05, unit: 'mg' }],
      stock: { isCertain: false },
      frequencyDoubt: null,
    });
    const [dose] = await prisma().dose.findMany({ where: { reminderId: id } });
    expect(dose?.amount, 'what was taken is not known').toBeNull();
    expect(await told()).toStrictEqual(['reminder_corrected']);
    const audited = await prisma().auditEvent.findMany({ where: { action: 'reminder.reread' } });
    expect(audited).toHaveLength(1);
    expect(await run(), 'once').toMatchObject({ looked: 0 });
  });

  it('rings as often as its directions say', async () => {
    const id = await stored('take 1 bd', daily);
    expect((await shown(id)).times).toHaveLength(1);
    await run();
    expect(await shown(id)).toMatchObject({ status: 'ACTIVE', times: ['08:00', '20:00'] });
    expect(await told()).toStrictEqual(['reminder_corrected']);
  });

  it('rings as before, and is in doubt, where its directions have several meanings', async () => {
    const id = await stored('cada 8 días', { ...daily, every: 8 });
    expect(await run()).toMatchObject({ corrected: 0, doubted: 1 });
    expect(await shown(id)).toMatchObject({
      status: 'ACTIVE',
      times: ['08:00'],
      frequencyDoubt: { kind: 'AMBIGUOUS', meanings: ['every 8 days', 'weekly'] },
    });
    expect(await told()).toStrictEqual(['reminder_doubted']);
    await ask(
      'mutation($input: UpdateMedicineReminderInput!) { updateMedicineReminder(input: $input) { reminder { id } } }',
      { id: String(id), frequency: 'weekly' },
    );
    expect((await shown(id)).frequencyDoubt, 'somebody has chosen').toBeNull();
  });

  it('shows no amount that may be another one', async () => {
    const id = await stored(
      '1,125 mg bid',
      { ...daily, timesADay: 2 },
      { value: 1.125, unit: 'mg' },
    );
    await run();
    expect(await shown(id)).toMatchObject({ status: 'ACTIVE' });
    const wrong = await stored(
      '1,050 mg bid',
      { ...daily, timesADay: 2 },
      { value: 1.5, unit: 'mg' },
    );
    await run();
    expect(await shown(wrong)).toMatchObject({
      amounts: [],
      frequencyDoubt: { meanings: ['1050 mg 2 times a day', '1.05 mg 2 times a day'] },
    });
  });

  it('keeps the amounts that somebody has set', async () => {
    const id = await stored('0.05 mg daily', daily, { value: 2, unit: 'drop' });
    expect(await run()).toMatchObject({ corrected: 0, doubted: 0 });
    expect((await shown(id)).amounts).toStrictEqual([{ value: 2, unit: 'drop' }]);
  });

  it('is left alone where it is read as before', async () => {
    await stored('daily', daily);
    await stored('0.5 mg daily', daily, { value: 0.5, unit: 'mg' });
    expect(await run()).toStrictEqual({ looked: 2, corrected: 0, doubted: 0 });
    expect(await told()).toStrictEqual([]);
  });
});
