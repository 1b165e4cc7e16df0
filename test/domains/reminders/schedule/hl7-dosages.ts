/**
 * How HL7 shows that a Dosage and a Timing are written: what the examples of FHIR say of timing,
 * amounts, limits, route and site, in R4. Displays of codes are left out. In R5 they are the same
 * with `asNeeded`, `asNeededFor` and a list of `maxDosePerPeriod`.
 */
type Json = Readonly<Record<string, unknown>>;

/** What becomes of an example: it is held, or refused by the name of an element. */
export interface Example {
  readonly name: string;
  readonly dosages: readonly Json[];
  readonly refused?: string;
}

const UCUM = 'http://unitsofmeasure.org';
const FORMS = 'http://terminology.hl7.org/CodeSystem/v3-orderableDrugForm';
const snomed = (code: string) => ({ coding: [{ system: 'http://snomed.info/sct', code }] });
const ORAL = { route: snomed('26643006') };
const VEIN = { route: snomed('47625008') };
const SKIN = { route: snomed('6064005') };
const ORDERED = {
  coding: [{ system: 'http://terminology.hl7.org/CodeSystem/dose-rate-type', code: 'ordered' }],
};
const of = (value: number, unit: string) => {
  const system = /^[A-Z]{3,}$/.test(unit) ? FORMS : UCUM;
  return { value, unit, system, code: unit };
};
const repeat = (parts: Json) => ({ timing: { repeat: parts } });
const every = (frequency: number, period: number, periodUnit: string, more: Json = {}) =>
  repeat({ frequency, period, periodUnit, ...more });
const dose = (value: number, unit: string, more: Json = {}) => ({
  doseAndRate: [{ type: ORDERED, doseQuantity: of(value, unit), ...more }],
});
const range = (low: number, high: number, unit: string) => ({
  doseAndRate: [{ type: ORDERED, doseRange: { low: of(low, unit), high: of(high, unit) } }],
});
const needed = (code: string) => ({ asNeededCodeableConcept: snomed(code) });
const most = (numerator: Json) => ({
  maxDosePerPeriod: { numerator, denominator: { value: 1, system: UCUM, code: 'd' } },
});
const from = (start: string, end?: string) => ({ boundsPeriod: { start, ...(end && { end }) } });
const rate = { rateRatio: { numerator: of(100, 'mL'), denominator: of(1, 'h') } };

const held = (name: string, ...dosages: Json[]): Example => ({ name, dosages });
const not = (refused: string, name: string, ...dosages: Json[]): Example => ({
  name,
  dosages,
  refused,
});
const timing = (name: string, parts: Json, refused?: string): Example => ({
  name,
  dosages: [repeat(parts)],
  ...(refused && { refused: `Dosage.timing.repeat.${refused}` }),
});
const daily = { period: 1, periodUnit: 'd' };

/** The table and the examples of the type Timing. */
export const TIMINGS: readonly Example[] = [
  timing('every 8 hours', { frequency: 1, period: 8, periodUnit: 'h' }),
  timing('every 7 days', { frequency: 1, period: 7, periodUnit: 'd' }),
  timing('three times a day', { frequency: 3, ...daily }),
  timing('3 to 4 times a day', { frequency: 3, frequencyMax: 4, ...daily }, 'frequencyMax'),
  timing(
    'every 4 to 6 hours',
    { frequency: 1, period: 4, periodMax: 6, periodUnit: 'h' },
    'periodMax',
  ),
  timing(
    'every 21 days for 1 hour',
    { duration: 1, durationUnit: 'h', frequency: 1, period: 21, periodUnit: 'd' },
    'duration',
  ),
  timing(
    'three times a week for half an hour',
    { duration: 0.5, durationUnit: 'h', frequency: 3, period: 1, periodUnit: 'wk' },
    'duration',
  ),
  timing('with breakfast', { when: ['CM'] }),
  timing(
    'for 5 minutes, 10 minutes before meals',
    { duration: 5, durationUnit: 'min', when: ['AC'], offset: 10 },
    'duration',
  ),
  timing('3 times daily, 30 minutes before meals', {
    frequency: 3,
    ...daily,
    when: ['AC'],
    offset: 30,
  }),
  timing(
    'twice a day, 30 minutes before a meal, for 10 days',
    { boundsDuration: of(10, 'd'), frequency: 2, ...daily, when: ['AC'], offset: 30 },
    'when',
  ),
  timing('three times a day for 14 days', { boundsDuration: of(14, 'd'), frequency: 3, ...daily }),
  timing('twice a day from an hour on', { ...from('2015-07-01T13:00:00'), frequency: 2, ...daily }),
  timing('Monday, Wednesday and Friday morning', {
    frequency: 1,
    ...daily,
    dayOfWeek: ['mon', 'wed', 'fri'],
    when: ['MORN'],
  }),
  timing('every day at 10', { frequency: 1, ...daily, timeOfDay: ['10:00:00'] }),
  timing('once, at any time', { count: 1 }),
  timing('every second day in the morning, 20 times', {
    count: 20,
    frequency: 1,
    period: 2,
    periodUnit: 'd',
    when: ['MORN'],
  }),
  timing('half an hour before breakfast from day to day', {
    ...from('2011-12-23', '2012-01-02'),
    when: ['ACM'],
    offset: 30,
  }),
  not('Dosage.timing.event[1]', 'appointments', {
    timing: {
      event: [
        '2012-01-07T09:00:00+10:00',
        '2012-01-14T09:00:00+10:00',
        '2012-01-22T11:00:00+10:00',
      ],
    },
  }),
  timing(
    'a count with its maximum',
    { count: 20, countMax: 30, frequency: 3, period: 1, periodUnit: 'wk' },
    'countMax',
  ),
  timing(
    'up to four times a day',
    { duration: 15, frequency: 1, frequencyMax: 4, ...daily },
    'duration',
  ),
  not(
    'Dosage.timing.repeat',
    'from day to day, without how often',
    repeat(from('2013-02-14', '2013-02-28')),
  ),
];

