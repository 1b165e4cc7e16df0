import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../../src/platform/root.js';
import { mutation, useService } from '../../support/harness.js';
import { DOSAGES, type Example, TIMINGS } from './schedule/hl7-dosages.js';

type Json = Record<string, unknown>;
interface Dosage extends Json {
  readonly sequence?: number;
  readonly text?: string;
  readonly timing?: { readonly repeat?: Json; readonly event?: readonly string[] };
}
interface Event {
  readonly startsAt: string;
  readonly reminder?: { readonly databaseId: number };
  readonly amount?: { readonly value: number; readonly unit: string };
}
interface Made extends Json {
  readonly databaseId: number;
  readonly r4: readonly Dosage[];
  readonly r5: readonly Dosage[];
}
type Version = 'R4' | 'R5';
/** The clocks of Berlin are put forward on 29 March. */
const NOW = Date.parse('2026-03-10T05:00:00Z');
const SHOWN =
  'databaseId frequency startsOn endsOn status times r4: fhirDosages(version: R4) r5: fhirDosages(version: R5) limits { maxPerDay leastInterval } amounts { startsOn time value unit } schedule { kind fhirTiming }';
const CREATE = `mutation($input: CreateMedicineReminderInput!) { createMedicineReminder(input: $input) { reminder { ${SHOWN} } } }`;
const UPDATE = `mutation($input: UpdateMedicineReminderInput!) { updateMedicineReminder(input: $input) { reminder { ${SHOWN} } } }`;
const EVENTS =
  'query($from: LocalDate, $to: LocalDate) { calendar(from: $from, to: $to) { events { startsAt ... on DoseEvent { reminder { databaseId } amount { value unit } } } } }';
const PAGE = readFileSync(join(projectRoot, 'docs/fhir.md'), 'utf8');
const TABLET = { value: 1, unit: 'tablet' };
const repeat = (parts: object) => ({ timing: { repeat: parts } });
const daily = { frequency: 1, period: 1, periodUnit: 'd' };
const of = (doseQuantity: object) => ({ doseAndRate: [{ doseQuantity }] });

/** What is R4 as R5 has it. */
const inR5 = ({ asNeededBoolean, asNeededCodeableConcept, maxDosePerPeriod, ...rest }: Json) => ({
  ...rest,
  ...(asNeededBoolean !== undefined && { asNeeded: asNeededBoolean }),
  ...(asNeededCodeableConcept !== undefined && {
    asNeeded: true,
    asNeededFor: [asNeededCodeableConcept],
  }),
  ...(maxDosePerPeriod !== undefined && { maxDosePerPeriod: [maxDosePerPeriod] }),
});

/** What goes out of a Dosage that came in: dates for a length, each meal, a date for once. */
function expectedOf({ timing, ...given }: Dosage): Json {
  const { sequence: _, asNeededBoolean: __, asNeeded: ___, ...rest } = given;
  if (!timing) return rest;
  const { boundsDuration, ...parts } = timing.repeat as Json & { when?: string[] };
  const { count, ...others } = parts;
  if (count === 1 && Object.keys(others).length === 0)
    return { ...rest, timing: { event: ['2026-03-10'] } };
  const meals = parts.when?.join() === 'AC' && { when: ['ACM', 'ACD', 'ACV'] };
  const days = boundsDuration && { boundsPeriod: { start: '2026-03-10', end: '2026-03-23' } };
  const { start } = (parts.boundsPeriod ?? {}) as { start?: string };
  const zoned = start?.includes('T') && { boundsPeriod: { start: `${start}+02:00` } };
  return { ...rest, timing: { repeat: { ...parts, ...meals, ...(days || {}), ...zoned } } };
}

