import { handOver } from '../../../src/domains/dispatch/handover.service.js';
import { planDue } from '../../../src/domains/reminders/alert/plan-due.service.js';
import { makeMedicine } from '../../support/factories.js';
import { errorCode, mutation, useService } from '../../support/harness.js';

const LANGUAGES = ['en', 'de', 'es', 'fr', 'pt', 'ar'];
const START = '2026-03-10T14:00:00';
const LOADING = '2 tablets every 6 hours for 1 day, then 1 tablet twice daily for 2 days';

describe('Hours that another amount follows', () => {
  const service = useService();
  const make = (frequencyType: string, more: object = {}) => {
    service().at('2026-03-10T07:00:00Z');
    return makeMedicine(service(), { frequencyType, startDate: START, ...more });
  };
  const read = async (id: number, fields: string) =>
    (await service().data(`{ medicineReminder(id: ${id}) { ${fields} } }`)).medicineReminder;
  const act = (what: string, input: object, fields = '__typename') =>
    service().data(mutation(what, fields), { input });
  /** The doses of some days: instant in UTC and amount. */
  const doses = async (from = '2026-03-09', to = '2026-03-20'): Promise<string[]> => {
    const events = 'events { startsAt ... on DoseEvent { amount { text } } }';
    const query = `{ calendar(from: "${from}", to: "${to}") { ${events} } }`;
    return (await service().data(query)).calendar.events.map(
      ({ startsAt, amount }: { startsAt: string; amount: { text: string } | null }) =>
        `${new Date(startsAt).toISOString().slice(5, 16).replace('T', ' ')} ${amount?.text ?? '?'}`,
    );
  };
  const amounts = async (id: number) =>
    (await read(id, 'amounts { startsOn startsAt text }')).amounts;

  it('ring until their end with their amount, and from it on with the next one', async () => {
    const id = await make(LOADING);
    expect(await doses()).toStrictEqual([
      '03-10 14:00 2 tablet',
      '03-10 20:00 2 tablet',
      '03-11 02:00 2 tablet',
      '03-11 08:00 2 tablet',
      '03-11 20:00 1 tablet',
      '03-12 08:00 1 tablet',
      '03-12 20:00 1 tablet',
    ]);
    expect(await amounts(id)).toStrictEqual([
      { startsOn: null, startsAt: null, text: '2 tablet' },
      { startsOn: '2026-03-11', startsAt: '2026-03-11T14:00:00.000Z', text: '1 tablet' },
    ]);
  });

  it('are said phase by phase, in each language, and those that are over no longer', async () => {
    const id = await make(LOADING);
    const said = async (language: string) =>
      (await read(id, `text: scheduleText(language: "${language}")`)).text;
    expect(await Promise.all(LANGUAGES.map(said))).toStrictEqual([
      '2 tablets every 6 hours, for 1 day, then 1 tablet every day at 08:00 and 20:00, for 2 days',
      '2 Tabletten alle 6 Stunden, für 1 Tag, dann 1 Tablette jeden Tag um 08:00 und 20:00, für 2 Tage',
      '2 comprimidos cada 6 horas, durante 1 día, luego 1 comprimido cada día a las 08:00 y 20:00, durante 2 días',
      '2 comprimés toutes les 6 heures, pendant 1 jour, puis 1 comprimé tous les jours à 08:00 et 20:00, pendant 2 jours',
      '2 comprimidos a cada 6 horas, por 1 dia, depois 1 comprimido todos os dias às 08:00 e 20:00, por 2 dias',
      '2 قرص كل 6 ساعات، لمدة يوم واحد، ثم 1 قرص كل يوم الساعة 08:00 و20:00، لمدة يومين',
    ]);
    service().at('2026-03-11T16:00:00Z');
    expect(await said('en')).toMatch(/^2 tablets every 6 hours/);
    service().at('2026-03-12T05:00:00Z');
    expect(await said('en')).toBe('1 tablet every day at 08:00 and 20:00, for 2 days');
    service().at('2026-03-13T07:00:00Z');
    expect((await read(id, 'status')).status).toBe('ENDED');
  });

  it('go on with other hours, and with days behind these', async () => {
    await make('500 mg q8h x 1 day then 250 mg q12h x 1 day then 100 mg daily');
    expect((await doses()).slice(0, 7)).toStrictEqual([
      '03-10 14:00 500 mg',
      '03-10 22:00 500 mg',
      '03-11 06:00 500 mg',
      '03-11 14:00 250 mg',
      '03-12 02:00 250 mg',
      '03-13 08:00 100 mg',
      '03-14 08:00 100 mg',
    ]);
  });

  it('are shown by REST with the instant of each step', async () => {
    const id = await make(LOADING);
    const { body } = await service().rest('GET', `/v1/medicine_reminder/${id}`, {
      edition: 'B',
      as: 'subscriber',
    });
    expect(body.schedule_text).toMatch(/then 1 tablet every day/);
    expect(body.amounts).toMatchObject([
      { starts_on: null, starts_at: null, value: 2 },
      { starts_on: '2026-03-11', starts_at: '2026-03-11T14:00:00.000Z', value: 1 },
    ]);
  });

  it('are told by the push and the calendar feed', async () => {
    const id = await make(LOADING);
    const headers = await service().session('subscriber');
    const { body } = await service().graphql(
      mutation('createCalendarFeed', 'calendarFeed { url }'),
      { input: { titles: true } },
      { headers },
    );
    const { url } = body.data.createCalendarFeed.calendarFeed;
    const { text } = await service().fetch(new URL(url).pathname, { method: 'GET' });
    const events = text.split('BEGIN:VEVENT').slice(1) as string[];
    const shown = events.map(
      (event) => `${/(?<=DTSTART:)\S+/.exec(event)} ${/(?<=SUMMARY:).*(?=\r)/.exec(event)}`,
    );
    expect(shown).toContain('20260311T080000Z Aspirin (2 tablet)');
    expect(shown).toContain('20260311T200000Z Aspirin (1 tablet)');
    await act('confirmDirections', { id });
    await act('updateNotificationPreference', { lockScreenNames: true });
    const told = async (at: string): Promise<string[]> => {
      service().at(at);
      await planDue(service().app.deps);
      await handOver(service().app.deps);
      const where = { kind: 'reminder', sendAt: new Date(service().now()) };
      const rows = await service().database.prisma.notification.findMany({ where });
      return rows.map(({ body: words }) => words);
    };
    expect(await told('2026-03-11T08:00:00Z')).toStrictEqual([
      'It is time for Aspirin (2 tablet).',
    ]);
    expect(await told('2026-03-11T20:00:00Z')).toStrictEqual([
      'It is time for Aspirin (1 tablet).',
    ]);
  });

  it('take their amounts from the stock', async () => {
    const id = await make(LOADING);
    await act('setMedicineStock', { id, amount: 9, unit: 'tablet' });
    // 2 x 4 until 08:00, then one at 20:00: none is left on the day after.
    expect((await read(id, 'stock { runsOutOn }')).stock.runsOutOn).toBe('2026-03-12');
  });

  it.each(['R4', 'R5'] as const)('are sequences of FHIR %s, out and in', async (version) => {
    const id = await make(
      '2 tablets every 6 hours for 1 day, then 3 tablets every 12 hours for 1 day, then 1 tablet ' +
        'twice daily for 2 days, then 0.5 tablet daily',
    );
    const { dosages } = await read(id, `dosages: fhirDosages(version: ${version})`);
    expect(dosages).toMatchObject([
      { sequence: 1, doseAndRate: [{ doseQuantity: { value: 2 } }] },
      { sequence: 2, doseAndRate: [{ doseQuantity: { value: 3 } }] },
      { sequence: 3, doseAndRate: [{ doseQuantity: { value: 1 } }] },
      { sequence: 4, doseAndRate: [{ doseQuantity: { value: 0.5 } }] },
    ]);
    const before = await doses();
    const said = await read(id, 'scheduleText');
    expect(before.slice(5, 8)).toStrictEqual([
      '03-12 02:00 3 tablet',
      '03-12 20:00 1 tablet',
      '03-13 08:00 1 tablet',
    ]);
    await act('deleteMedicineReminder', { id });
    const input = { name: 'Copy', fhirDosage: { version, dosages } };
    const fields = `reminder { databaseId dosages: fhirDosages(version: ${version}) }`;
    const { createMedicineReminder } = await act('createMedicineReminder', input, fields);
    const copy = createMedicineReminder.reminder;
    expect(copy.dosages).toStrictEqual(dosages);
    expect(await doses()).toStrictEqual(before);
    expect(await read(copy.databaseId, 'scheduleText')).toStrictEqual(said);
  });

  it('of one FHIR interval with two amounts change at the instant when the first is over', async () => {
    service().at('2026-03-10T07:00:00Z');
    const sequence = (number: number, value: number, start: string, end?: string) => ({
      sequence: number,
      timing: {
        repeat: {
          boundsPeriod: { start, ...(end && { end }) },
          frequency: 1,
          period: 6,
          periodUnit: 'h',
        },
      },
      doseAndRate: [{ doseQuantity: { value, unit: 'mg' } }],
    });
    const dosages = [
      sequence(1, 20, '2026-03-10T14:00:00Z', '2026-03-11T13:59:59Z'),
      sequence(2, 10, '2026-03-11T14:00:00Z'),
    ];
    await act('createMedicineReminder', { name: 'A', fhirDosage: { version: 'R4', dosages } });
    expect((await doses()).slice(0, 6)).toStrictEqual([
      '03-10 14:00 20 mg',
      '03-10 20:00 20 mg',
      '03-11 02:00 20 mg',
      '03-11 08:00 20 mg',
      '03-11 14:00 10 mg',
      '03-11 20:00 10 mg',
    ]);
  });

  describe('and days behind them', () => {
    const COURSE =
      '3 tablets every 6 hours for 1 day, then 2 tablets daily for 2 days, then 1 tablet daily';

    it('go with the start, also where somebody has set the amounts', async () => {
      const id = await make(COURSE);
      const change = (input: object) => act('updateMedicineReminder', { id, ...input });
      const expected = [
        { startsOn: null, startsAt: null, text: '3 tablet' },
        { startsOn: '2026-03-16', startsAt: '2026-03-16T09:00:00.000Z', text: '2 tablet' },
        { startsOn: '2026-03-19', startsAt: null, text: '1 tablet' },
      ];
      await change({ startsOn: '2026-03-15', startTime: '09:00' });
      expect(await amounts(id)).toStrictEqual(expected);
      const steps = expected.map(({ startsOn, startsAt }, i) => ({
        startsOn,
        startsAt,
        amount: i + 4,
      }));
      await act('setDoseAmounts', { id, unit: 'drop', steps });
      await change({ startsOn: '2026-03-12', startTime: '07:00' });
      expect(await amounts(id)).toStrictEqual([
        { startsOn: null, startsAt: null, text: '4 drop' },
        { startsOn: '2026-03-13', startsAt: '2026-03-13T07:00:00.000Z', text: '5 drop' },
        { startsOn: '2026-03-15', startsAt: null, text: '6 drop' },
      ]);
    });

    it('go with a course that is moved as a whole', async () => {
      const id = await make(`${COURSE} for 1 day`);
      // Its hours count from the clock time of its start.
      await act('moveMedicineCourse', { id, startsOn: '2026-03-15' });
      expect((await amounts(id)).slice(1)).toStrictEqual([
        { startsOn: '2026-03-16', startsAt: '2026-03-16T14:00:00.000Z', text: '2 tablet' },
        { startsOn: '2026-03-19', startsAt: null, text: '1 tablet' },
      ]);
      expect((await doses('2026-03-14', '2026-03-25')).slice(2)).toStrictEqual([
        '03-16 02:00 3 tablet',
        '03-16 08:00 3 tablet',
        '03-17 08:00 2 tablet',
        '03-18 08:00 2 tablet',
        '03-19 08:00 1 tablet',
      ]);
    });

    it('follow the usual times of the member', async () => {
      const id = await make(COURSE);
      await act('updateCareSettings', { usualTimes: [{ times: ['18:00'] }] });
      expect((await doses()).slice(3, 7)).toStrictEqual([
        '03-11 08:00 3 tablet',
        '03-11 18:00 2 tablet',
        '03-12 18:00 2 tablet',
        '03-13 18:00 1 tablet',
      ]);
      expect((await amounts(id)).slice(1)).toMatchObject([
        { startsAt: '2026-03-11T14:00:00.000Z' },
        { startsOn: '2026-03-13' },
      ]);
    });

    it('keep their days when usual times change after the hours are over', async () => {
      await act('updateCareSettings', { usualTimes: [{ times: ['18:00'] }] });
      const id = await make(COURSE);
      const before = (await doses()).slice(4, 8);
      expect(before).toStrictEqual([
        '03-11 18:00 2 tablet',
        '03-12 18:00 2 tablet',
        '03-13 18:00 1 tablet',
        '03-14 18:00 1 tablet',
      ]);
      service().at('2026-03-11T20:00:00Z');
      // By 08:00 the first dose would be on the 12th: a third day of two tablets.
      await act('updateCareSettings', { usualTimes: [{ times: ['08:00'] }] });
      expect((await doses()).slice(4, 8)).toStrictEqual(before);
      expect((await amounts(id)).slice(1)).toMatchObject([
        { startsAt: '2026-03-11T14:00:00.000Z' },
        { startsOn: '2026-03-13' },
      ]);
      // Times within the same day follow, and so does what is the same each day without an end.
      await act('updateCareSettings', { usualTimes: [{ times: ['19:00'] }] });
      expect((await doses()).slice(5, 7)).toStrictEqual([
        '03-12 19:00 2 tablet',
        '03-13 19:00 1 tablet',
      ]);
      service().at('2026-03-14T20:00:00Z');
      await act('updateCareSettings', { usualTimes: [{ times: ['08:00'] }] });
      expect((await doses()).slice(8, 10)).toStrictEqual([
        '03-15 08:00 1 tablet',
        '03-16 08:00 1 tablet',
      ]);
    });

    it('lose no day when a usual time changes before the first dose behind the hours', async () => {
      await make(COURSE);
      service().at('2026-03-11T20:00:00Z');
      await act('updateCareSettings', { usualTimes: [{ times: ['18:00'] }] });
      expect((await doses()).slice(4, 7)).toStrictEqual([
        '03-12 08:00 2 tablet',
        '03-13 08:00 2 tablet',
        '03-14 08:00 1 tablet',
      ]);
    });

    it('begin at their instant also when amounts of clock times move', async () => {
      const id = await make(COURSE);
      const steps = [
        { amount: 3 },
        { startsAt: '2026-03-11T14:00:00Z', amount: 2, times: [{ time: '08:00', amount: 2.5 }] },
      ];
      await act('setDoseAmounts', { id, unit: 'tablet', steps });
      service().at('2026-03-10T15:00:00Z');
      await act('updateCareSettings', { usualTimes: [{ times: ['18:00'] }] });
      expect((await doses()).slice(2, 6)).toStrictEqual([
        '03-11 02:00 3 tablet',
        '03-11 08:00 3 tablet',
        '03-11 18:00 2.5 tablet',
        '03-12 18:00 2.5 tablet',
      ]);
    });

    it('keep the instants of the hours when the member moves, and follow the new clocks', async () => {
      await act('updateCareSettings', { timeZone: 'Europe/Berlin' });
      const id = await make(COURSE);
      expect((await amounts(id)).slice(1)).toMatchObject([
        { startsOn: '2026-03-11', startsAt: '2026-03-11T13:00:00.000Z' },
        { startsOn: '2026-03-14' },
      ]);
      service().at('2026-03-10T20:00:00Z');
      await act('updateCareSettings', { timeZone: 'Pacific/Kiritimati' });
      // Hours are over at 03:00 of the 12th there, before the dose of 08:00.
      expect((await amounts(id)).slice(1)).toMatchObject([
        { startsOn: '2026-03-12', startsAt: '2026-03-11T13:00:00.000Z' },
        { startsOn: '2026-03-14' },
      ]);
      expect((await doses()).slice(2, 8)).toStrictEqual([
        '03-11 01:00 3 tablet',
        '03-11 07:00 3 tablet',
        '03-11 18:00 2 tablet',
        '03-12 18:00 2 tablet',
        '03-13 18:00 1 tablet',
        '03-14 18:00 1 tablet',
      ]);
      await act('updateMedicineReminder', { id, name: 'Renamed' });
      service().at('2026-03-12T20:00:00Z');
      await act('updateCareSettings', { timeZone: 'America/New_York' });
      const later = await doses('2026-03-13', '2026-03-15');
      expect(later.map((dose) => dose.slice(12))).toStrictEqual(['1 tablet', '1 tablet']);
    });

    it('count hours through a shift of the clocks', async () => {
      await act('updateCareSettings', { timeZone: 'Europe/Berlin' });
      await make('3 tablets every 6 hours for 1 day, then 2 tablets twice daily', {
        startDate: '2026-03-28T08:00:00',
      });
      // 24 hours after 08:00 it is 09:00 there.
      expect((await doses('2026-03-28', '2026-03-30')).slice(0, 6)).toStrictEqual([
        '03-28 07:00 3 tablet',
        '03-28 13:00 3 tablet',
        '03-28 19:00 3 tablet',
        '03-29 01:00 3 tablet',
        '03-29 18:00 2 tablet',
        '03-30 06:00 2 tablet',
      ]);
    });
  });

  it('are not followed by a time that clocks show again', async () => {
    await act('updateCareSettings', {
      timeZone: 'Europe/Berlin',
      usualTimes: [{ times: ['02:45'] }],
    });
    await make('3 tablets every 6 hours for 1 day, then 2 tablets daily', {
      startDate: '2026-10-24T03:30:00',
    });
    // The hours are over at the second 02:30: 02:45 was shown before.
    expect((await doses('2026-10-24', '2026-10-28')).slice(3, 6)).toStrictEqual([
      '10-24 19:30 3 tablet',
      '10-26 01:45 2 tablet',
      '10-27 01:45 2 tablet',
    ]);
  });

  it('of one interval have steps that go with a course, and with a member who moves', async () => {
    const id = await make('1 tablet every 6 hours for 3 days');
    const steps = [
      { amount: 3 },
      { startsAt: '2026-03-11T22:00:00Z', amount: 2 },
      { startsOn: '2026-03-13', amount: 1 },
    ];
    await act('setDoseAmounts', { id, unit: 'tablet', steps });
    await act('updateCareSettings', { timeZone: 'Europe/Berlin' });
    expect((await amounts(id))[1]).toMatchObject({
      startsOn: '2026-03-11',
      startsAt: '2026-03-11T22:00:00.000Z',
    });
    await act('updateCareSettings', { timeZone: 'Asia/Tokyo' });
    const [, step] = await amounts(id);
    expect(step).toMatchObject({ startsOn: '2026-03-12', startsAt: '2026-03-11T22:00:00.000Z' });
    await act('updateCareSettings', { timeZone: 'UTC' });
    await act('updateMedicineReminder', { id, startsOn: '2026-03-10', startTime: '15:00' });
    expect((await amounts(id))[1]).toMatchObject({ startsAt: '2026-03-11T23:00:00.000Z' });
    await act('moveMedicineCourse', { id, startsOn: '2026-03-15' });
    // From 15:00 on the 15th: two tablets from 23:00 on the 16th, one from the 18th.
    const found = (await doses('2026-03-14', '2026-03-19')).map((dose) => dose.slice(12));
    expect(found).toStrictEqual([
      ...Array.from({ length: 6 }, () => '3 tablet'),
      ...Array.from({ length: 4 }, () => '2 tablet'),
      ...Array.from({ length: 2 }, () => '1 tablet'),
    ]);
  });

  it('of a step whose day is not that of its instant are refused', async () => {
    await act('updateCareSettings', { timeZone: 'Asia/Tokyo' });
    const id = await make(LOADING);
    const set = (startsOn: string) =>
      service().ask(mutation('setDoseAmounts', '__typename'), {
        input: {
          id,
          unit: 'ml',
          steps: [{ amount: 2 }, { startsOn, startsAt: '2026-03-11T20:00:00Z', amount: 1 }],
        },
      });
    expect(errorCode(await set('2026-03-11'))).toBe('AMOUNTS_INVALID');
    expect((await set('2026-03-12')).errors).toBeUndefined();
  });

  it('of a medicine that does not come by hours change by day alone', async () => {
    const steps = [{ amount: 2 }, { startsAt: '2026-03-11T14:00:00Z', amount: 1 }];
    for (const frequency of ['1 tablet twice daily', 'as needed', 'now and then']) {
      const input = { id: await make(frequency), unit: 'ml', steps };
      const answer = await service().ask(mutation('setDoseAmounts', '__typename'), { input });
      expect(errorCode(answer), frequency).toBe('AMOUNTS_INVALID');
    }
  });

  it('of steps that go back are refused', async () => {
    const id = await make(LOADING);
    const set = (startsAt: string[]) =>
      service().ask(mutation('setDoseAmounts', '__typename'), {
        input: { id, unit: 'ml', steps: startsAt.map((one) => ({ startsAt: one, amount: 1 })) },
      });
    const [one, other] = ['2026-03-11T10:00:00Z', '2026-03-11T09:00:00Z'];
    expect(errorCode(await set([one, other]))).toBe('AMOUNTS_INVALID');
    expect(errorCode(await set([one, one]))).toBe('AMOUNTS_INVALID');
    expect((await set([other, one])).errors).toBeUndefined();
  });
});
