import { readFileSync } from 'node:fs';
import { KNOWN_MEDICINES } from '../../../src/domains/reminders/safety/known-medicines.js';
import { secondLook } from '../../../src/domains/reminders/safety/second-look.js';
import { amountIn, parseFrequency } from '../../../src/domains/reminders/schedule/frequency.js';
import { makeCarer, makeMedicine } from '../../support/factories.js';
import { type Caller, errorCode, mutation, useService } from '../../support/harness.js';

const DOUBT = 'frequencyDoubt { kind message meanings }';
const FIELDS = `databaseId status frequency scheduleText confirmedAt amounts { text } ${DOUBT}`;

/** What is written of a medicine, and why it is in doubt. */
const UNUSUAL: readonly (readonly [name: string, directions: string, concern: string])[] = [
  ['Methotrexate', 'daily', 'too_often'],
  ['Metotrexato 2,5 mg', '2 comprimidos por la mañana', 'too_often'],
  ['MTX', 'every Monday and Thursday', 'too_often'],
  ['Méthotrexate', 'tous les 2 jours', 'too_often'],
  ['Methotrexat', '3 days on and 4 days off', 'too_often'],
  ['methotrexate', 'every 12 hours', 'too_often'],
  ['methotrexate', 'as needed', 'too_often'],
  ['Methotrexate', '100 mg once a week on Monday', 'amount'],
  ['Levothyroxine', '1 mg daily', 'amount'],
  ['Levothyroxin', '100 mg täglich', 'amount'],
  ['Digoxin', '0.75 mg three times a day', 'amount'],
  ['Digoxin', '2.5 mg daily', 'amount'],
  ['Warfarin', '50 mg daily', 'amount'],
  ['Lantus', '1000 units at bedtime', 'amount'],
  ['Insulin glargine', 'take 2 at night', 'unit'],
  ['Insulin', '10 ml daily', 'amount'],
  ['Morphine', '1 g every 4 hours', 'amount'],
  ['Fentanyl', '5 mg as needed', 'amount'],
  ['Potassium chloride', '400 mmol daily', 'amount'],
  ['Apixaban', '50 mg bd', 'amount'],
  ['Lithium', '4 g daily', 'amount'],
  ['Paracetamol', '12 tablets q4h prn', 'amount'],
  ['Anything', '12 capsules every 6 hours', 'amount'],
  ['Anything', '12 tablets every 4 hours for 2 days, then 1 twice daily', 'amount'],
];
const USUAL: readonly (readonly [name: string, directions: string])[] = [
  ['Methotrexate', '15 mg once a week on Monday'],
  ['Methotrexate', 'weekly'],
  ['Methotrexate', 'every 7 days'],
  ['Folic acid', '5 mg daily'],
  ['Levothyroxine', '0.1 mg daily'],
  ['Levothyroxine', '75 mcg in the morning'],
  ['Levothyroxine', '1 tablet daily'],
  ['Digoxin', '0.0625 mg daily'],
  ['Digoxin', '125 mcg daily'],
  ['Warfarin', '7.5 mg daily'],
  ['Insulin glargine', '20 units at bedtime'],
  ['Morphine', '10 mg every 4 hours as needed'],
  ['Oxycodone', '5 mg q6h prn'],
  ['Potassium chloride', '20 mEq twice daily'],
  ['Losartan potassium', '50 mg daily'],
  ['Apixaban', '5 mg bd'],
  ['Amoxicillin', '2 g daily'],
  ['Paracetamol', '1-2 tablets q4h prn'],
  ['Anything', '4 tablets every 6 hours'],
  ['Prednisolone', '12 tablets daily'],
  ['Prednisolone', '12 tablets every 24 hours'],
  ['Anything', '12 drops every 6 hours'],
];

describe('A second look at directions', () => {
  const looked = (name: string, directions: string) => {
    const frequency = parseFrequency(directions);
    const stated = amountIn(directions);
    const amounts = stated ? [{ value: stated.value, unit: stated.unit ?? '' }] : [];
    return secondLook({ texts: [name, directions], frequency, amounts });
  };

  it.each(UNUSUAL)('finds %s, %s in doubt', (name, directions, concern) => {
    expect(parseFrequency(directions).kind).not.toBe('unrecognized');
    expect(looked(name, directions)).toBe(concern);
  });

  it.each([
    ['Levothyroxine', '5000', 'mcg ug µg μg microgram micrograms Mikrogramm microgramos'],
    ['Levothyroxine', '5', 'mg MG milligram Milligramm'],
    ['Insulin', '1000', 'unit units U IU IE UI [iU] Einheiten unités'],
    ['Digoxin', '250', 'milligram'],
    ['Anything', '12', 'tablet tablets Tabletten comprimés capsules'],
  ])('finds %s, %s in doubt in every spelling of its unit', (name, value, units) => {
    for (const unit of units.split(' ')) {
      const amounts = [{ value, unit: ` ${unit}` }];
      const frequency = parseFrequency('every 6 hours');
      expect([unit, secondLook({ texts: [name], frequency, amounts })]).toStrictEqual([
        unit,
        'amount',
      ]);
    }
  });

  it('knows the medicines that the documentation names, with the same numbers', () => {
    const documented = readFileSync('docs/medicines.md', 'utf8').match(
      /^\| [a-z]+ \| [\d.]+ to .*$/gm,
    );
    const rows = KNOWN_MEDICINES.map(({ name, unit, each, aDay, isHighAlert }) => {
      const much = `${each.join(' to ')} ${unit} | ${aDay} ${unit}`;
      return `| ${name} | ${much} |${isHighAlert ? ' yes' : ''} |`;
    });
    expect(documented).toStrictEqual(rows);
  });

  it.each(USUAL)('finds nothing against %s, %s', (name, directions) => {
    expect(parseFrequency(directions).kind).not.toBe('unrecognized');
    expect(looked(name, directions)).toBeUndefined();
  });
});

