import { handOver } from '../../../src/domains/dispatch/handover.service.js';
import { planDue } from '../../../src/domains/reminders/alert/plan-due.service.js';
import { makeMedicine } from '../../support/factories.js';
import { errorCode, mutation, useService } from '../../support/harness.js';

const AMOUNTS = 'amounts { value upTo weekdays time text(language: "en") }';
const LANGUAGES = ['en', 'de', 'es', 'fr', 'pt', 'ar'];

/** What the tests of ranges and of weekdays have in common: a medicine from Tuesday 10 March on. */
function portions() {
  const service = useService();
  const make = (frequencyType: string, more: object = {}) => {
    service().at('2026-03-10T07:00:00Z');
    return makeMedicine(service(), { frequencyType, startDate: '2026-03-10', ...more });
  };
  const read = async (id: number, fields: string) =>
    (await service().data(`{ medicineReminder(id: ${id}) { ${fields} } }`)).medicineReminder;
  const act = (what: string, input: object, fields = '__typename') =>
    service().data(mutation(what, fields), { input });
  const texts = async (id: number): Promise<string[]> =>
    Promise.all(
      LANGUAGES.map(async (one) => (await read(id, `text: scheduleText(language: "${one}")`)).text),
    );
  /** The doses of some days: day, clock time and amount. */
  const doses = async (from: string, to = from): Promise<string[]> => {
    const events = 'events { date time ... on DoseEvent { amount { text } } }';
    const query = `{ calendar(from: "${from}", to: "${to}") { ${events} } }`;
    return (await service().data(query)).calendar.events.map(
      ({ date, time, amount }: { date: string; time: string; amount: { text: string } | null }) =>
        `${date.slice(5)} ${time} ${amount?.text ?? '?'}`,
    );
  };
  const told = async (at: string): Promise<string[]> => {
    await act('updateNotificationPreference', { lockScreenNames: true });
    service().at(at);
    await planDue(service().app.deps);
    await handOver(service().app.deps);
    const where = { kind: 'reminder', sendAt: new Date(service().now()) };
    const rows = await service().database.prisma.notification.findMany({ where });
    return rows.map(({ body }) => body);
  };
  const feed = async (): Promise<string[]> => {
    const headers = await service().session('subscriber');
    const { body } = await service().graphql(
      mutation('createCalendarFeed', 'calendarFeed { url }'),
      { input: { titles: true } },
      { headers },
    );
    const { url } = body.data.createCalendarFeed.calendarFeed;
    const { text } = await service().fetch(new URL(url).pathname, { method: 'GET' });
    return [...new Set<string>(text.match(/(?<=^SUMMARY:).*(?=\r)/gm))].sort();
  };
  /** Makes a medicine of the Dosages of another; equal Dosages come out again. */
  const again = async (id: number, version: 'R4' | 'R5' = 'R4') => {
    const { dosages } = await read(id, `dosages: fhirDosages(version: ${version})`);
    const input = { name: 'Copy', fhirDosage: { version, dosages } };
    const fields = `reminder { databaseId dosages: fhirDosages(version: ${version}) }`;
    const { createMedicineReminder } = await act('createMedicineReminder', input, fields);
    return { dosages, copy: createMedicineReminder.reminder };
  };
  return { service, make, read, act, texts, doses, told, feed, again };
}