const LONG = '4 grams over 30 minutes';

/** The Dosages of the examples of MedicationRequest, MedicationStatement and others. */
export const DOSAGES: readonly Example[] = [
  held('citalopram', {
    text: '1 tablet oral 1 time daily',
    ...every(1, 1, 'd'),
    route: { text: 'Oral' },
    ...dose(1, '{tbl}'),
  }),
  held('father', {
    additionalInstruction: [{ text: 'Take with Food' }],
    ...every(2, 1, 'd'),
    ...dose(1, 'tbl'),
  }),
  not('Dosage.timing', 'medrx002', { sequence: 1, text: 'Take one tablet daily as directed' }),
  held('medrx0301', {
    text: 'one to two tablets every 4-6 hours as needed for rib pain',
    patientInstruction: 'Take one to two tablets every four to six hours as needed for rib pain',
    ...every(1, 4, 'h', { periodMax: 6 }),
    ...needed('297217002'),
    ...ORAL,
    ...range(1, 2, 'TAB'),
  }),
  not(
    'Dosage[0].text',
    'medrx0302',
    { sequence: 1, text: 'Two tablets at once', ...every(1, 1, 'd'), ...ORAL, ...dose(2, 'TAB') },
    {
      sequence: 2,
      text: 'One tablet daily for 4 days',
      ...every(4, 1, 'd'),
      ...ORAL,
      ...dose(1, 'TAB'),
    },
  ),
  not(
    'Dosage[1].timing.repeat.boundsPeriod.start',
    'medrx0303',
    {
      sequence: 1,
      ...every(1, 1, 'd', from('2015-01-16', '2015-01-20')),
      ...ORAL,
      ...dose(4, 'TAB'),
    },
    {
      sequence: 2,
      ...every(1, 1, 'd', from('2015-01-23', '2015-01-30')),
      ...ORAL,
      ...dose(2, 'TAB'),
    },
    {
      sequence: 3,
      ...every(1, 1, 'd', from('2015-01-31', '2015-02-06')),
      ...ORAL,
      ...dose(1, 'TAB'),
    },
  ),
  held('medrx0304', {
    text: '10 drops four times daily - apply in mouth using cotton swab or finger',
    ...every(4, 1, 'd'),
    ...dose(10, 'drop'),
  }),
  not('Dosage.maxDosePerAdministration', 'medrx0305', {
    ...every(1, 6, 'h', { periodMax: 12, ...from('2015-01-15', '2015-01-20') }),
    ...needed('266599000'),
    ...dose(1, 'TAB'),
    maxDosePerAdministration: of(4, 'mg'),
  }),
  held('medrx0305 without the limit of one dose', {
    ...every(1, 6, 'h', { periodMax: 12, ...from('2015-01-15', '2015-01-20') }),
    ...needed('266599000'),
    ...dose(1, 'TAB'),
  }),
  held('medrx0306', {
    text: '6 mg PO daily for remission induction; adjust dosage',
    ...every(1, 1, 'd'),
    ...ORAL,
    ...dose(6, 'mg'),
  }),
  held('medrx0307', {
    text: '1 tablet every four hours as needed for pain',
    ...every(1, 4, 'h'),
    ...needed('203082005'),
    ...ORAL,
    ...dose(1, 'TAB'),
  }),
  held('medrx0309', {
    ...every(1, 2, 'd', from('2016-01-22', '2016-02-04')),
    ...ORAL,
    ...dose(1000, 'mg/m2'),
  }),
  not('Dosage.text', 'medrx0310 with its bedtime', {
    text: 'Take 1-2 tablets once daily at bedtime',
    ...every(1, 1, 'd'),
    ...needed('32914008'),
    ...ORAL,
    ...range(1, 2, 'TAB'),
  }),
  held('medrx0310', {
    text: 'Take 1-2 tablets once daily at bedtime as needed for restless legs',
    ...every(1, 1, 'd'),
    ...needed('32914008'),
    ...ORAL,
    ...range(1, 2, 'TAB'),
  }),
  held('medrx0312', {
    text: '100mg (4ml) three times daily',
    ...every(3, 1, 'd'),
    ...ORAL,
    ...dose(100, 'mg'),
  }),
  not('Dosage.text', 'medrx0313', {
    text: '500mg daily for 5 days',
    ...every(1, 1, 'd'),
    ...ORAL,
    ...dose(500, 'mg'),
  }),
  held('medrx0314', { text: '75mcg daily', ...every(1, 1, 'd'), ...ORAL, ...dose(75, 'mcg') }),
  not('Dosage.doseAndRate[0].rateRange', 'medrx0315', {
    ...every(1, 15, 'min'),
    asNeededBoolean: true,
    doseAndRate: [{ rateRange: { low: of(2, 'min'), high: of(5, 'min') } }],
  }),
  not('Dosage.doseAndRate[0].rateRatio', 'medrx0316', {
    ...every(1, 3, 'wk', { count: 16 }),
    ...VEIN,
    ...dose(1.8, 'mg/kg', rate),
  }),
  not('Dosage.maxDosePerLifetime', 'medrx0316 without its rate', {
    ...every(1, 3, 'wk', { count: 16 }),
    ...VEIN,
    ...dose(1.8, 'mg/kg'),
    maxDosePerLifetime: of(400, 'mg'),
  }),
  held('medrx0316 without rate and limit', {
    ...every(1, 3, 'wk', { count: 16 }),
    ...VEIN,
    ...dose(1.8, 'mg/kg'),
  }),
  not(
    'Dosage[0].timing.repeat.duration',
    'medrx0317',
    ...[3, 10, 30].map((amount, i) => ({
      sequence: i + 1,
      ...every(3, 1, 'wk', { duration: 12, durationUnit: 'wk' }),
      ...dose(amount, 'mg'),
    })),
  ),
  not('Dosage.text', 'medrx0318', {
    text: '500mg IV q6h x 3 days',
    ...every(1, 6, 'h'),
    ...VEIN,
    ...dose(500, 'mg'),
  }),
  not('Dosage.doseAndRate[0].rateQuantity', 'medrx0319', {
    text: LONG,
    ...every(1, 6, 'h'),
    ...VEIN,
    ...dose(4.5, 'g', { rateQuantity: of(50, 'ml/hr') }),
  }),
  held('medrx0320', {
    text: '20 Units SC three times daily',
    ...every(3, 1, 'd'),
    route: snomed('263887005'),
    ...dose(20, 'U'),
  }),
  not(
    'Dosage[1].text',
    'medrx0321',
    {
      sequence: 2,
      text: 'inject 10 units subcut 10 minutes before breakfast',
      ...every(1, 1, 'd', { when: ['ACM'], offset: 10 }),
      ...dose(10, 'U'),
    },
    { sequence: 2, text: '15 units before lunch', ...every(1, 1, 'd'), ...dose(15, 'U') },
    { sequence: 1, text: '20 units before dinner', ...every(1, 1, 'd'), ...dose(20, 'U') },
  ),
  held(
    'medrx0321 with the meals that its texts say',
    {
      sequence: 1,
      text: 'inject 10 units subcut 10 minutes before breakfast',
      ...every(1, 1, 'd', { when: ['ACM'], offset: 10 }),
      ...dose(10, 'U'),
    },
    {
      sequence: 1,
      text: '15 units before lunch',
      ...every(1, 1, 'd', { when: ['ACD'] }),
      ...dose(15, 'U'),
    },
    {
      sequence: 1,
      text: '20 units before dinner',
      ...every(1, 1, 'd', { when: ['ACV'] }),
      ...dose(20, 'U'),
    },
  ),
  not('Dosage.doseAndRate[0].rateRatio', 'medrx0322', {
    ...every(1, 1, 'h'),
    ...VEIN,
    ...dose(20, 'mEq', rate),
  }),
  not('Dosage.doseAndRate[0].rateRatio', 'medrx0323', {
    ...every(1, 24, 'h'),
    site: snomed('6073002'),
    ...dose(1000, 'mL', rate),
  }),
  not('Dosage.timing.repeat', 'medrx0323 without its rate', {
    timing: {
      event: ['2015-01-15T22:00:00+11:00'],
      repeat: { frequency: 1, period: 24, periodUnit: 'h' },
    },
    ...dose(1000, 'mL'),
  }),
  held('medrx0324', {
    text: 'Insert one suppository rectally twice daily as needed for fever to a maximim of 3 per day',
    ...every(2, 1, 'd'),
    ...needed('386661006'),
    ...dose(240, 'mg'),
    ...most({ value: 720, system: UCUM, code: 'mg' }),
  }),
  held('medrx0325', {
    text: 'Apply to affected areas four times daily',
    ...every(4, 1, 'd'),
    ...dose(1, 'ea'),
  }),
  not('Dosage.text', 'medrx0326', {
    text: 'Use two sprays twice daily',
    ...every(2, 1, 'd'),
    ...dose(1, 'ea'),
  }),
  not('Dosage.timing.repeat.frequency', 'medrx0327', {
    text: 'apply one patch three times per week',
    ...every(3, 1, 'wk'),
    ...dose(1, 'patch'),
  }),
  held('medrx0328', { text: 'Use 1 spray twice daily', ...every(2, 1, 'd'), ...dose(1, 'ea') }),
  held('medrx0329', {
    text: 'Apply twice daily to affected area on left arm',
    ...every(2, 1, 'd'),
    site: snomed('723962009'),
    ...SKIN,
    ...dose(1, 'ea'),
  }),
  held('medrx0330', {
    text: 'Instil one drop in each eye twice daily',
    ...every(2, 1, 'd'),
    route: snomed('54485002'),
    ...dose(1, 'OPDROP'),
  }),
  held('medrx0331', { text: '7mg once daily', ...every(1, 1, 'd'), ...dose(7, 'mg') }),
  held('medrx0332', {
    text: 'Administer 500mg IM as a single dose',
    ...repeat({ count: 1 }),
    route: snomed('255559005'),
    ...dose(500, 'mg'),
  }),
  held('medrx0333', { ...every(1, 1, 'd', { when: ['MORN'] }), ...ORAL, ...range(1, 2, 'TAB') }),
  held('medrx0334', {
    text: 'Apply to affected areas four times daily on Monday of each week',
    ...every(4, 1, 'd', { dayOfWeek: ['mon'] }),
    ...dose(1, 'ea'),
  }),
  held('medrx0335', {
    text: 'Apply to affected areas at 9am daily',
    ...repeat({ timeOfDay: ['09:00:00'] }),
    ...dose(1, 'ea'),
  }),
  not('Dosage.doseAndRate[0].rateQuantity', 'medrx0336', {
    ...repeat({ duration: 33.33, durationUnit: 'h' }),
    ...VEIN,
    doseAndRate: [{ rateQuantity: { value: 4, unit: 'ug/kg/min' } }],
  }),
  not(
    'Dosage[0].text',
    'medrx0339',
    {
      sequence: 1,
      text: 'Insert one suppository into the vagina daily at bedtime',
      ...every(1, 1, 'd', from('2015-01-16', '2015-01-18')),
      route: snomed('16857009'),
      ...dose(1, 'VAGTAB'),
    },
    {
      sequence: 1,
      text: 'Apply to vaginal area topically once daily',
      ...every(1, 1, 'd', from('2015-01-16', '2015-01-18')),
      ...SKIN,
    },
  ),
  not('Dosage.maxDosePerPeriod.numerator', 'statement 003', {
    text: '1 tablet per day',
    asNeededBoolean: false,
    ...dose(1, 'tab'),
    ...most({ value: 1 }),
  }),
  held('statement 003 without its limit', {
    text: '1 tablet per day',
    asNeededBoolean: false,
    ...dose(1, 'tab'),
  }),
  not('Dosage.maxDosePerPeriod.numerator', 'statement 004', {
    text: 'one capsule three times daily',
    ...every(3, 1, 'd'),
    ...most({ value: 3, unit: 'capsules' }),
  }),
  not('Dosage.maxDosePerAdministration', 'nitroglycerin', {
    ...every(1, 5, 'min'),
    ...dose(1, '{tbl}'),
    maxDosePerAdministration: of(3, '{tbl}'),
  }),
  not('Dosage.timing.repeat.period', 'nitroglycerin without the limit of one dose', {
    ...every(1, 5, 'min'),
    ...dose(1, '{tbl}'),
  }),
  not('Dosage.timing.repeat.frequency', 'dispense 008', {
    ...every(2, 21, 'd'),
    ...dose(500, 'mg'),
  }),
];
