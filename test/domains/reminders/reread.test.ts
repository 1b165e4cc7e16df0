import { serviceContext } from '../../../src/core/service-context.js';
import { READING } from '../../../src/domains/reminders/reminder/reading.js';
import { rereadPhrases } from '../../../src/domains/reminders/reminder/reread.service.js';
import { REREAD } from '../../../src/domains/reminders/reminder/reread.wording.js';
import { inLanguage } from '../../../src/platform/language.js';
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
  /** Makes a medicine as the version before ranges had stored it: without their amounts. */
  async function ranged(
    frequency: string,
    meant: object,
    { amounts = [], ...more }: { unit?: string; amounts?: object[]; confirmed?: object } = {},
  ): Promise<number> {
    const id = await stored(frequency, meant);
    const schedule = JSON.stringify({ meant, ...more.confirmed });
    const data = { reading: 2, schedule, doseUnit: more.unit ?? null };
    await prisma().reminder.update({ where: { id }, data });
    await prisma().doseAmount.deleteMany({ where: { reminderId: id } });
    for (const row of amounts)
      await prisma().doseAmount.create({
        data: { startsOn: '0001-01-01', ...row, reminderId: id } as never,
      });
    return id;
  }
  const amountsOf = async (id: number) =>
    (
      await ask(
        `{ reminder(id: "${id}") { ... on MedicineReminder { amounts { text startsOn time } } } }`,
      )
    ).reminder.amounts;
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

  it('has the part of a piece that was read as one number with its strength', async () => {
    const evening = { ...daily, at: [{ anchor: 'evening', relation: 'with' }] };
    const id = await stored('Previscan 20 1/2 cp le soir', evening, {
      value: 20.5,
      unit: 'tablet',
    });
    const doubtful = await stored('5 1/2 tab daily', daily, { value: 5.5, unit: 'tablet' });
    const right = await stored('1 1/2 tab daily', daily, { value: 1.5, unit: 'tablet' });
    expect(await run()).toMatchObject({ corrected: 1, doubted: 1 });
    expect(await shown(id)).toMatchObject({ amounts: [{ value: 0.5, unit: 'tablet' }] });
    expect((await shown(doubtful)).amounts).toStrictEqual([]);
    expect(await shown(right)).toMatchObject({ amounts: [{ value: 1.5, unit: 'tablet' }] });
  });

  it('has the unit of its directions, and the volume of spoons', async () => {
    const pessary = await stored(
      '1 pessary at night',
      {
        ...daily,
        at: [{ anchor: 'night', relation: 'with' }],
      },
      { value: 1, unit: 'suppository' },
    );
    const counted = { amount: 28, unit: 'suppository', countedAt: new Date(NOW) };
    await prisma().medicineStock.create({ data: { reminderId: pessary, ...counted } });
    const spoons = await stored('two 5ml spoonfuls daily', daily, { value: 2, unit: 'spoon' });
    const same = await stored('1 suppository daily', daily, { value: 1, unit: 'suppository' });
    expect(await run()).toMatchObject({ corrected: 2, doubted: 0 });
    expect(await shown(pessary)).toMatchObject({ amounts: [{ value: 1, unit: 'pessary' }] });
    const [stock] = await prisma().medicineStock.findMany();
    expect(stock, 'the same pieces').toMatchObject({ unit: 'pessary', isCertain: true });
    expect(await shown(spoons)).toMatchObject({ amounts: [{ value: 10, unit: 'ml' }] });
    expect(await shown(same)).toMatchObject({ amounts: [{ value: 1, unit: 'suppository' }] });
  });

  it('has the pieces that somebody counts instead of what its directions measure', async () => {
    const bd = { ...daily, timesADay: 2 };
    const capsules = await stored('20 mg twice a day', bd, { value: 2, unit: 'capsule' });
    const spoons = await stored('10 ml twice a day', bd, { value: 2, unit: 'spoon' });
    expect(await run()).toMatchObject({ corrected: 0, doubted: 0 });
    expect(await shown(capsules)).toMatchObject({ amounts: [{ value: 2, unit: 'capsule' }] });
    expect(await shown(spoons)).toMatchObject({ amounts: [{ value: 2, unit: 'spoon' }] });
    expect(await told()).toStrictEqual([]);
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

  it.each([
    ['40 mg daily bd', 40, 20],
    ['12.5 mg daily twice a day', 12.5, 6.25],
  ])(
    'rings %s as before without its amount, which may be that of a day',
    async (phrase, each, half) => {
      const id = await stored(phrase, { ...daily, timesADay: 2 }, { value: each, unit: 'mg' });
      await prisma().reminder.update({ where: { id }, data: { reading: 3 } });
      expect(await run()).toMatchObject({ corrected: 0, doubted: 1 });
      expect(await shown(id)).toMatchObject({
        status: 'ACTIVE',
        amounts: [],
        frequencyDoubt: {
          kind: 'AMBIGUOUS',
          meanings: [`${each} mg 2 times a day`, `${half} mg 2 times a day`],
        },
      });
    },
  );

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

  it('has the range of its directions, which the version before kept in the words alone', async () => {
    const twice = { ...daily, timesADay: 2 };
    const all = [
      await ranged('1 to 2 tablets daily', daily),
      await ranged('take 1-2 tablets twice a day', twice),
      await ranged('1 à 2 comprimés deux fois par jour', twice),
      await ranged('1 to 2 tablets every 4 hours as needed', {
        kind: 'as_needed',
        leastMinutes: 240,
      }),
    ];
    const text = (await amountsOf(all[0] as number)) as unknown[];
    expect(text, 'as it was stored').toStrictEqual([]);
    expect(await run()).toStrictEqual({ looked: 4, corrected: 4, doubted: 0 });
    for (const id of all)
      expect(await amountsOf(id)).toStrictEqual([
        { text: '1 to 2 tablet', startsOn: null, time: null },
      ]);
    expect(await told()).toStrictEqual(Array(4).fill('reminder_corrected'));
    const audited = await prisma().auditEvent.findMany({ where: { action: 'reminder.reread' } });
    expect(audited).toHaveLength(4);
    expect(await run(), 'once').toStrictEqual({ looked: 0, corrected: 0, doubted: 0 });
  });

  it('has the range that somebody has confirmed or chosen, and stays confirmed', async () => {
    const confirmed = { amount: { value: '1', upTo: '2', unit: 'tablet' }, confirmed: true };
    const id = await ranged('1 to 2 tablets weekly for 1 day', daily, { confirmed });
    const confirmedAt = new Date(NOW);
    await prisma().reminder.update({ where: { id }, data: { confirmedAt } });
    expect(await run()).toMatchObject({ corrected: 1, doubted: 0 });
    expect(await amountsOf(id)).toMatchObject([{ text: '1 to 2 tablet' }]);
    const row = await prisma().reminder.findUniqueOrThrow({ where: { id } });
    expect(row).toMatchObject({
      confirmedAt,
      doubtedAt: null,
      frequencyType: '1 to 2 tablets weekly for 1 day',
    });
    expect(JSON.parse(row.schedule ?? '')).toStrictEqual({ meant: daily, ...confirmed });
  });

  it('has the range of a later phase, of which the smaller end was kept', async () => {
    const course = { kind: 'duration', unit: 'day', count: 6 };
    const id = await ranged(
      '20 mg for 3 days then 40-60 mg for 3 days',
      { ...daily, course },
      {
        unit: 'mg',
        amounts: [{ amount: 20 }, { amount: 40, startsOn: '2026-03-13' }],
      },
    );
    expect(await run()).toMatchObject({ corrected: 1 });
    expect(await amountsOf(id)).toStrictEqual([
      { text: '20 mg', startsOn: null, time: null },
      { text: '40 to 60 mg', startsOn: '2026-03-13', time: null },
    ]);
  });

  it('keeps what somebody has set in the place of a range, and what is a range already', async () => {
    const set = await ranged('1 to 2 tablets daily', daily, {
      unit: 'tablet',
      amounts: [{ amount: 2 }],
    });
    const kept = await ranged('1 to 2 tablets daily', daily, {
      unit: 'tablet',
      amounts: [{ amount: 1, upTo: 2 }],
    });
    expect(await run()).toStrictEqual({ looked: 2, corrected: 0, doubted: 0 });
    expect(await amountsOf(set)).toMatchObject([{ text: '2 tablet' }]);
    expect(await amountsOf(kept)).toMatchObject([{ text: '1 to 2 tablet' }]);
    expect(await told()).toStrictEqual([]);
  });

  it('that was deleted is passed over, and holds up no other', async () => {
    const gone = await stored('take 1 bd', daily);
    const id = await stored('take 1 bd', daily);
    await prisma().reminder.update({ where: { id: gone }, data: { deletedAt: new Date(NOW) } });
    expect(await run()).toStrictEqual({ looked: 1, corrected: 1, doubted: 0 });
    expect((await shown(id)).times).toStrictEqual(['08:00', '20:00']);
    expect(await told()).toStrictEqual(['reminder_corrected']);
  });

  it('that cannot be read holds up no other, and is tried again', async () => {
    const broken = await stored('take 1 bd', daily);
    const unreadable = await stored('take 1 bd', daily);
    const id = await stored('take 1 bd', daily);
    const plain = await stored('daily', daily);
    const change = (of: number, data: object) =>
      prisma().reminder.update({ where: { id: of }, data });
    await change(broken, { zone: 'Nowhere/None' });
    await change(unreadable, { schedule: '{' });
    expect(await run()).toMatchObject({ corrected: 1 });
    expect((await shown(id)).times).toStrictEqual(['08:00', '20:00']);
    const readings = async () =>
      (await prisma().reminder.findMany({ orderBy: { id: 'asc' } })).map(({ reading }) => reading);
    expect(await readings()).toStrictEqual([1, 1, READING, READING]);
    await change(broken, { zone: 'UTC' });
    expect(await run()).toMatchObject({ corrected: 1 });
    expect(await readings()).toStrictEqual([READING, 1, READING, READING]);
    expect(await told()).toStrictEqual(Array(2).fill('reminder_corrected'));
    expect((await shown(plain)).times).toHaveLength(1);
  });

  it('is corrected and told of once by two processes at once', async () => {
    const ids = [await stored('take 1 bd', daily), await ranged('1 to 2 tablets daily', daily)];
    const both = await Promise.all([run(), run()]);
    expect(both.reduce((sum, { corrected }) => sum + corrected, 0)).toBe(2);
    expect(await told()).toStrictEqual(Array(2).fill('reminder_corrected'));
    expect(await amountsOf(ids[1] as number)).toHaveLength(1);
    expect(await prisma().auditEvent.count({ where: { action: 'reminder.reread' } })).toBe(2);
  });

  describe.each([
    ['a range', '1 to 2 tablets daily', 2],
    ['an amount at other times', 'take 1 bd', 1],
    ['an unusual range', 'methotrexate 2.5 to 5 mg daily', 2],
  ])('whose amounts somebody has removed, with %s in its directions', (_, frequency, reading) => {
    it('stays without', async () => {
      const id = await ranged(frequency, daily);
      service().at(NOW + 60_000);
      const set = (steps: object[]) =>
        ask(
          'mutation($input: SetDoseAmountsInput!) { setDoseAmounts(input: $input) { reminder { id } } }',
          { id: String(id), unit: 'tablet', steps },
        );
      await set([{ amount: 2 }]);
      await set([]);
      await prisma().reminder.update({ where: { id }, data: { reading } });
      await run();
      expect(await amountsOf(id)).toStrictEqual([]);
    });
  });

  describe('whose amounts somebody has removed from a range that is confirmed', () => {
    const confirmed = { amount: { value: '1', upTo: '2', unit: 'tablet' }, confirmed: true };
    const removed = async (reading: number) => {
      const id = await ranged('1 to 2 tablets daily', daily, { confirmed });
      const data = { reading, confirmedAt: new Date(NOW) };
      await prisma().reminder.update({ where: { id }, data });
      service().at(NOW + 60_000);
      await ask(
        'mutation($input: SetDoseAmountsInput!) { setDoseAmounts(input: $input) { reminder { id } } }',
        { id: String(id), unit: 'tablet', steps: [] },
      );
      return id;
    };

    it('stays without, by whichever version it was confirmed', async () => {
      const ids = [await removed(2), await removed(3)];
      await run();
      // A version that reads phrases again later on looks at what this one has read.
      await prisma().reminder.updateMany({ where: { id: ids[1] as number }, data: { reading: 3 } });
      await run();
      for (const id of ids) expect(await amountsOf(id)).toStrictEqual([]);
      expect(await told()).toStrictEqual([]);
    });
  });

  it('keeps the smaller end of a range that somebody has set', async () => {
    const amounts = [{ amount: 20 }, { amount: 40, startsOn: '2026-03-13' }];
    const id = await ranged(
      '20 mg for 3 days then 40-60 mg for 3 days',
      { ...daily, course: { kind: 'duration', unit: 'day', count: 6 } },
      { unit: 'mg', amounts },
    );
    await prisma().reminder.update({ where: { id }, data: { confirmedAt: new Date(NOW) } });
    expect(await run()).toMatchObject({ corrected: 0 });
    expect(await amountsOf(id)).toMatchObject([{ text: '20 mg' }, { text: '40 mg' }]);
  });

  /** Logs a dose as it was stored. */
  async function logged(reminderId: number, plannedAt: string, amount: number) {
    const { accountId } = await prisma().reminder.findUniqueOrThrow({ where: { id: reminderId } });
    const at = new Date(plannedAt);
    const of = { accountId, reminderId, plannedAt: at, answer: 'taken', at, name: 'Medicine' };
    const by = { loggedById: 1, loggedAt: at };
    await prisma().dose.create({ data: { ...of, ...by, amount, unit: 'mg' } });
  }
  const taken = async (reminderId: number) =>
    (await prisma().dose.findMany({ where: { reminderId }, orderBy: { at: 'asc' } })).map(
      ({ amount }) => amount?.toString() ?? null,
    );

  it('loses what was taken in its ranged phase alone', async () => {
    const id = await ranged(
      '40 mg for 3 days then 20 mg for 2 days then 20-40 mg for 3 days',
      { ...daily, course: { kind: 'duration', unit: 'day', count: 8 } },
      {
        unit: 'mg',
        amounts: [
          { amount: 40 },
          { amount: 20, startsOn: '2026-03-13' },
          { amount: 20, startsOn: '2026-03-15' },
        ],
      },
    );
    const days = ['12', '13', '14', '15', '16'];
    for (const day of days) await logged(id, `2026-03-${day}T08:00:00Z`, day === '12' ? 40 : 20);
    await logged(id, '2026-03-17T08:00:00Z', 40);
    expect(await run()).toMatchObject({ corrected: 1 });
    expect(await taken(id)).toStrictEqual(['40', '20', '20', null, null, '40']);
  });

  it('keeps what was taken at the time of an amount that was read right', async () => {
    const id = await stored('0.05 mg in the morning and 0.5 mg at night', {
      ...daily,
      timesADay: 2,
      at: [
        { time: '08:00', amount: '0.5' },
        { time: '20:00', amount: '0.5' },
      ],
    });
    const times = ['08:00', '20:00'];
    for (const time of times)
      await prisma().doseAmount.create({
        data: { reminderId: id, startsOn: '0001-01-01', time, amount: 0.5 },
      });
    await prisma().reminder.update({ where: { id }, data: { doseUnit: 'mg', times } });
    for (const time of times) await logged(id, `2026-03-10T${time}:00Z`, 0.5);
    await run();
    expect(await amountsOf(id)).toMatchObject([{ text: '0.05 mg' }, { text: '0.5 mg' }]);
    expect(await taken(id)).toStrictEqual([null, '0.5']);
  });

  it('goes on until finished where its stock fell by wrong amounts', async () => {
    const until = { ...daily, course: { kind: 'supply' } };
    const id = await stored('1,500 mg daily until finished', until, { value: 1.5, unit: 'mg' });
    await ask(
      'mutation($input: SetMedicineStockInput!) { setMedicineStock(input: $input) { reminder { id } } }',
      { id: String(id), amount: 1000, unit: 'mg' },
    );
    await logged(id, '2026-03-10T07:30:00Z', 1.5);
    expect(await run()).toMatchObject({ corrected: 1 });
    expect(await shown(id)).toMatchObject({
      status: 'ACTIVE',
      amounts: [{ value: 1500, unit: 'mg' }],
      stock: { isCertain: false },
    });
  });

  it('has a stock that is as certain as before where nothing was taken', async () => {
    const id = await stored('0.05 mg daily', daily, { value: 0.5, unit: 'mg' });
    await ask(
      'mutation($input: SetMedicineStockInput!) { setMedicineStock(input: $input) { reminder { id } } }',
      { id: String(id), amount: 10, unit: 'mg' },
    );
    await logged(id, '2026-03-09T08:00:00Z', 0.5);
    expect(await run()).toMatchObject({ corrected: 1 });
    expect((await shown(id)).stock).toStrictEqual({ isCertain: true });
    expect(await taken(id)).toStrictEqual([null]);
  });

  it('is mended in silence once it has ended', async () => {
    const range = await ranged('1 to 2 tablets daily', daily);
    const needed = await ranged('1 to 2 tablets every 4 hours as needed', {
      kind: 'as_needed',
      leastMinutes: 240,
    });
    const phases = await ranged(
      '20 mg for 3 days then 40-60 mg for 3 days',
      { ...daily, course: { kind: 'duration', unit: 'day', count: 6 } },
      { unit: 'mg', amounts: [{ amount: 20 }, { amount: 40, startsOn: '2026-03-13' }] },
    );
    const ended = [range, needed, await stored('take 1 bd', daily)];
    const doubted = await stored('cada 8 días', { ...daily, every: 8 });
    const data = { endDate: '2026-03-12', untilAt: new Date('2026-03-12T23:59:59.999Z') };
    for (const id of [...ended, doubted]) await prisma().reminder.update({ where: { id }, data });
    service().at(NOW + 200 * 24 * 60 * 60_000);
    expect(await run()).toMatchObject({ corrected: 4, doubted: 1 });
    expect(await told()).toStrictEqual([]);
    expect(await amountsOf(range)).toMatchObject([{ text: '1 to 2 tablet' }]);
    expect(await amountsOf(phases)).toMatchObject([{ text: '20 mg' }, { text: '40 to 60 mg' }]);
    expect(await prisma().auditEvent.count({ where: { action: 'reminder.reread' } })).toBe(5);
  });

  it('that ended by a misreading alone is told of', async () => {
    const once = { ...daily, every: 28, course: { kind: 'duration', unit: 'day', count: 5 } };
    await stored('every 28 days for 5 days', once);
    service().at(NOW + 200 * 24 * 60 * 60_000);
    expect(await run()).toMatchObject({ corrected: 1 });
    expect(await told()).toStrictEqual(['reminder_corrected']);
  });

  it('is said to have a range, at the times of before', async () => {
    await ranged('1 to 2 tablets daily', daily);
    await run();
    const [message] = await prisma().notification.findMany();
    expect(`${message?.title}. ${message?.body}`).toMatch(/range/);
    expect(message?.body).toMatch(/times are as before/i);
    expect(message?.body).not.toMatch(/misread|corrected/);
  });

  it.each(Object.keys(REREAD))('has words of its own for each outcome in %s', (language) => {
    const texts = Object.values(inLanguage(REREAD, language)).map(({ body }) => body);
    expect(texts).toHaveLength(4);
    expect(new Set(texts).size).toBe(4);
  });

  it('that is in doubt already is told of no more', async () => {
    const ids = [
      await stored('cada 8 días', { ...daily, every: 8 }),
      await stored('methotrexate 2.5 mg daily', daily),
    ];
    const doubtedAt = new Date(NOW);
    for (const id of ids)
      await prisma().reminder.update({ where: { id }, data: { reading: 2, doubtedAt } });
    expect(await run()).toStrictEqual({ looked: 2, corrected: 0, doubted: 0 });
    expect(await told()).toStrictEqual([]);
    for (const id of ids) expect((await shown(id)).frequencyDoubt).not.toBeNull();
  });

  it('whose unusual amount somebody has set right is not doubted again', async () => {
    const weekly = { ...daily, unit: 'week' };
    const id = await stored('methotrexate 100 mg weekly', weekly, { value: 100, unit: 'mg' });
    await ask(
      'mutation($input: SetDoseAmountsInput!) { setDoseAmounts(input: $input) { reminder { id } } }',
      { id: String(id), unit: 'mg', steps: [{ amount: 10 }] },
    );
    expect(await run()).toStrictEqual({ looked: 1, corrected: 0, doubted: 0 });
    expect(await told()).toStrictEqual([]);
    expect((await shown(id)).amounts).toStrictEqual([{ value: 10, unit: 'mg' }]);
  });
});
