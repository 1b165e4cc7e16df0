import { makeMedicine } from '../../support/factories.js';
import { errorCode, mutation, useService } from '../../support/harness.js';

const DOSES = 'events { occurrenceId startsAt status ... on DoseEvent { amount { value } } }';

describe('A course', () => {
  const service = useService();
  const ask = (what: string, input: object, fields = 'reminder { databaseId }') =>
    service().ask(mutation(what, fields), { input });
  const make = async (input: object) => {
    const fields = 'reminder { databaseId }';
    const made = await service().data(mutation('createMedicineReminder', fields), {
      input: { name: 'Amoxicillin', startsOn: '2026-03-10', ...input },
    });
    return made.createMedicineReminder.reminder.databaseId as number;
  };
  const move = async (id: number, startsOn: string, version?: number) => {
    const fields = 'reminder { startsOn endsOn times }';
    const { data, errors } = await ask('moveMedicineCourse', { id, startsOn, version }, fields);
    return errors ? errors[0].extensions.code : data.moveMedicineCourse.reminder;
  };
  const events = async (from: string, to: string) => {
    const query = `query($from: LocalDate, $to: LocalDate) { calendar(from: $from, to: $to) { ${DOSES} } }`;
    return (await service().data(query, { from, to })).calendar.events;
  };
  const shown = async (from: string, to: string): Promise<string[]> =>
    (await events(from, to)).map(
      ({ startsAt, status }: Record<string, string>) => `${startsAt?.slice(8, 13)} ${status}`,
    );
  const DAILY = { repeat: { days: { every: 1 } }, times: [{ clock: '08:00' }] };

  it.each([
    ['by an end date', { frequency: 'daily', startTime: '08:00', endsOn: '2026-03-12' }],
    ['of so many days', { schedule: { ...DAILY, end: { days: 3 } } }],
    ['of so many doses', { schedule: { ...DAILY, end: { count: 3 } } }],
    ['by its words', { frequency: 'daily at 8am for 3 days' }],
    ['by a rule', { frequency: 'FREQ=DAILY;COUNT=3', startTime: '08:00' }],
  ])('%s that was never begun is moved with its end; what was missed stays', async (_, often) => {
    service().at('2026-03-10T07:00:00Z');
    const id = await make(often);
    service().at('2026-03-11T12:00:00Z');
    expect(await move(id, '2026-03-14')).toMatchObject({ startsOn: '2026-03-14' });
    expect(await shown('2026-03-09', '2026-03-30')).toStrictEqual([
      '10T08 MISSED',
      '11T08 MISSED',
      '14T08 UPCOMING',
      '15T08 UPCOMING',
      '16T08 UPCOMING',
    ]);
    service().at('2026-03-16T12:00:00Z');
    const { data } = await service().ask(`{ medicineReminder(id: ${id}) { status } }`);
    expect(data.medicineReminder.status, 'and it is over then').toBe('ENDED');
  });

  it('may begin today, or far beyond its former end', async () => {
    service().at('2026-03-10T07:00:00Z');
    const id = await make({ schedule: { ...DAILY, end: { days: 2 } } });
    expect(await move(id, '2026-06-01')).toMatchObject({ endsOn: '2026-06-02' });
    service().at('2026-03-12T07:00:00Z');
    expect(await move(id, '2026-03-12')).toMatchObject({ endsOn: '2026-03-13' });
  });

  it('moves with the steps of its amounts', async () => {
    service().at('2026-03-10T07:00:00Z');
    const id = await make({ frequency: 'daily', startTime: '08:00', endsOn: '2026-03-12' });
    const steps = [{ amount: 4 }, { startsOn: '2026-03-11', amount: 2 }];
    await ask('setDoseAmounts', { id, unit: 'tablet', steps });
    await move(id, '2026-03-13');
    const amounts = (await events('2026-03-13', '2026-03-15')).map(
      ({ amount }: { amount: { value: number } }) => amount.value,
    );
    expect(amounts).toStrictEqual([4, 2, 2]);
  });

  it('stays where it was begun, has no end of its own, or would begin in the past', async () => {
    service().at('2026-03-10T07:00:00Z');
    const endless = await makeMedicine(service(), { frequencyType: 'daily' });
    expect(await move(endless, '2026-03-14')).toBe('COURSE_ENDLESS');
    const fixed = await make({ frequency: 'FREQ=DAILY;UNTIL=20260320' });
    expect(await move(fixed, '2026-03-14')).toBe('COURSE_ENDLESS');
    const id = await make({ schedule: { ...DAILY, end: { count: 3 } } });
    expect(await move(id, '2026-03-09')).toBe('DATE_INVALID');
    expect(await move(id, '2026-03-12', 7)).toBe('CONFLICT');
    service().at('2026-03-10T08:05:00Z');
    expect(await move(id, '2026-03-10'), 'one of its doses would be lost').toBe('DATE_INVALID');
    const day = await events('2026-03-10', '2026-03-10');
    const own = day.find(({ occurrenceId }: { occurrenceId: string }) =>
      occurrenceId.startsWith(`${id}-`),
    );
    expect(own, JSON.stringify(day)).toBeDefined();
    await ask('skipDose', { occurrenceId: own.occurrenceId }, 'event { status }');
    expect(await move(id, '2026-03-11'), 'skipped is not begun').toMatchObject({
      startsOn: '2026-03-11',
    });
    service().at('2026-03-11T08:05:00Z');
    const [next] = (await events('2026-03-11', '2026-03-11')).filter(
      ({ occurrenceId }: { occurrenceId: string }) => occurrenceId.startsWith(`${id}-`),
    );
    await ask('takeDose', { occurrenceId: next.occurrenceId }, 'event { status }');
    expect(await move(id, '2026-03-14')).toBe('COURSE_BEGUN');
  });

  it('that is edited by hand has its due dose replaced, not a second one beside it', async () => {
    service().at('2026-03-10T07:00:00Z');
    const id = await make({ frequency: 'daily', startTime: '08:00' });
    service().at('2026-03-10T09:00:00Z');
    await ask('updateMedicineReminder', { id, startTime: '10:00' });
    expect(await shown('2026-03-10', '2026-03-11')).toStrictEqual([
      '10T08 WITHHELD',
      '10T10 UPCOMING',
      '11T10 UPCOMING',
    ]);
  });
});