describe('Unusual directions', () => {
  const service = useService();
  const make = (name: string, frequencyType: string) => {
    service().at('2026-03-10T07:00:00Z');
    return makeMedicine(service(), { name, frequencyType, startDate: '2026-03-10' });
  };
  const read = async (id: number) =>
    (await service().data(`{ medicineReminder(id: ${id}) { ${FIELDS} } }`)).medicineReminder;
  const confirm = (id: number, more: object = {}, as: Caller = 'subscriber') =>
    service().graphql(
      mutation('confirmDirections', `reminder { ${FIELDS} }`),
      {
        input: { id, ...more },
      },
      { as },
    );
  const told = async () =>
    (await service().database.prisma.notification.findMany({ orderBy: { id: 'asc' } })).map(
      ({ kind, accountId }) => [kind, accountId],
    );

  it('of a medicine that is taken once a week never ring until a clinician confirms them', async () => {
    const id = await make('Methotrexate', '2.5 mg daily');
    expect(await read(id)).toMatchObject({
      status: 'UNRECOGNIZED',
      scheduleText: null,
      frequencyDoubt: { kind: 'UNUSUAL' },
    });
    expect(errorCode((await confirm(id)).body)).toBe('FORBIDDEN');
    const member = await service().account('subscriber');
    const clinician = await service().account('clinician');
    await service().database.prisma.careAssignment.create({
      data: { memberId: member.id, clinicianId: clinician.id, createdAt: new Date() },
    });
    const { body } = await confirm(id, {}, 'clinician');
    expect(body.data.confirmDirections.reminder).toMatchObject({
      status: 'ACTIVE',
      scheduleText: '2.5 mg every day at 08:00',
      frequencyDoubt: null,
    });
  });

  it('are found in a FHIR Dosage too', async () => {
    service().at('2026-03-10T07:00:00Z');
    const dosage = {
      timing: { repeat: { frequency: 1, period: 1, periodUnit: 'd' } },
      doseAndRate: [{ doseQuantity: { value: 2.5, unit: 'mg' } }],
    };
    const make = async (name: string, dosages: object[]) => {
      const { createMedicineReminder } = await service().data(
        mutation('createMedicineReminder', 'reminder { databaseId }'),
        { input: { name, startsOn: '2026-03-10', fhirDosage: { version: 'R4', dosages } } },
      );
      return createMedicineReminder.reminder.databaseId as number;
    };
    expect(await read(await make('Methotrexate', [dosage]))).toMatchObject({
      status: 'UNRECOGNIZED',
      frequencyDoubt: { kind: 'UNUSUAL' },
    });
    expect(await read(await make('Digoxin', [dosage]))).toMatchObject({
      status: 'ACTIVE',
      frequencyDoubt: { kind: 'UNUSUAL' },
    });
  });

  it('are told to the member, the carers and the assigned clinicians', async () => {
    const member = await service().account('subscriber');
    const clinician = await service().account('clinician');
    const carer = await service().account('author');
    await makeCarer(service(), { memberId: member.id, carerId: carer.id });
    await service().database.prisma.careAssignment.create({
      data: { memberId: member.id, clinicianId: clinician.id, createdAt: new Date() },
    });
    await make('Digoxin', '2.5 mg daily');
    const ids = (await told()).filter(([kind]) => kind === 'reminder_doubted');
    expect(ids.map(([, to]) => to)).toStrictEqual([member.id, carer.id, clinician.id]);
  });

  it('are told without a sound in the quiet hours of each', async () => {
    const member = await service().account('subscriber');
    const carer = await service().account('author');
    await makeCarer(service(), { memberId: member.id, carerId: carer.id });
    const quiet = { quietStart: '22:00', quietEnd: '09:00' };
    await service().data(
      mutation('updateNotificationPreference', '__typename'),
      { input: quiet },
      'author',
    );
    await make('Digoxin', '2.5 mg daily');
    const { prisma } = service().database;
    const made = await prisma.notification.findMany({ orderBy: { id: 'asc' } });
    expect(
      made.map(({ accountId, silent, aboutId }) => [accountId, silent, aboutId]),
    ).toStrictEqual([
      [member.id, false, null],
      [carer.id, true, member.id],
    ]);
  });

  it('are told to nobody who is suspended, or assigned and no clinician any more', async () => {
    const member = await service().account('subscriber');
    const former = await service().account('clinician');
    const carer = await service().account('author');
    await makeCarer(service(), { memberId: member.id, carerId: carer.id });
    const { account, careAssignment } = service().database.prisma;
    await careAssignment.create({
      data: { memberId: member.id, clinicianId: former.id, createdAt: new Date() },
    });
    await account.update({ where: { id: former.id }, data: { roles: ['subscriber'] } });
    await account.update({ where: { id: carer.id }, data: { suspendedAt: new Date() } });
    await make('Digoxin', '2.5 mg daily');
    const ids = (await told()).filter(([kind]) => kind === 'reminder_doubted');
    expect(ids.map(([, to]) => to)).toStrictEqual([member.id]);
  });

  it('by their amount ring, and are in doubt until they are confirmed', async () => {
    const id = await make('Digoxin', '2.5 mg daily');
    expect(await read(id)).toMatchObject({
      status: 'ACTIVE',
      confirmedAt: null,
      frequencyDoubt: {
        kind: 'UNUSUAL',
        message: expect.stringContaining('are unusual for it'),
      },
    });
    await confirm(id);
    expect(await read(id)).toMatchObject({
      confirmedAt: '2026-03-10T07:00:00.000Z',
      frequencyDoubt: null,
    });
  });

  it('are found in amounts that somebody sets, and in a new name', async () => {
    const id = await make('Digoxin', 'daily');
    const set = (amount: number) =>
      service().data(mutation('setDoseAmounts', '__typename'), {
        input: { id, unit: 'mg', steps: [{ amount }] },
      });
    await set(2.5);
    expect((await read(id)).frequencyDoubt.kind).toBe('UNUSUAL');
    await set(0.25);
    expect(await read(id)).toMatchObject({
      frequencyDoubt: null,
      confirmedAt: '2026-03-10T07:00:00.000Z',
    });
    await service().data(mutation('updateMedicineReminder', '__typename'), {
      input: { id, name: 'Methotrexate' },
    });
    expect((await read(id)).status).toBe('UNRECOGNIZED');
  });

  it.each([
    ['another name', 'Folic acid', 5, { name: 'Digoxin' }],
    ['more doses a day', 'Levothyroxine', 0.2, { frequency: '4 times a day' }],
  ])('are found in amounts that somebody has set, beside %s', async (_, name, amount, change) => {
    const id = await make(name, 'daily');
    const act = (what: string, input: object) =>
      service().data(mutation(what, '__typename'), { input: { id, ...input } });
    await act('setDoseAmounts', { unit: 'mg', steps: [{ amount }] });
    expect((await read(id)).frequencyDoubt).toBeNull();
    await act('updateMedicineReminder', change);
    expect((await read(id)).frequencyDoubt?.kind).toBe('UNUSUAL');
  });
});

