import fc from 'fast-check';
import { nextAllowed, warningsFor } from '../../../src/domains/reminders/safety/limits.js';
import { makeMedicine } from '../../support/factories.js';
import { errorCode, mutation, useService } from '../../support/harness.js';

const HOUR = 60 * 60_000;
const DAY = 24 * HOUR;

describe('A medicine as needed', () => {
  const service = useService();
  const LIMITS = 'limits { maxPerDay leastInterval taken nextAt warnings }';
  const limits = async (id: number) =>
    (await service().data(`query { medicineReminder(id: ${id}) { ${LIMITS} } }`)).medicineReminder
      .limits;
  const limit = (input: object) =>
    service().ask(mutation('limitDoses', `reminder { ${LIMITS} }`), { input });
  const log = async (reminderId: number, at?: string): Promise<string[]> =>
    (
      await service().data(mutation('logDose', 'warnings event { status }'), {
        input: { reminderId, at },
      })
    ).logDose.warnings;

  it('warns of more than its maximum within 24 hours, and of a dose too soon, and logs them', async () => {
    service().at('2026-03-10T08:00:00Z');
    const id = await makeMedicine(service(), { frequencyType: 'as_needed' });
    expect(await log(id), 'without limits').toStrictEqual([]);
    const { data } = await limit({ id, maxPerDay: 3, leastInterval: 240 });
    expect(data.limitDoses.reminder.limits).toStrictEqual({
      maxPerDay: 3,
      leastInterval: 240,
      taken: 1,
      nextAt: '2026-03-10T12:00:00.000Z',
      warnings: ['TOO_SOON'],
    });
    service().at('2026-03-10T11:59:00Z');
    expect(await log(id)).toStrictEqual(['TOO_SOON']);
    service().at('2026-03-10T16:00:00Z');
    expect((await limits(id)).warnings).toStrictEqual([]);
    expect(await log(id)).toStrictEqual([]);
    service().at('2026-03-10T20:00:00Z');
    expect(await limits(id)).toStrictEqual({
      maxPerDay: 3,
      leastInterval: 240,
      taken: 3,
      nextAt: '2026-03-11T08:00:00.000Z',
      warnings: ['TOO_MANY'],
    });
    expect(await log(id)).toStrictEqual(['TOO_MANY']);
    expect(await log(id, '2026-03-10T17:00:00Z'), 'logged late').toStrictEqual([
      'TOO_MANY',
      'TOO_SOON',
    ]);
  });

  it('warns of a dose whose number exceeds 32 bits', async () => {
    service().at('2026-03-10T08:00:00Z');
    const id = await makeMedicine(service(), { frequencyType: 'as_needed' });
    await limit({ id, maxPerDay: 1 });
    await service().database.query('ALTER SEQUENCE dose_id_seq RESTART 3000000000');
    expect(await log(id)).toStrictEqual([]);
    expect(await log(id)).toStrictEqual(['TOO_MANY']);
  });

  it('keeps the limits that are not given, and forgets those that are null', async () => {
    const id = await makeMedicine(service(), { frequencyType: 'as_needed' });
    await limit({ id, maxPerDay: 3, leastInterval: 240 });
    await limit({ id, maxPerDay: 4 });
    expect(await limits(id)).toMatchObject({ maxPerDay: 4, leastInterval: 240 });
    await limit({ id, leastInterval: null });
    expect(await limits(id)).toMatchObject({ maxPerDay: 4, leastInterval: null, nextAt: null });
  });

  it('knows the limits that its phrase or schedule states, below those that somebody sets', async () => {
    for (const [frequencyType, maxPerDay, leastInterval] of [
      ['q4h prn max 4/day', 4, 240],
      ['every 6 hours as needed', null, 360],
      ['twice daily as needed', 2, null],
      ['daily as needed', 1, null],
      ['as needed', null, null],
      ['SOS', null, null],
    ] as const) {
      const id = await makeMedicine(service(), { frequencyType });
      expect(await limits(id), frequencyType).toMatchObject({ maxPerDay, leastInterval });
    }
    const input = {
      name: 'Ibuprofen',
      schedule: { repeat: { asNeeded: { mostADay: 3, leastMinutes: 480 } } },
    };
    const made = await service().data(
      mutation('createMedicineReminder', `reminder { databaseId }`),
      {
        input,
      },
    );
    const { databaseId: id } = made.createMedicineReminder.reminder;
    expect(await limits(id)).toMatchObject({ maxPerDay: 3, leastInterval: 480 });
    expect(await log(id)).toStrictEqual([]);
    expect(await log(id)).toStrictEqual(['TOO_SOON']);
    await limit({ id, leastInterval: 60 });
    expect(await limits(id)).toMatchObject({ maxPerDay: 3, leastInterval: 60 });
    await limit({ id, leastInterval: null });
    expect(await limits(id)).toMatchObject({ maxPerDay: 3, leastInterval: 480 });
  });

  it('keeps to its largest amount of a day when somebody sets other amounts', async () => {
    service().at('2026-03-10T08:00:00Z');
    const mg = (value: number) => ({ value, unit: 'mg' });
    const day = { value: 1, code: 'd' };
    const { createMedicineReminder } = await service().data(
      mutation('createMedicineReminder', 'reminder { databaseId }'),
      {
        input: {
          name: 'M',
          fhirDosage: {
            version: 'R4',
            dosages: [
              {
                asNeededBoolean: true,
                doseAndRate: [{ doseQuantity: mg(1_000) }],
                maxDosePerPeriod: { numerator: mg(4_000), denominator: day },
              },
            ],
          },
        },
      },
    );
    const id = createMedicineReminder.reminder.databaseId;
    const most = async (unit: string, ...steps: object[]) => {
      await service().data(mutation('setDoseAmounts', '__typename'), {
        input: { id, unit, steps },
      });
      return (await limits(id)).maxPerDay;
    };
    expect((await limits(id)).maxPerDay).toBe(4);
    expect(await most('mg', { amount: 500, upTo: 2_000 })).toBe(2);
    expect(await most('mg', { amount: 500 }, { startsOn: '2026-03-11', amount: 1_000 })).toBe(8);
    expect(await most('tablet', { amount: 2 }), 'nobody knows').toBe(4);
    expect(await most('mg', { amount: 3_000 })).toBe(1);
    expect(await log(id)).toStrictEqual([]);
    service().at('2026-03-10T20:00:00Z');
    expect(await log(id)).toStrictEqual(['TOO_MANY']);
    expect(await most('mg', { amount: 5_000 }), 'one is more').toBe(0);
    service().at('2026-03-13T20:00:00Z');
    expect(await limits(id)).toMatchObject({ nextAt: null, warnings: ['TOO_MANY'] });
  });

  it('refuses limits that make no sense', async () => {
    const id = await makeMedicine(service(), { frequencyType: 'as_needed' });
    for (const bad of [
      { maxPerDay: 0 },
      { maxPerDay: -1 },
      { maxPerDay: 1.5 },
      { leastInterval: 0 },
    ])
      expect(errorCode(await limit({ id, ...bad })) ?? 'none', JSON.stringify(bad)).not.toBe(
        'none',
      );
    expect(await limits(id)).toMatchObject({ maxPerDay: null, leastInterval: null });
  });

  it('says an instant from which on another dose keeps to the limits', () => {
    const instants = fc.array(fc.integer({ min: -3 * DAY, max: 0 }), { maxLength: 12 });
    const given = fc.record({
      maxPerDay: fc.option(fc.integer({ min: 1, max: 6 })),
      leastInterval: fc.option(fc.integer({ min: 1, max: 600 })),
    });
    fc.assert(
      fc.property(instants, given, (others, limits) => {
        const next = nextAllowed(0, limits, others);
        expect(warningsFor(next ?? 0, limits, others)).toStrictEqual([]);
        if (next !== undefined) expect(warningsFor(next - 1, limits, others)).not.toStrictEqual([]);
      }),
    );
  });
});