describe('A range of amounts on doses that ring', () => {
  const { service, make, read, act, texts, doses, told, feed, again } = portions();

  it('is kept and shown as a range, in each language', async () => {
    const id = await make('1 to 2 tablets twice daily');
    expect(await read(id, AMOUNTS)).toStrictEqual({
      amounts: [{ value: 1, upTo: 2, weekdays: [], time: null, text: '1 to 2 tablet' }],
    });
    expect(await doses('2026-03-10')).toStrictEqual([
      '03-10 08:00 1 to 2 tablet',
      '03-10 20:00 1 to 2 tablet',
    ]);
    expect(await texts(id)).toStrictEqual([
      '1 to 2 tablets every day at 08:00 and 20:00',
      '1 bis 2 Tabletten jeden Tag um 08:00 und 20:00',
      'de 1 a 2 comprimidos cada día a las 08:00 y 20:00',
      '1 à 2 comprimés tous les jours à 08:00 et 20:00',
      '1 a 2 comprimidos todos os dias às 08:00 e 20:00',
      '1 إلى 2 قرص كل يوم الساعة 08:00 و20:00',
    ]);
  });

  it('is shown by REST, with its larger end', async () => {
    const id = await make('5-10 ml tds');
    const { body } = await service().rest('GET', `/v1/medicine_reminder/${id}`, {
      edition: 'B',
      as: 'subscriber',
    });
    expect(body.amounts).toStrictEqual([
      {
        starts_on: null,
        starts_at: null,
        weekdays: [],
        time: null,
        value: 5,
        up_to: 10,
        unit: 'ml',
        text: '5 to 10 ml',
      },
    ]);
  });

  it('is told by the push and the calendar feed', async () => {
    const id = await make('1 to 2 tablets twice daily');
    expect(await feed()).toStrictEqual(['Aspirin (1 to 2 tablet)']);
    await act('confirmDirections', { id });
    expect(await told('2026-03-10T20:00:00Z')).toStrictEqual([
      'It is time for Aspirin (1 to 2 tablet).',
    ]);
  });

  it('may be that of one time of the day, or of one phase', async () => {
    await make('1-2 tablets in the morning and 1 at night');
    expect(await doses('2026-03-10')).toStrictEqual([
      '03-10 08:00 1 to 2 tablet',
      '03-10 20:00 1 tablet',
    ]);
    const id = await make('1 to 2 tablets for 3 days, then 1 tablet for 3 days', { name: 'B' });
    expect(await read(id, AMOUNTS)).toMatchObject({
      amounts: [
        { value: 1, upTo: 2 },
        { value: 1, upTo: null },
      ],
    });
  });

  it.each(['R4', 'R5'] as const)('is a doseRange of FHIR %s, out and in', async (version) => {
    const { dosages, copy } = await again(await make('1 to 2 tablets twice daily'), version);
    const doseRange = { low: { value: 1, unit: 'tablet' }, high: { value: 2, unit: 'tablet' } };
    expect(dosages).toMatchObject([{ doseAndRate: [{ doseRange }] }]);
    expect(copy.dosages).toStrictEqual(dosages);
    expect(await read(copy.databaseId, AMOUNTS)).toMatchObject({
      amounts: [{ value: 1, upTo: 2 }],
    });
  });

  it('is set by hand, its larger end above the smaller one', async () => {
    const id = await make('daily');
    const set = (step: object) =>
      service().ask(mutation('setDoseAmounts', 'reminder { amounts { text } }'), {
        input: { id, unit: 'ml', steps: [step] },
      });
    expect((await set({ amount: 5, upTo: 10 })).data.setDoseAmounts.reminder.amounts).toStrictEqual(
      [{ text: '5 to 10 ml' }],
    );
    for (const step of [
      { amount: 5, upTo: 5 },
      { amount: 5, upTo: 2 },
      { upTo: 2, times: [{ time: '08:00', amount: 1 }] },
    ])
      expect(errorCode(await set(step)), JSON.stringify(step)).toBe('AMOUNTS_INVALID');
  });

  it('takes from the stock what is said when it is logged; unsaid, the stock is uncertain', async () => {
    const id = await make('1 to 2 tablets twice daily');
    const stock = async () => (await read(id, 'stock { amount isCertain runsOutOn }')).stock;
    await act('setMedicineStock', { id, amount: 8, unit: 'tablet' });
    expect(await stock(), 'by the larger end').toStrictEqual({
      amount: 8,
      isCertain: true,
      runsOutOn: '2026-03-12',
    });
    const { calendar } = await service().data(
      '{ calendar(from: "2026-03-10", to: "2026-03-10") { events { occurrenceId } } }',
    );
    const [morning, evening] = calendar.events;
    service().at('2026-03-10T08:05:00Z');
    await act('takeDose', { ...morning, amount: 2 });
    expect(await stock()).toMatchObject({ amount: 6, isCertain: true });
    service().at('2026-03-10T20:05:00Z');
    await act('takeDose', evening);
    expect(await stock()).toMatchObject({ amount: 6, isCertain: false });
    expect(await doses('2026-03-10'), 'nobody knows how much').toStrictEqual([
      '03-10 08:00 2 tablet',
      '03-10 20:00 ?',
    ]);
  });

  it('of times stays in doubt', async () => {
    const id = await make('1 tablet 2 to 3 times a day');
    expect(await read(id, 'status scheduleText')).toStrictEqual({
      status: 'UNRECOGNIZED',
      scheduleText: null,
    });
  });
});