describe('A FHIR Dosage', () => {
  const service = useService();
  const create = async (dosages: readonly unknown[], version: Version = 'R4', more: Json = {}) => {
    const input = { name: 'M', fhirDosage: { version, dosages }, ...more };
    const { data, errors } = await service().ask(CREATE, { input });
    const made = data?.createMedicineReminder?.reminder as Made;
    return { made, refused: errors?.[0]?.message as string | undefined, errors };
  };
  const doses = async ({ databaseId }: Made, from = '2026-03-10', to = '2026-04-12') => {
    const { data, errors } = await service().ask(EVENTS, { from, to });
    expect(errors).toBeUndefined();
    return (data.calendar.events as Event[])
      .filter(({ reminder }) => reminder?.databaseId === databaseId)
      .map(({ startsAt, amount }) => `${startsAt} ${amount?.value ?? '-'} ${amount?.unit ?? '-'}`);
  };

  beforeEach(async () => {
    service().at(NOW);
    await service().ask(
      'mutation { updateCareSettings(input: { timeZone: "Europe/Berlin" }) { careSettings { timeZone } } }',
    );
  });

  const shown = (version: Version, { r4, r5 }: Made) => (version === 'R4' ? r4 : r5);

  const examples = (list: readonly Example[], want: boolean) =>
    list
      .filter(({ refused }) => (refused === undefined) === want)
      .flatMap((example) =>
        (['R4', 'R5'] as const).map((version) => [version, example.name, example] as const),
      );

  it.each(examples([...TIMINGS, ...DOSAGES], true))(
    'of HL7 comes in and goes out: %s %s',
    async (version, _name, { dosages }) => {
      const given = version === 'R5' ? dosages.map(inR5) : dosages;
      const { made, refused } = await create(given, version);
      expect(refused).toBeUndefined();
      const out = shown(version, made);
      expect(out).toHaveLength(given.length);
      // Nothing is lost: what is more in what goes out are the dates, and what was left unsaid.
      for (const [i, one] of given.entries()) expect(out[i]).toMatchObject(expectedOf(one));
      const again = await create(out, version);
      expect(again.refused).toBeUndefined();
      expect(shown(version, again.made)).toStrictEqual(out);
      expect(again.made.limits).toStrictEqual(made.limits);
      expect(again.made.amounts).toStrictEqual(made.amounts);
      expect(await doses(again.made)).toStrictEqual(await doses(made));
    },
  );

  it.each(examples([...TIMINGS, ...DOSAGES], false))(
    'of HL7 that a reminder cannot hold is refused by name: %s %s',
    async (version, _name, { dosages, refused: element }) => {
      const { refused } = await create(version === 'R5' ? dosages.map(inR5) : dosages, version);
      expect(refused).toMatch(/^[^ ]+: [A-Z].+\.$/);
      const path = refused?.split(':')[0] as string;
      expect(path.replace(/(maxDosePerPeriod)\[0\]/, '$1')).toBe(element);
      expect(await service().database.prisma.reminder.count()).toBe(0);
    },
  );

  it.each<[string, Json]>([
    ['QD', daily],
    ['BID', { ...daily, frequency: 2 }],
    ['QOD', { ...daily, period: 2 }],
    ['Q6H', { frequency: 1, period: 6, periodUnit: 'h' }],
    ['BED', { ...daily, when: ['HS'] }],
  ])('may have a code instead of its repeat: %s', async (code, expected) => {
    const { made } = await create([{ timing: { code: { coding: [{ ...qid(), code }] } } }]);
    expect(made.r4[0]?.timing?.repeat).toMatchObject(expected);
  });

  it('has the amounts of its times', async () => {
    const { made } = await create([
      { ...repeat({ ...daily, when: ['MORN'] }), ...of(TABLET) },
      { ...repeat({ ...daily, when: ['HS'] }), ...of({ ...TABLET, value: 1.5 }) },
    ]);
    expect(made.frequency).toBe('daily in the morning and at bedtime');
    expect(made.amounts).toStrictEqual([
      { startsOn: null, time: '08:00', value: 1, unit: 'tablet' },
      { startsOn: null, time: '22:00', value: 1.5, unit: 'tablet' },
    ]);
    expect(await doses(made, '2026-03-29', '2026-03-29')).toStrictEqual([
      '2026-03-29T06:00:00.000Z 1 tablet',
      '2026-03-29T20:00:00.000Z 1.5 tablet',
    ]);
  });

  it('is a dose that is tapered, by the sequence of its Dosages', async () => {
    const step = (value: number, sequence: number, days?: number) => ({
      sequence,
      ...repeat({
        ...daily,
        timeOfDay: ['09:00:00'],
        ...(days && { boundsDuration: { value: days, code: 'd' } }),
      }),
      ...of({ value, unit: 'mg' }),
    });
    const [example = ''] = /(?<=^```graphql\n)[^`]+/m.exec(PAGE) ?? [];
    const dosages = [step(20, 2, 2), step(40, 1, 3), step(5, 3, 1)];
    const { data } = await service().ask(example, { dosages });
    const shown = data.createMedicineReminder.reminder;
    expect(shown.frequency).toBe('daily at 09:00 for 6 days');
    expect(shown.amounts.map(({ value }: { value: number }) => value)).toStrictEqual([40, 20, 5]);
    expect(shown.fhirDosages).toHaveLength(3);
    const { made } = await create(dosages);
    expect(await doses(made)).toStrictEqual([
      '2026-03-10T08:00:00.000Z 40 mg',
      '2026-03-11T08:00:00.000Z 40 mg',
      '2026-03-12T08:00:00.000Z 40 mg',
      '2026-03-13T08:00:00.000Z 20 mg',
      '2026-03-14T08:00:00.000Z 20 mg',
      '2026-03-15T08:00:00.000Z 5 mg',
    ]);
    expect(
      made.r4.map(({ sequence, timing }) => [sequence, timing?.repeat?.boundsPeriod]),
    ).toStrictEqual([
      [1, { start: '2026-03-10', end: '2026-03-12' }],
      [2, { start: '2026-03-13', end: '2026-03-14' }],
      [3, { start: '2026-03-15', end: '2026-03-15' }],
    ]);
  });

  it('as needed limits how often it is taken, and never rings', async () => {
    const { made } = await create(
      [
        {
          ...repeat({ frequency: 1, period: 6, periodUnit: 'h' }),
          asNeededFor: [{ text: 'pain' }],
          ...of({ value: 500, unit: 'mg' }),
          maxDosePerPeriod: [
            { numerator: { value: 1800, unit: 'mg' }, denominator: { value: 24, code: 'h' } },
          ],
        },
      ],
      'R5',
    );
    expect(made).toMatchObject({
      status: 'AS_NEEDED',
      limits: { maxPerDay: 3, leastInterval: 360 },
    });
    expect(made.r5[0]).toMatchObject({
      asNeeded: true,
      asNeededFor: [{ text: 'pain' }],
      maxDosePerPeriod: [{ numerator: { value: 1800, unit: 'mg' } }],
    });
    expect(made.r4[0]).toMatchObject({ asNeededCodeableConcept: { text: 'pain' } });
  });

  it.each<[string, Json]>([
    [
      '1 tablet before breakfast',
      {
        text: '1 tablet before breakfast',
        ...repeat({ ...daily, when: ['ACM'], boundsPeriod: { start: '2026-03-10' } }),
        ...of(TABLET),
      },
    ],
    [
      'take 1 tablet by mouth twice a day',
      {
        text: 'take 1 tablet by mouth twice a day',
        route: { text: 'by mouth' },
        ...repeat({ ...daily, frequency: 2, boundsPeriod: { start: '2026-03-10' } }),
        ...of(TABLET),
      },
    ],
    [
      '1 to 2 tablets every 6 hours as needed for pain',
      {
        asNeededCodeableConcept: { text: 'for pain' },
        doseAndRate: [{ doseRange: { low: TABLET, high: { ...TABLET, value: 2 } } }],
      },
    ],
    ['21 days on and 7 days off', { text: '21 days on and 7 days off' }],
    ['whenever the moon is full', { text: 'whenever the moon is full' }],
  ])('is made of a phrase: %s', async (frequency, expected) => {
    const input = { name: 'M', frequency, startsOn: '2026-03-10' };
    const { data } = await service().ask(CREATE, { input });
    const { r4 } = data.createMedicineReminder.reminder;
    expect(r4).toHaveLength(1);
    expect(r4[0]).toMatchObject(expected);
    if (!('timing' in expected) && !('doseAndRate' in expected))
      expect(r4[0]).not.toHaveProperty('timing');
  });

  it('shows the amounts that somebody has set, and no text that says others', async () => {
    const { made } = await create([{ text: '1 tablet daily', ...repeat(daily), ...of(TABLET) }]);
    const { data } = await service().ask(
      `mutation($input: SetDoseAmountsInput!) { setDoseAmounts(input: $input) { reminder { ${SHOWN} } } }`,
      { input: { id: made.databaseId, unit: 'tablet', steps: [{ amount: 2 }] } },
    );
    const [dosage] = data.setDoseAmounts.reminder.r4;
    expect(dosage).toMatchObject(of({ value: 2, unit: 'tablet' }));
    expect(dosage).not.toHaveProperty('text');
    expect(made.r4[0]?.text).toBe('1 tablet daily');
  });

  it('stands in the export of all data of a member', async () => {
    const { made } = await create([{ ...repeat({ ...daily, when: ['ACM'] }), ...of(TABLET) }]);
    const { data } = await service().ask('mutation { exportMyData { export { document } } }');
    expect(data.exportMyData.export.document.reminders[0].fhirDosages).toStrictEqual(made.r4);
  });

  it('takes the place of a taper whose meals the member has moved', async () => {
    const at = (when: string, value: number, sequence: number, more: Json = {}) => ({
      sequence,
      ...repeat({ ...daily, when: [when], ...more }),
      ...of({ ...TABLET, value }),
    });
    const three = { boundsDuration: { value: 3, code: 'd' } };
    const { made } = await create([
      at('CM', 4, 1, three),
      at('CV', 3, 1, three),
      at('CM', 2, 2),
      at('CV', 1, 2),
    ]);
    const act = async (what: string, input: object) =>
      expect((await service().ask(mutation(what, '__typename'), { input })).errors).toBeUndefined();
    service().at('2026-03-11T10:00:00Z');
    await act('updateCareSettings', { dayTimes: { breakfast: '09:15' } });
    expect(await doses(made, '2026-03-12', '2026-03-13')).toStrictEqual([
      '2026-03-12T08:15:00.000Z 4 tablet',
      '2026-03-12T19:00:00.000Z 3 tablet',
      '2026-03-13T08:15:00.000Z 2 tablet',
      '2026-03-13T19:00:00.000Z 1 tablet',
    ]);
    const another = { version: 'R4', dosages: [at('CM', 0.5, 1)] };
    await act('updateMedicineReminder', { id: made.databaseId, fhirDosage: another });
    expect(await doses(made, '2026-03-12', '2026-03-13')).toStrictEqual([
      '2026-03-12T08:15:00.000Z 0.5 tablet',
      '2026-03-13T08:15:00.000Z 0.5 tablet',
    ]);
  });

  it('keeps its amounts when the member moves a meal', async () => {
    const { made } = await create([
      { ...repeat({ ...daily, when: ['CM'] }), ...of(TABLET) },
      { ...repeat({ ...daily, when: ['CV'] }), ...of({ ...TABLET, value: 2 }) },
    ]);
    const { errors } = await service().ask(
      'mutation { updateCareSettings(input: { dayTimes: { breakfast: "09:15" } }) { careSettings { timeZone } } }',
    );
    expect(errors).toBeUndefined();
    const { data } = await service().ask(
      `{ medicineReminder(id: "${made.databaseId}") { ${SHOWN} } }`,
    );
    expect(data.medicineReminder.times).toStrictEqual(['09:15', '20:00']);
    expect(data.medicineReminder.r4).toStrictEqual(made.r4);
  });

  it('shows route, site, reason and instructions among the parts of the direction', async () => {
    const { made } = await create([
      {
        text: 'as told',
        ...repeat(daily),
        route: { coding: [{ code: '26643006', display: 'Oral route' }] },
        site: { text: 'left arm' },
        additionalInstruction: [{ text: 'With Food' }],
      },
    ]);
    const { data } = await service().ask(
      `{ medicineReminder(id: "${made.databaseId}") { directionParts { kind text } } }`,
    );
    expect(data.medicineReminder.directionParts).toStrictEqual([
      { kind: 'ROUTE', text: 'Oral route' },
      { kind: 'SITE', text: 'left arm' },
      { kind: 'ADVICE', text: 'as told' },
      { kind: 'ADVICE', text: 'With Food' },
    ]);
  });

  it('takes the place of a schedule, with its amounts and dates', async () => {
    const input = { name: 'M', frequency: '1 tablet twice a day', endsOn: '2026-03-20' };
    const before = (await service().ask(CREATE, { input })).data.createMedicineReminder.reminder;
    const dosage = {
      ...repeat({ ...daily, timeOfDay: ['07:30:00'], boundsPeriod: { start: '2026-03-12' } }),
      ...of({ value: 0.0625, unit: 'mg' }),
    };
    const change = { id: before.databaseId, fhirDosage: { version: 'R4', dosages: [dosage] } };
    const { data, errors } = await service().ask(UPDATE, { input: change });
    expect(errors).toBeUndefined();
    expect(data.updateMedicineReminder.reminder).toMatchObject({
      startsOn: '2026-03-12',
      endsOn: null,
      times: ['07:30'],
      amounts: [{ value: 0.0625, unit: 'mg' }],
    });
  });

  it('cannot stand beside another way to say how often, or a second start', async () => {
    const dosages = [repeat({ ...daily, boundsPeriod: { start: '2026-03-12' } })];
    const code = async (more: Json) =>
      (await create(dosages, 'R4', more)).errors?.[0]?.extensions.code;
    expect(await code({ frequency: 'daily' })).toBe('SCHEDULE_INVALID');
    expect(await code({ schedule: { repeat: { days: {} } } })).toBe('SCHEDULE_INVALID');
    expect(await code({ startsOn: '2026-03-11' })).toBe('SCHEDULE_INVALID');
    expect(await code({})).toBeUndefined();
  });

  it.each<[string, unknown]>([
    ['no object', 'twice a day'],
    ['a list', [[]]],
    ['more than 16 KiB', { text: 'x'.repeat(17_000) }],
    ['13 levels', JSON.parse(`${'{"a":'.repeat(13)}1${'}'.repeat(13)}`)],
  ])('that is %s is refused', async (_what, dosage) => {
    const { errors } = await create([dosage]);
    expect(errors?.[0]?.extensions.code).toMatch(/^(BAD_USER_INPUT|SCHEDULE_INVALID)$/);
  });

  it.each<[string, Json]>([
    ['Dosage.timing.repeat.when[0]', repeat({ when: ['PHS'] })],
    ['Dosage.timing.repeat.when', repeat({ ...daily, frequency: 3, when: ['MORN', 'HS'] })],
    ['Dosage.timing.repeat.offset', repeat({ when: ['CM'], offset: 30 })],
    ['Dosage.timing.repeat.offset', repeat({ when: ['MORN'], offset: 721 })],
    ['Dosage.timing.repeat.timeOfDay', repeat({ timeOfDay: ['08:00:00', '08:00:00'] })],
    ['Dosage.timing.repeat.timeOfDay[0]', repeat({ timeOfDay: ['08:00:30'] })],
    ['Dosage.timing.repeat.timeOfDay[0]', repeat({ timeOfDay: ['24:00:00'] })],
    ['Dosage.timing.repeat.periodUnit', repeat({ ...daily, periodUnit: 's' })],
    ['Dosage.timing.repeat.periodUnit', repeat({ ...daily, periodUnit: 'constructor' })],
    ['Dosage.timing.repeat.period', repeat({ ...daily, period: 1.5 })],
    ['Dosage.timing.repeat.period', repeat({ ...daily, period: -1 })],
    ['Dosage.timing.repeat.period', repeat({ frequency: 1, period: 3_661, periodUnit: 'd' })],
    ['Dosage.timing.repeat.frequency', repeat({ ...daily, frequency: '2' })],
    ['Dosage.timing.repeat.frequency', repeat({ ...daily, frequency: 25 })],
    ['Dosage.timing.repeat.frequency', repeat({ frequency: 2 })],
    ['Dosage.timing.repeat.boundsRange', repeat({ ...daily, boundsRange: {} })],
    ['Dosage.timing.repeat.boundsPeriod.end', repeat({ ...daily, boundsPeriod: { end: '2026' } })],
    [
      'Dosage.timing.repeat.boundsDuration.comparator',
      repeat({ ...daily, boundsDuration: { value: 3, code: 'd', comparator: '<' } }),
    ],
    [
      'Dosage.timing.repeat.boundsDuration',
      repeat({
        ...daily,
        boundsDuration: { value: 3, code: 'd' },
        boundsPeriod: { start: '2026-03-12' },
      }),
    ],
    ['Dosage.timing.repeat.extension', repeat({ ...daily, extension: [] })],
    ['Dosage.timing.modifierExtension', { timing: { modifierExtension: [] } }],
    ['Dosage.timing.code', { timing: { repeat: daily, code: { coding: [qid()] } } }],
    ['Dosage._text', { _text: {}, ...repeat(daily) }],
    ['Dosage.constructor', { constructor: 1, ...repeat(daily) }],
    ['Dosage.asNeeded', { asNeeded: true, ...repeat(daily) }],
    ['Dosage.asNeededBoolean', { asNeededBoolean: 'yes', ...repeat(daily) }],
    ['Dosage.timing.repeat.when', { asNeededBoolean: true, ...repeat({ ...daily, when: ['HS'] }) }],
    ['Dosage.doseAndRate[0].doseQuantity.value', { ...repeat(daily), ...of({ value: 0 }) }],
    ['Dosage.doseAndRate[0].doseQuantity.value', { ...repeat(daily), ...of({ value: 1e6 }) }],
    ['Dosage.doseAndRate[0].doseQuantity.value', { ...repeat(daily), ...of({ value: 0.00001 }) }],
    [
      'Dosage.doseAndRate[0].doseQuantity.comparator',
      { ...repeat(daily), ...of({ value: 1, comparator: '<' }) },
    ],
    [
      'Dosage.doseAndRate[0].doseQuantity.code',
      { ...repeat(daily), ...of({ value: 1, unit: 'mg', code: 'g' }) },
    ],
    [
      'Dosage.doseAndRate[0].doseQuantity.code',
      { ...repeat(daily), ...of({ value: 1, unit: 'mcg', code: 'mL' }) },
    ],
    ['Dosage.doseAndRate', { ...repeat(daily), doseAndRate: [] }],
    ['Dosage.text', { ...repeat(daily), text: 'two\u0000' }],
    ['Dosage.text', { text: 'once a week', ...repeat(daily) }],
    ['Dosage.text', { text: '2 tablets daily', ...repeat(daily), ...of(TABLET) }],
    ['Dosage.route', { route: {}, ...repeat(daily) }],
    [
      'Dosage.maxDosePerPeriod.denominator',
      {
        ...repeat(daily),
        ...of(TABLET),
        maxDosePerPeriod: { numerator: TABLET, denominator: { value: 1, code: 'wk' } },
      },
    ],
  ])('names what cannot be held: %s %#', async (element, dosage) => {
    const { refused, errors } = await create([dosage]);
    expect(refused?.split(':')[0]).toBe(element);
    expect(errors?.[0]?.extensions.code).toBe('SCHEDULE_INVALID');
  });

  it.each([
    ['mcg', 'ug'],
    ['µg', 'ug'],
    ['ML', 'mL'],
    ['tablet', '{tbl}'],
    ['g', undefined],
  ])('takes a unit beside its code: %s %s', async (unit, code) => {
    const { made } = await create([{ ...repeat(daily), ...of({ value: 1, unit, code }) }]);
    expect(made.r4[0]).toMatchObject(of({ value: 1, unit }));
  });

  it('has all of what holds at once on the same days, and alike', async () => {
    const at = (clock: string, more: Json = {}) => ({
      ...repeat({ ...daily, timeOfDay: [clock] }),
      ...of(TABLET),
      ...more,
    });
    const element = async (...dosages: Json[]) => (await create(dosages)).refused?.split(':')[0];
    expect(await element(at('08:00:00'), { ...repeat(daily), ...of(TABLET) })).toBe(
      'Dosage[1].timing.repeat',
    );
    expect(await element(at('08:00:00'), at('20:00:00', { site: { text: 'arm' } }))).toBe(
      'Dosage[1]',
    );
    expect(await element(at('08:00:00'), at('08:00:00'))).toBe('Dosage[1]');
    expect(await element(at('08:00:00', { sequence: 1 }), at('20:00:00', { sequence: 2 }))).toBe(
      'Dosage[0].timing.repeat',
    );
    expect(await element(at('08:00:00'), at('20:00:00', { sequence: 2 }))).toBe(
      'Dosage[0].sequence',
    );
    expect(await element(at('08:00:00'), { ...at('20:00:00'), doseAndRate: undefined })).toBe(
      'Dosage[1].doseAndRate',
    );
    expect(await element(at('08:00:00'), at('20:00:00', of({ value: 5, unit: 'ml' })))).toBe(
      'Dosage[1].doseAndRate[0].doseQuantity',
    );
    expect(await element(...Array.from({ length: 51 }, () => at('08:00:00')))).toBe(
      'fhirDosage.dosages',
    );
  });
});

function qid() {
  return { system: 'http://terminology.hl7.org/CodeSystem/v3-GTSAbbreviation', code: 'QID' };
}