describe('A dose that is left out', () => {
  const service = useService();
  const act = async (what: string, input: object) => {
    const { data, errors } = await service().ask(mutation(what, 'event { status }'), { input });
    return errors ? errorCode({ errors }) : data[what].event.status;
  };
  /** Five doses that are over, at 08:00 of as many days. */
  const begin = async (): Promise<string[]> => {
    service().at('2026-03-10T07:00:00Z');
    await makeMedicine(service(), { startDate: '2026-03-10T08:00:00' });
    service().at('2026-03-14T12:00:00Z');
    const { calendar } = await service().data(
      '{ calendar(from: "2026-03-10", to: "2026-03-14") { events { occurrenceId } } }',
    );
    return calendar.events.map(({ occurrenceId }: { occurrenceId: string }) => occurrenceId);
  };
  const COUNTS = 'taken skipped refused unneeded missed rate';

  it('is told apart when it was refused or not needed, and counts as neither missed', async () => {
    const [taken, skipped, refused, unneeded] = await begin();
    expect(await act('takeDose', { occurrenceId: taken })).toBe('TAKEN');
    expect(await act('skipDose', { occurrenceId: skipped })).toBe('SKIPPED');
    expect(await act('skipDose', { occurrenceId: refused, reason: 'REFUSED' })).toBe('REFUSED');
    expect(await act('skipDose', { occurrenceId: unneeded, reason: 'UNNEEDED' })).toBe('UNNEEDED');
    const { adherence, calendar } = await service().data(
      `{ adherence { ${COUNTS} days { date unneeded rate } }
         calendar(from: "2026-03-10", to: "2026-03-14") { events { status } } }`,
    );
    const counts = { taken: 1, skipped: 1, refused: 1, unneeded: 1, missed: 1 };
    expect(adherence, 'of four doses, one was taken').toMatchObject({ ...counts, rate: 0.25 });
    expect(adherence.days[3]).toStrictEqual({ date: '2026-03-13', unneeded: 1, rate: null });
    expect(calendar.events.map(({ status }: { status: string }) => status)).toStrictEqual([
      ...['TAKEN', 'SKIPPED', 'REFUSED', 'UNNEEDED', 'MISSED'],
    ]);
  });

  it('gets another reason, is taken after all, and is open again when that is undone', async () => {
    const [occurrenceId] = await begin();
    await act('skipDose', { occurrenceId, reason: 'REFUSED', note: 'sick' });
    expect(await act('skipDose', { occurrenceId }), 'no reason changes none').toBe('REFUSED');
    expect(await act('skipDose', { occurrenceId, reason: 'UNNEEDED' })).toBe('UNNEEDED');
    const { calendar } = await service().data(
      '{ calendar(from: "2026-03-10", to: "2026-03-10") { events { ... on DoseEvent { note } } } }',
    );
    expect(calendar.events).toStrictEqual([{ note: 'sick' }]);
    expect(await act('takeDose', { occurrenceId })).toBe('TAKEN');
    expect(await act('skipDose', { occurrenceId, reason: 'REFUSED' })).toBe('ALREADY_TAKEN');
    expect(await act('undoDose', { occurrenceId })).toBe('MISSED');
  });

  it('is skipped to apps of the editions, and so it is in reports', async () => {
    const [, , refused, unneeded] = await begin();
    await act('skipDose', { occurrenceId: refused, reason: 'REFUSED' });
    await act('skipDose', { occurrenceId: unneeded, reason: 'UNNEEDED' });
    const { body } = await service().rest('GET', '/v1/all_events', {
      as: 'subscriber',
      edition: 'B',
      query: { date_from: '2026-03-10', date_to: '2026-03-14' },
    });
    expect(body.map(({ status }: { status: string }) => status)).toStrictEqual([
      ...['missed', 'missed', 'skipped', 'skipped', 'missed'],
    ]);
    const { doseReport } = await service().data(
      `{ doseReport(from: "2026-03-10", to: "2026-03-14") {
          total { scheduled taken skipped missed } } }`,
    );
    expect(doseReport.total).toStrictEqual({ scheduled: 4, taken: 0, skipped: 1, missed: 3 });
  });
});