describe('Amounts by weekday', () => {
  const { service, make, read, act, texts, doses, told, feed, again } = portions();
  const WARFARIN = '5 mg daily except 7.5 mg on Monday';

  it('ring on their days, in one schedule', async () => {
    const id = await make(WARFARIN, { name: 'Warfarin' });
    expect(await doses('2026-03-14', '2026-03-17')).toStrictEqual([
      '03-14 08:00 5 mg',
      '03-15 08:00 5 mg',
      '03-16 08:00 7.5 mg',
      '03-17 08:00 5 mg',
    ]);
    expect(await read(id, AMOUNTS)).toStrictEqual({
      amounts: [
        { value: 5, upTo: null, weekdays: [], time: null, text: '5 mg' },
        { value: 7.5, upTo: null, weekdays: ['MONDAY'], time: null, text: '7.5 mg' },
      ],
    });
  });

  it('are said with the days of each, so that nobody adds them', async () => {
    expect(await texts(await make(WARFARIN))).toStrictEqual([
      'every day at 08:00 (7.5 mg on Monday; 5 mg on Tuesday, Wednesday, Thursday, Friday, Saturday and Sunday)',
      expect.stringMatching(
        /^jeden Tag um 08:00 \(7,5 mg .*Montag.*; 5 mg .*Dienstag.* und Sonntag/,
      ),
      expect.stringMatching(
        /^cada día a las 08:00 \(7,5 mg los lunes; 5 mg los martes,.* y domingos\)/,
      ),
      expect.stringMatching(
        /^tous les jours à 08:00 \(7,5 mg .*lundi.*; 5 mg .*mardi.* et dimanche/,
      ),
      expect.stringMatching(
        /^todos os dias às 08:00 \(7,5 mg .*segunda.*; 5 mg .*terça.* e domingo/,
      ),
      expect.stringContaining('؛'),
    ]);
    const three = await make('5 mg on Mon and Wed and 2.5 mg on Fri, at bedtime', { name: 'B' });
    expect((await read(three, 'scheduleText')).scheduleText).toBe(
      'every week on Monday, Wednesday and Friday at 22:00 (2.5 mg on Friday; 5 mg on Monday and Wednesday)',
    );
  });

  it('are said beside those of times, which count on the other weekdays', async () => {
    const id = await make('twice daily');
    const set = (step: object) => act('setDoseAmounts', { id, unit: 'mg', steps: [step] });
    const text = async () => (await read(id, 'scheduleText(language: "en")')).scheduleText;
    const weekdays = [{ weekdays: ['MONDAY'], amount: 7.5 }];
    const others = 'on Tuesday, Wednesday, Thursday, Friday, Saturday and Sunday';
    await set({ amount: 5, times: [{ time: '20:00', amount: 6 }], weekdays });
    expect(await text()).toBe(
      'every day at 08:00 and 20:00 ' +
        `(7.5 mg on Monday; 5 mg ${others} at 08:00; 6 mg ${others} at 20:00)`,
    );
    await set({ startsOn: '2026-03-20', amount: 5, weekdays });
    expect(await text()).toBe(
      `every day at 08:00 and 20:00, from 2026-03-20 7.5 mg on Monday, 5 mg ${others}`,
    );
  });

  it('are said of days on which the schedule comes, and of no others', async () => {
    const text = async (id: number) => (await read(id, 'scheduleText')).scheduleText;
    const id = await make(WARFARIN);
    await act('updateMedicineReminder', { id, frequency: 'every Tuesday' });
    const weekdays = [{ weekdays: ['MONDAY', 'TUESDAY'], amount: 7.5 }];
    await act('setDoseAmounts', { id, unit: 'mg', steps: [{ amount: 5, weekdays }] });
    expect(await text(id)).toBe('every week on Tuesday at 08:00 (7.5 mg on Tuesday)');
    const monday = [{ weekdays: ['MONDAY'], amount: 7.5 }];
    await act('setDoseAmounts', { id, unit: 'mg', steps: [{ amount: 5, weekdays: monday }] });
    expect(await text(id)).toBe('5 mg every week on Tuesday at 08:00');
  });

  it('are told by the push and the calendar feed', async () => {
    const id = await make(WARFARIN);
    expect(await feed()).toStrictEqual(['Aspirin (5 mg)', 'Aspirin (7.5 mg)']);
    await act('confirmDirections', { id });
    expect(await told('2026-03-16T08:00:00Z')).toStrictEqual(['It is time for Aspirin (7.5 mg).']);
  });

  it.each(['R4', 'R5'] as const)(
    'are Dosages of FHIR %s for their weekdays, out and in',
    async (version) => {
      const { dosages, copy } = await again(await make(WARFARIN, { name: 'A' }), version);
      expect(dosages).toMatchObject([
        {
          sequence: 1,
          timing: {
            repeat: {
              dayOfWeek: ['tue', 'wed', 'thu', 'fri', 'sat', 'sun'],
              period: 1,
              periodUnit: 'd',
            },
          },
          doseAndRate: [{ doseQuantity: { value: 5, unit: 'mg' } }],
        },
        {
          sequence: 1,
          timing: { repeat: { dayOfWeek: ['mon'] } },
          doseAndRate: [{ doseQuantity: { value: 7.5, unit: 'mg' } }],
        },
      ]);
      expect(copy.dosages).toStrictEqual(dosages);
      await act('deleteMedicineReminder', { id: copy.databaseId });
    },
  );

  it.each([
    ['daily for 10 doses', { weekdays: [{ weekdays: ['MONDAY'], amount: 7.5 }] }],
    ['twice daily for 9 doses', { times: [{ time: '20:00', amount: 6 }] }],
  ])('of %s are as many doses in FHIR', async (phrase, step) => {
    const id = await make(phrase);
    await act('setDoseAmounts', { id, unit: 'mg', steps: [{ amount: 5, ...step }] });
    const before = await doses('2026-03-10', '2026-03-31');
    expect(before).toHaveLength(Number(phrase.match(/\d+/)));
    const { dosages, copy } = await again(id);
    const counts = dosages.map(
      ({ timing }: { timing: { repeat: { count?: number } } }) => timing.repeat.count,
    );
    expect(counts).toStrictEqual([undefined, undefined]);
    await act('deleteMedicineReminder', { id });
    expect(await doses('2026-03-10', '2026-03-31')).toStrictEqual(before);
    expect(copy.dosages).toStrictEqual(dosages);
  });

  it.each(['every 2 days', 'every 8 hours', 'twice daily for 20 days, then once daily'])(
    'of %s, for which FHIR has no Timing, are its text',
    async (phrase) => {
      const id = await make(phrase);
      const weekdays = [{ weekdays: ['MONDAY'], amount: 7.5 }];
      await act('setDoseAmounts', { id, unit: 'mg', steps: [{ amount: 5, weekdays }] });
      const { dosages, said } = await read(
        id,
        'dosages: fhirDosages(version: R4) said: scheduleText(language: "en")',
      );
      expect(said).toContain('7.5 mg on Monday; 5 mg on Tuesday');
      for (const { text, doseAndRate } of dosages) {
        expect(doseAndRate).toBeUndefined();
        expect(text).toBe(said);
      }
    },
  );

  it('of FHIR ring as they came, one schedule of several Dosages', async () => {
    service().at('2026-03-10T07:00:00Z');
    const dosage = (dayOfWeek: string[], value: number) => ({
      timing: { repeat: { dayOfWeek, timeOfDay: ['18:00:00'] } },
      doseAndRate: [{ doseQuantity: { value, unit: 'mg' } }],
    });
    const dosages = [dosage(['mon', 'wed', 'fri'], 5), dosage(['tue', 'thu', 'sat', 'sun'], 2.5)];
    const input = {
      name: 'Warfarin',
      startsOn: '2026-03-10',
      fhirDosage: { version: 'R4', dosages },
    };
    await act('createMedicineReminder', input);
    expect(await doses('2026-03-10', '2026-03-12')).toStrictEqual([
      '03-10 18:00 2.5 mg',
      '03-11 18:00 5 mg',
      '03-12 18:00 2.5 mg',
    ]);
    const twice = [dosage(['mon', 'wed'], 5), dosage(['wed', 'fri'], 2.5)];
    const refused = await service().ask(mutation('createMedicineReminder', '__typename'), {
      input: { ...input, fhirDosage: { version: 'R4', dosages: twice } },
    });
    expect(errorCode(refused)).toBe('SCHEDULE_INVALID');
  });

  it('count in the stock, each day its own', async () => {
    const id = await make('1 tablet on weekdays, 2 at weekends');
    await act('setMedicineStock', { id, amount: 7, unit: 'tablet' });
    // Tuesday to Friday are four, Saturday two: one is left for Sunday.
    expect((await read(id, 'stock { runsOutOn }')).stock.runsOutOn).toBe('2026-03-15');
  });

  it('are set by hand, no weekday twice, and stay when the times of the member move', async () => {
    const id = await make('at breakfast');
    const set = (weekdays: object[]) =>
      service().ask(mutation('setDoseAmounts', '__typename'), {
        input: { id, unit: 'mg', steps: [{ amount: 5, weekdays }] },
      });
    const sunday = { weekdays: ['SUNDAY'], amount: 2.5 };
    expect(errorCode(await set([sunday, sunday]))).toBe('AMOUNTS_INVALID');
    expect(errorCode(await set([{ weekdays: [], amount: 1 }]))).toBe('AMOUNTS_INVALID');
    await set([sunday]);
    await act('updateCareSettings', { dayTimes: { breakfast: '08:30' } });
    expect(await doses('2026-03-14', '2026-03-15')).toStrictEqual([
      '03-14 08:30 5 mg',
      '03-15 08:30 2.5 mg',
    ]);
  });

  it('of warfarin far from what is taken are doubted by their largest', async () => {
    const id = await make('5 mg daily except 75 mg on Monday', { name: 'Warfarin' });
    expect((await read(id, 'frequencyDoubt { kind }')).frequencyDoubt).toStrictEqual({
      kind: 'UNUSUAL',
    });
  });
});

describe('Phases of hours', () => {
  const { service, make, read, act, doses, again } = portions();

  it('ring by elapsed time, and what follows them from their end on', async () => {
    const id = await make(
      '1 tablet every 6 hours for 1 day, then 1 tablet twice daily for 2 days',
      {
        startDate: '2026-03-10T14:00:00',
      },
    );
    expect(await doses('2026-03-10', '2026-03-14')).toStrictEqual([
      '03-10 14:00 1 tablet',
      '03-10 20:00 1 tablet',
      '03-11 02:00 1 tablet',
      '03-11 08:00 1 tablet',
      '03-11 20:00 1 tablet',
      '03-12 08:00 1 tablet',
      '03-12 20:00 1 tablet',
    ]);
    expect((await read(id, 'scheduleText')).scheduleText).toBe(
      '1 tablet every 6 hours, for 1 day, then 1 tablet every day at 08:00 and 20:00, for 2 days',
    );
    service().at('2026-03-13T07:00:00Z');
    expect((await read(id, 'status')).status).toBe('ENDED');
  });

  it('go on with other hours at the instant when they are over', async () => {
    await make('q12h x 24h then q8h', { startDate: '2026-03-10T10:00:00' });
    expect(
      (await doses('2026-03-10', '2026-03-12')).map((dose) => dose.slice(0, 11)),
    ).toStrictEqual([
      '03-10 10:00',
      '03-10 22:00',
      '03-11 10:00',
      '03-11 18:00',
      '03-12 02:00',
      '03-12 10:00',
      '03-12 18:00',
    ]);
  });

  it('keep their instants when the member moves', async () => {
    await make('q12h x 24h then q8h', { startDate: '2026-03-10T10:00:00' });
    const before = await service().data(
      '{ calendar(from: "2026-03-11", to: "2026-03-11") { events { startsAt } } }',
    );
    await act('updateCareSettings', { timeZone: 'Asia/Tokyo' });
    const after = await service().data(
      '{ calendar(from: "2026-03-11", to: "2026-03-12") { events { startsAt } } }',
    );
    const instants = ({ calendar }: { calendar: { events: { startsAt: string }[] } }) =>
      calendar.events.map(({ startsAt }) => startsAt);
    expect(instants(after as never)).toEqual(expect.arrayContaining(instants(before as never)));
  });

  describe('when the member moves', () => {
    const start = '2026-03-10T08:00:00';
    const shown = (at: string | Date) => new Date(at).toISOString().slice(5, 16).replace('T', ' ');
    /** Instants of doses of some days, with what came of them. */
    const instants = async (from: string, to: string): Promise<string[]> => {
      const { calendar } = await service().data(
        `{ calendar(from: "${from}", to: "${to}") { events { startsAt status } } }`,
      );
      return calendar.events.map(
        ({ startsAt, status }: { startsAt: string; status: string }) =>
          `${shown(startsAt)} ${status}`,
      );
    };
    const planned = async () => {
      const where = { state: 'planned', plannedAt: { gte: new Date(service().now()) } };
      const order = { dueAt: 'asc' } as const;
      const rows = await service().database.prisma.reminderAlert.findMany({
        where,
        orderBy: order,
      });
      return rows.map(({ plannedAt }) => shown(plannedAt));
    };
    const berlin = async (frequencyType: string, more: object = {}) => {
      await act('updateCareSettings', { timeZone: 'Europe/Berlin' });
      return make(frequencyType, { startDate: start, ...more });
    };
    const move = async (at: string, timeZone: string) => {
      service().at(at);
      await act('updateCareSettings', { timeZone });
    };

    it('leave what has come as it was, and go on by the new clocks', async () => {
      const reminderId = await berlin('1 tablet every 4 hours for 2 days, then twice daily');
      service().at('2026-03-20T07:10:00Z');
      const { calendar } = await service().data(
        '{ calendar(from: "2026-03-19", to: "2026-03-20") { events { occurrenceId } } }',
      );
      for (const { occurrenceId } of calendar.events.slice(1, 3))
        await act('takeDose', { occurrenceId });
      const hours = await instants('2026-03-10', '2026-03-11');
      await move('2026-03-20T10:00:00Z', 'America/New_York');
      expect(await instants('2026-03-18', '2026-03-22')).toStrictEqual([
        '03-18 07:00 MISSED',
        '03-18 19:00 MISSED',
        '03-19 07:00 MISSED',
        '03-19 19:00 TAKEN',
        '03-20 07:00 TAKEN',
        '03-21 00:00 UPCOMING',
        '03-21 12:00 UPCOMING',
        '03-22 00:00 UPCOMING',
        '03-22 12:00 UPCOMING',
        '03-23 00:00 UPCOMING',
      ]);
      expect(hours[0]).toBe('03-10 07:00 MISSED');
      expect((await instants('2026-03-10', '2026-03-11')).slice(0, 7)).toStrictEqual(
        hours.slice(0, 7),
      );
      expect((await planned()).slice(0, 2)).toStrictEqual(['03-21 00:00', '03-21 12:00']);
      const { dosages } = await read(reminderId, 'dosages: fhirDosages(version: R4)');
      const { boundsPeriod } = dosages[0].timing.repeat;
      expect(Date.parse(boundsPeriod.start)).toBe(Date.parse('2026-03-10T07:00:00Z'));
    });

    it('keep the hours that are left, with what follows them by the new clocks', async () => {
      await berlin('every 6 hours for 2 days, then twice daily');
      await move('2026-03-11T09:00:00Z', 'America/New_York');
      expect((await planned()).slice(0, 5)).toStrictEqual([
        '03-11 13:00',
        '03-11 19:00',
        '03-12 01:00',
        '03-12 12:00',
        '03-13 00:00',
      ]);
    });

    it.each(['America/New_York', 'Asia/Tokyo', 'Pacific/Kiritimati', 'Pacific/Pago_Pago'])(
      'count the days of what follows as before, to %s and on',
      async (zone) => {
        for (const start of ['02:00', '10:00', '22:00']) {
          const id = await berlin('every 4 hours for 1 day, then every 3 days', {
            startDate: `2026-03-10T${start}:00`,
            name: start,
          });
          const days = async () => {
            const found = await doses('2026-03-22', '2026-04-02');
            return found.map((dose) => dose.slice(0, 11));
          };
          service().at('2026-03-20T10:00:00Z');
          const before = await days();
          expect(before).toHaveLength(4);
          await move('2026-03-20T10:00:00Z', zone);
          expect(await days()).toStrictEqual(before);
          await move('2026-03-21T10:00:00Z', 'Asia/Kolkata');
          await act('updateMedicineReminder', { id, name: 'Other' });
          await act('updateMedicineReminder', { id, endsOn: '2026-04-01' });
          expect(await days()).toStrictEqual(before.filter((day) => day < '04-02'));
          await act('deleteMedicineReminder', { id });
        }
      },
    );
  });

  it.each(['R4', 'R5'] as const)('are sequences of FHIR %s, out and in', async (version) => {
    const id = await make(
      'every 6 hours for 2 days, then twice daily for 3 days, then once daily',
      {
        startDate: '2026-03-10T14:00:00',
      },
    );
    const { dosages, copy } = await again(id, version);
    expect(
      dosages.map(({ timing: { repeat } }: { timing: { repeat: object } }) => repeat),
    ).toMatchObject([
      {
        frequency: 1,
        period: 6,
        periodUnit: 'h',
        boundsPeriod: { start: '2026-03-10T14:00:00+00:00' },
      },
      {
        frequency: 2,
        period: 1,
        periodUnit: 'd',
        boundsPeriod: { start: '2026-03-12T14:00:00+00:00' },
      },
      { frequency: 1, period: 1, periodUnit: 'd' },
    ]);
    expect(copy.dosages).toStrictEqual(dosages);
    expect((await read(copy.databaseId, 'scheduleText')).scheduleText).toBe(
      (await read(id, 'scheduleText')).scheduleText,
    );
  });
});
