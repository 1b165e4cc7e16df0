import { tellOfStock } from '../../../src/domains/dispatch/stock-notice.service.js';
import { makeCarer, makeDevice, makeMedicine } from '../../support/factories.js';
import { type Caller, errorCode, mutation, useService } from '../../support/harness.js';

const STOCK =
  'stock { amount unit isCertain outlook runsOutOn noticeDays packs { amount left expiresOn } }';

describe('The stock of a medicine', () => {
  const service = useService();
  const ask = (what: string, input: object, as: Caller = 'subscriber') =>
    service().ask(mutation(what, `reminder { ${STOCK} }`), { input }, as);
  const set = async (input: object) => {
    const { data, errors } = await ask('setMedicineStock', { unit: 'tablet', ...input });
    return errors ? errors[0].extensions.code : data.setMedicineStock.reminder.stock;
  };
  const refill = (input: object) => ask('refillMedicineStock', input);
  const stock = async (id: number, as: Caller = 'subscriber') =>
    (await service().ask(`{ medicineReminder(id: ${id}) { ${STOCK} } }`, {}, as)).data
      .medicineReminder?.stock;
  const events = async (day: string) => {
    const query =
      'query($day: LocalDate) { calendar(from: $day, to: $day) { events { occurrenceId } } }';
    const { calendar } = await service().data(query, { day });
    return calendar.events.map(({ occurrenceId }: { occurrenceId: string }) => occurrenceId);
  };
  const act = (what: string, input: object) =>
    service().ask(mutation(what, 'event { status }'), { input });
  const amounts = (id: number, steps: object[], unit = 'tablet') =>
    service().data(mutation('setDoseAmounts', 'reminder { id }'), { input: { id, unit, steps } });
  /** Twice a day, 1 in the morning and 2 at night. */
  const begin = async (fields: object = {}) => {
    service().at('2026-03-10T07:00:00Z');
    const id = await makeMedicine(service(), {
      frequencyType: '2_times_a_day',
      startDate: '2026-03-10',
      ...fields,
    });
    await amounts(id, [{ amount: 1, times: [{ time: '20:00', amount: 2 }] }]);
    return id;
  };

  it('goes down with each dose that is taken, by its own amount, and up when it is undone', async () => {
    const id = await begin();
    expect(await stock(id), 'nobody has said').toBeNull();
    expect(await set({ id, amount: 10 })).toMatchObject({ amount: 10, unit: 'tablet' });
    const [morning, night] = await events('2026-03-10');
    service().at('2026-03-10T08:05:00Z');
    await act('takeDose', { occurrenceId: morning });
    expect((await stock(id)).amount, 'one in the morning').toBe(9);
    await act('takeDose', { occurrenceId: night });
    expect((await stock(id)).amount, 'two at night').toBe(7);
    await act('takeDose', { occurrenceId: morning, force: true });
    expect((await stock(id)).amount, 'once more').toBe(6);
    await act('undoDose', { occurrenceId: night });
    expect((await stock(id)).amount, 'undone').toBe(8);
    await act('skipDose', { occurrenceId: night });
    expect((await stock(id)).amount, 'left out').toBe(8);
    await act('takeDose', { occurrenceId: night });
    expect((await stock(id)).amount, 'taken after all').toBe(6);
    await act('logDose', { reminderId: id });
    expect(await stock(id), 'out of turn').toMatchObject({ amount: 5, isCertain: true });
  });

  it('stays 0 and is no longer certain when a dose is taken that it does not cover', async () => {
    const id = await begin();
    await set({ id, amount: 1.5 });
    const [morning, night] = await events('2026-03-10');
    await act('takeDose', { occurrenceId: morning });
    expect(await stock(id)).toMatchObject({ amount: 0.5, isCertain: true });
    expect((await act('takeDose', { occurrenceId: night })).data.takeDose.event.status).toBe(
      'TAKEN',
    );
    expect(await stock(id)).toMatchObject({ amount: 0, isCertain: false });
    await act('undoDose', { occurrenceId: night });
    expect(await stock(id), 'what was taken off comes back').toMatchObject({ amount: 0.5 });
    expect(await set({ id, amount: 30 })).toMatchObject({ amount: 30, isCertain: true });
    await act('undoDose', { occurrenceId: morning });
    expect((await stock(id)).amount, 'undone in the minute of the count').toBe(31);
    service().at('2026-03-10T09:00:00Z');
    await act('takeDose', { occurrenceId: morning, at: '2026-03-10T06:30:00Z' });
    expect((await stock(id)).amount, 'taken before it was counted').toBe(31);
  });

  it('does not count doses of another unit, or of none, and says so', async () => {
    const id = await begin();
    await set({ id, amount: 10, unit: 'ml' });
    const [morning] = await events('2026-03-10');
    await act('takeDose', { occurrenceId: morning });
    expect(await stock(id)).toMatchObject({
      ...{ amount: 10, isCertain: false, outlook: 'UNKNOWN', runsOutOn: null },
    });
  });

  it('of which nobody knows how much is left shows no day, and is told of all the same', async () => {
    const id = await begin({ frequencyType: '1 to 2 tablets twice daily' });
    await service().data(mutation('setDoseAmounts', 'reminder { id }'), {
      input: { id, unit: 'tablet', steps: [{ amount: 1, upTo: 2 }] },
    });
    expect(await set({ id, amount: 12 })).toMatchObject({ runsOutOn: '2026-03-13' });
    const [morning] = await events('2026-03-10');
    await act('takeDose', { occurrenceId: morning });
    const doubtful = { amount: 12, isCertain: false, outlook: 'UNKNOWN', runsOutOn: null };
    expect(await stock(id)).toMatchObject(doubtful);
    const told = async () => {
      await tellOfStock(service().app.deps);
      return service().database.prisma.notification.count();
    };
    service().at('2026-03-10T10:00:00Z');
    expect(await told()).toBe(1);
    expect(await set({ id, amount: 12 }), 'counted again').toMatchObject({ isCertain: true });
  });

  it('is known again when it is refilled after nothing was left by the count', async () => {
    const id = await begin();
    await set({ id, amount: 1 });
    const [morning, night] = await events('2026-03-10');
    await act('takeDose', { occurrenceId: morning });
    await act('takeDose', { occurrenceId: night });
    expect(await stock(id)).toMatchObject({ amount: 0, isCertain: false });
    await refill({ id, amount: 60 });
    expect(await stock(id)).toMatchObject({ amount: 60, isCertain: true, outlook: 'RUNS_OUT' });
  });

  it('runs out on the day of the first dose that it does not cover', async () => {
    const id = await begin();
    expect(await set({ id, amount: 9 }), 'three a day').toMatchObject({
      ...{ outlook: 'RUNS_OUT', runsOutOn: '2026-03-13' },
    });
    expect(await set({ id, amount: 10 }), 'one on the morning of the 13th').toMatchObject({
      runsOutOn: '2026-03-13',
    });
    const pause = { id, startsOn: '2026-03-12', resumesOn: '2026-03-20' };
    await service().data(mutation('pauseMedicineReminder', 'reminder { id }'), { input: pause });
    expect(await stock(id), 'a pause is counted').toMatchObject({ runsOutOn: '2026-03-21' });
    const [first] = await events('2026-03-10');
    await act('skipDose', { occurrenceId: first });
    await set({ id, amount: 2 });
    expect(await stock(id), 'what was answered ahead is not').toMatchObject({
      runsOutOn: '2026-03-11',
    });
    await amounts(id, [{ amount: 1 }, { startsOn: '2026-03-11', amount: 0.25 }]);
    expect(await stock(id), 'tapering is counted').toMatchObject({ runsOutOn: '2026-03-21' });
  });

  it.each([
    ['lasts where the medicine ends before', { endDate: '2026-03-12' }, 'LASTS'],
    ['is unknown of what is taken as needed', { frequencyType: 'as needed' }, 'UNKNOWN'],
    ['is unknown of what was not understood', { frequencyType: 'as directed' }, 'UNKNOWN'],
    ['counts on from the last dose', { frequencyType: 'every 8 hours' }, 'RUNS_OUT'],
  ])('%s', async (_, fields, outlook) => {
    const id = await begin(fields);
    expect((await set({ id, amount: 9 })).outlook).toBe(outlook);
  });

  it('of a medicine that counts from the last dose lasts through its pauses', async () => {
    service().at('2026-03-10T07:00:00Z');
    const schedule = { repeat: { afterDose: { minutes: 480 } } };
    const input = { name: 'M', startsOn: '2026-03-10', startTime: '16:00', schedule };
    const { createMedicineReminder: made } = await service().data(
      mutation('createMedicineReminder', 'reminder { databaseId }'),
      { input },
    );
    const id = made.reminder.databaseId;
    await amounts(id, [{ amount: 1 }]);
    expect(await set({ id, amount: 9 })).toMatchObject({ runsOutOn: '2026-03-13' });
    const pause = (input: object) =>
      service().data(mutation('pauseMedicineReminder', 'reminder { id }'), {
        input: { id, ...input },
      });
    await pause({ startsOn: '2026-03-12', resumesOn: '2026-03-20' });
    expect(await stock(id), 'a pause with an end').toMatchObject({ runsOutOn: '2026-03-21' });
    await service().data(mutation('resumeMedicineReminder', 'reminder { id }'), { input: { id } });
    await pause({});
    expect(await stock(id), 'a pause without an end').toMatchObject({
      ...{ outlook: 'LASTS', runsOutOn: null },
    });
    service().at('2026-03-10T10:00:00Z');
    await tellOfStock(service().app.deps);
    expect(await service().database.prisma.notification.count()).toBe(0);
  });

  it('runs out with the first dose for which only expired packs are left', async () => {
    const id = await begin();
    const packs = [{ amount: 50, expiresOn: '2026-03-15' }];
    expect(await set({ id, amount: 56, noticeDays: 6, packs })).toMatchObject({
      ...{ outlook: 'RUNS_OUT', runsOutOn: '2026-03-16' },
    });
    service().at('2026-03-10T10:00:00Z');
    await tellOfStock(service().app.deps);
    const rows = await service().database.prisma.notification.findMany();
    expect(rows.map(({ body }) => body).sort()).toStrictEqual([
      'A pack of one of your medicines expires on 15 March.',
      'One of your medicines runs out on 16 March.',
    ]);
  });

  it('is added to by a refill, with the day on which the pack expires', async () => {
    const id = await begin();
    expect(errorCode(await refill({ id, amount: 20 }))).toBe('STOCK_UNKNOWN');
    await set({ id, amount: 2, packs: [{ amount: 10, expiresOn: '2026-03-30' }] });
    await refill({ id, amount: 20.125, expiresOn: '2026-12-31' });
    expect(await stock(id)).toMatchObject({
      amount: 22.125,
      packs: [
        { amount: 10, left: 2, expiresOn: '2026-03-30' },
        { amount: 20.125, left: 20.125, expiresOn: '2026-12-31' },
      ],
    });
    const [morning, night] = await events('2026-03-10');
    for (const occurrenceId of [morning, night]) await act('takeDose', { occurrenceId });
    expect((await stock(id)).packs, 'the pack that expires first is used first').toStrictEqual([
      { amount: 20.125, left: 19.125, expiresOn: '2026-12-31' },
    ]);
    expect(await set({ id, amount: null }), 'forgotten').toBeNull();
  });

  it('refuses what cannot be, and nothing changes', async () => {
    const id = await begin();
    const none = await makeMedicine(service(), { startDate: '2026-03-10' });
    expect(errorCode(await ask('setMedicineStock', { id: none, amount: 3 }))).toBe('STOCK_INVALID');
    expect(errorCode(await ask('setMedicineStock', { id, noticeDays: 3 }))).toBe('STOCK_UNKNOWN');
    const [first] = (await ask('setMedicineStock', { id, unit: 'tablet' })).errors;
    expect(first.message).toContain('Give the amount');
    expect(first.extensions.problems[0].path).toStrictEqual(['input', 'amount']);
    await set({ id, amount: 5 });
    const pack = { amount: 1, expiresOn: '2027-01-01' };
    for (const input of [
      ...[-1, 0.000_01, 1_000_001, Number.MAX_VALUE].map((amount) => ({ amount })),
      ...[-1, 91, 1.5].map((noticeDays) => ({ noticeDays })),
      { packs: Array.from({ length: 21 }, () => pack) },
      { packs: [{ ...pack, amount: 0 }] },
    ])
      expect(await set({ id, ...input }), JSON.stringify(input)).toMatch(/^[A-Z_]+$/);
    for (const input of [
      ...[-1, 0, 0.000_01, 100_001].map((amount) => ({ amount })),
      { amount: 1, expiresOn: '2026-03-09' },
    ])
      expect(errorCode(await refill({ id, ...input })), JSON.stringify(input)).toBeDefined();
    await set({ id, amount: 1_000_000 });
    expect(errorCode(await refill({ id, amount: 1 })), 'too much').toBe('STOCK_INVALID');
    expect((await stock(id)).amount).toBe(1_000_000);
  });

  it('is seen by a carer who sees the member, and changed by one who may edit', async () => {
    const id = await begin();
    await set({ id, amount: 5 });
    const { id: memberId } = await service().account('subscriber');
    const { id: carerId } = await service().account('clinician');
    expect(await stock(id, 'clinician'), 'a stranger').toBeUndefined();
    await makeCarer(service(), { memberId, carerId, right: 'see' });
    expect((await stock(id, 'clinician')).amount).toBe(5);
    const refused = await ask('refillMedicineStock', { id, amount: 1 }, 'clinician');
    expect(errorCode(refused)).toBe('FORBIDDEN');
  });

  it('loses nothing when doses and refills come at once', async () => {
    const id = await begin({ frequencyType: 'as needed' });
    await amounts(id, [{ amount: 0.5 }]);
    await set({ id, amount: 10 });
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, i) =>
        i % 3 === 0 ? refill({ id, amount: 2 }) : act('logDose', { reminderId: id }),
      ),
    );
    expect(answers.map(errorCode)).toStrictEqual(answers.map(() => undefined));
    expect(await stock(id)).toMatchObject({ amount: 12, isCertain: true });
  });

  it('costs an answer no statement more, and a list the same for one medicine and for many', async () => {
    const id = await begin();
    const [morning, night] = await events('2026-03-10');
    const taking = (occurrenceId: string) =>
      service().statements(() => act('takeDose', { occurrenceId }));
    const without = await taking(morning as string);
    expect(without).toBe(11);
    await set({ id, amount: 9 });
    expect(await taking(night as string)).toBe(without);
    const listing = () =>
      service().statements(() => service().data(`{ medicineReminders { nodes { ${STOCK} } } }`));
    const one = await listing();
    for (let i = 0; i < 3; i++) await set({ id: await begin(), amount: i });
    expect(await listing()).toBe(one);
  });

  describe('that runs out', () => {
    const told = async () => {
      const rows = await service().database.prisma.notification.findMany({
        where: { kind: { startsWith: 'stock' } },
        orderBy: { id: 'asc' },
        include: { deliveries: true },
      });
      return rows.map(
        ({ sendAt, body, deliveries }) =>
          `${sendAt.toISOString().slice(8, 13)} ${body} (${deliveries.length})`,
      );
    };
    /** Lets the job run some times a day until an instant; the doses of 08:00 and 20:00 are taken. */
    const until = async (end: string) => {
      for (let now = service().now(); now <= Date.parse(end); now += 3_600_000) {
        const time = new Date(now).toISOString();
        const hour = time.slice(11, 13);
        if (!['08', '09', '10', '20'].includes(hour)) continue;
        service().at(now);
        const taken = { '08': 0, '20': 1 }[hour];
        const [occurrenceId] =
          taken === undefined ? [] : (await events(time.slice(0, 10))).slice(taken);
        if (occurrenceId) await act('takeDose', { occurrenceId });
        await tellOfStock(service().app.deps);
      }
    };

    it('is told once, at 10:00 so many days before, without its name', async () => {
      const id = await begin();
      await makeDevice(service());
      await set({ id, amount: 12, noticeDays: 1 });
      await until('2026-03-12T23:00:00Z');
      expect(await told(), 'nothing before').toStrictEqual([]);
      await until('2026-03-13T23:00:00Z');
      const first = '13T10 One of your medicines runs out on 14 March. (1)';
      expect(await told()).toStrictEqual([first]);
      await refill({ id, amount: 6 });
      await until('2026-03-16T23:00:00Z');
      expect(await told(), 'and of the next time that it runs out').toStrictEqual([
        first,
        '15T10 One of your medicines runs out on 16 March. (1)',
      ]);
    });

    it('is told by the clocks of where the member has moved', async () => {
      await set({ id: await begin(), amount: 3 });
      await service().data(mutation('updateCareSettings', '__typename'), {
        input: { timeZone: 'America/New_York' },
      });
      for (const hour of ['10', '13', '14']) {
        service().at(`2026-03-10T${hour}:00:00Z`);
        await tellOfStock(service().app.deps);
      }
      expect(await told()).toStrictEqual(['10T14 One of your medicines runs out on 11 March. (0)']);
    });

    it('is told however often the member crosses a border of zones about that time', async () => {
      await set({ id: await begin(), amount: 3 });
      const fly = async (at: string, timeZone: string) => {
        service().at(at);
        await service().data(mutation('updateCareSettings', '__typename'), { input: { timeZone } });
        await tellOfStock(service().app.deps);
      };
      await fly('2026-03-10T07:30:00Z', 'Europe/Lisbon');
      await fly('2026-03-10T09:30:00Z', 'Europe/Madrid');
      expect(await told()).toStrictEqual(['10T09 One of your medicines runs out on 11 March. (0)']);
    });

    it('is told with its name where the member lets names be shown', async () => {
      const id = await begin();
      await set({ id, amount: 3 });
      await set({ id: await begin({ name: 'Aspirin' }), amount: 6 });
      await service().data(
        mutation('updateNotificationPreference', 'notificationPreference { lockScreenNames }'),
        { input: { lockScreenNames: true } },
      );
      await until('2026-03-10T10:00:00Z');
      const { name } = await service().database.prisma.reminder.findUniqueOrThrow({
        where: { id },
      });
      expect(await told()).toStrictEqual([
        `10T10 Running out: ${name} (11 March) and Aspirin (12 March). (0)`,
      ]);
    });

    it('is told once however many processes look', async () => {
      const ids: number[] = [];
      for (let i = 0; i < 5; i++) ids.push(await begin());
      for (const id of ids) await set({ id, amount: 2 });
      service().at('2026-03-10T10:00:00Z');
      const rounds = [1, 2, 3, 4].map(() => tellOfStock(service().app.deps));
      await Promise.all(rounds);
      service().at('2026-03-11T10:00:00Z');
      await tellOfStock(service().app.deps);
      const { notifications } = await service().data('{ notifications { nodes { kind data } } }');
      const named = notifications.nodes.flatMap(
        ({ data }: { data: { reminder_ids: number[] } }) => data.reminder_ids,
      );
      expect(named.sort((a: number, b: number) => a - b)).toStrictEqual(ids);
    });

    it('is not told where nobody wants it, of a deleted medicine, or of one that lasts', async () => {
      await set({ id: await begin(), amount: 3, noticeDays: 0 });
      const deleted = await begin();
      await set({ id: deleted, amount: 3 });
      const gone = mutation('deleteMedicineReminder', 'deletedReminderId');
      await service().data(gone, { input: { id: deleted } });
      await set({ id: await begin({ endDate: '2026-03-12' }), amount: 9 });
      await until('2026-03-11T12:00:00Z');
      expect(await told()).toStrictEqual([]);
    });

    it('or whose pack expires is told before, each pack once', async () => {
      const id = await begin();
      const packs = [
        { amount: 100, expiresOn: '2026-03-14' },
        { amount: 100, expiresOn: '2026-06-30' },
      ];
      await set({ id, amount: 150, noticeDays: 2, packs });
      await until('2026-03-13T12:00:00Z');
      expect(await told()).toStrictEqual([
        '12T10 A pack of one of your medicines expires on 14 March. (0)',
      ]);
    });
  });
});