describe('A choice among meanings', () => {
  const service = useService();
  const make = (frequencyType: string) => {
    service().at('2026-03-10T07:00:00Z');
    return makeMedicine(service(), { frequencyType, startDate: '2026-03-10' });
  };
  const read = async (id: number) =>
    (await service().data(`{ medicineReminder(id: ${id}) { ${FIELDS} } }`)).medicineReminder;
  const choose = async (id: number, meaning?: number) =>
    service().graphql(
      mutation('confirmDirections', `reminder { ${FIELDS} }`),
      { input: { id, meaning } },
      { as: 'subscriber' },
    );

  it('is one of the meanings of a frequency that has several', async () => {
    const id = await make('2 daily');
    const { meanings } = (await read(id)).frequencyDoubt;
    expect(meanings).toStrictEqual(['2 times a day', 'daily, take 2']);
    const { body } = await choose(id, meanings.indexOf('daily, take 2'));
    expect(body.data.confirmDirections.reminder).toMatchObject({
      status: 'ACTIVE',
      frequency: '2 daily',
      scheduleText: '2 every day at 08:00',
      frequencyDoubt: null,
    });
  });

  it('counts for the same text of the member from then on', async () => {
    await choose(await make('2 daily'), 0);
    expect(await read(await make('2 daily'))).toMatchObject({
      status: 'ACTIVE',
      scheduleText: 'every day at 08:00 and 20:00',
    });
    expect((await read(await make('3 daily'))).status).toBe('UNRECOGNIZED');
  });

  it.each([
    ['without a place where there are several', '2 daily', undefined],
    ['of a place that there is not', '2 daily', 7],
    ['of a meaning that leaves something open', 'twice a week', 0],
    ['of what has no meaning', 'as directed', 0],
  ])('is refused %s', async (_, frequency, meaning) => {
    expect(errorCode((await choose(await make(frequency), meaning)).body)).toBe('MEANING_INVALID');
  });

  it('goes with the frequency that it was made for', async () => {
    const id = await make('2 daily');
    await choose(id, 0);
    await service().data(mutation('updateMedicineReminder', '__typename'), {
      input: { id, frequency: '4 daily' },
    });
    expect(await read(id)).toMatchObject({ status: 'UNRECOGNIZED', confirmedAt: null });
  });
});
