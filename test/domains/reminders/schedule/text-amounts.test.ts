import fc from 'fast-check';
import { DomainError } from '../../../../src/core/errors.js';
import { readDosages } from '../../../../src/domains/reminders/schedule/fhir/dosage-reading.js';
import { readingsOf } from '../../../../src/domains/reminders/schedule/words/read.js';

/** Units as a text and as a Quantity have them, and how much of their kind they are. */
const UNITS = [
  ['mg', 'mg', 'mass', 1_000],
  ['mcg', 'ug', 'mass', 1],
  ['micrograms', 'mcg', 'mass', 1],
  ['g', 'g', 'mass', 1_000_000],
  ['ml', 'mL', 'volume', 1],
  ['tablets', '{tablet}', 'tablet', 1],
  ['tablets', 'TAB', 'tablet', 1],
  ['tabs', 'comprimé', 'tablet', 1],
  ['units', '[iU]', 'unit', 1],
  ['drops', 'drops', 'drop', 1],
  ['puffs', '{puff}', 'puff', 1],
] as const;
const unit = fc.constantFrom(...UNITS);
const value = fc.constantFrom(0.5, 1, 2, 5, 500, 1_000);

type Unit = (typeof UNITS)[number];

/** How a text says one amount or two, and the Timing that comes as often. */
const SHAPES = [
  {
    say: (one: number, _: number, name: string) => `${one} ${name} twice a day`,
    repeat: { frequency: 2, period: 1, periodUnit: 'd' },
    isUneven: false,
  },
  {
    say: (one: number, other: number, name: string) =>
      `${one} ${name} in the morning and ${other} ${name} at night`,
    repeat: { when: ['MORN', 'NIGHT'] },
    isUneven: true,
  },
  {
    say: (one: number, other: number, name: string) =>
      `${one} ${name} daily for 3 days then ${other} ${name} daily`,
    repeat: { frequency: 1, period: 1, periodUnit: 'd' },
    isUneven: true,
  },
  {
    say: (one: number, other: number, name: string) =>
      `${one} ${name} daily, ${other} ${name} on Mondays`,
    repeat: { frequency: 1, period: 1, periodUnit: 'd' },
    isUneven: true,
  },
] as const;

/** Returns the element that is refused of a Dosage; undefined where it is taken. */
function refusedOf(text: string, doseQuantity: object, repeat?: object): string | undefined {
  try {
    const timing = repeat && { timing: { repeat } };
    readDosages([{ text, ...timing, doseAndRate: [{ doseQuantity }] }], 'R4');
    return undefined;
  } catch (error) {
    if (error instanceof DomainError) return error.message.split(':')[0];
    throw error;
  }
}

const isSame = (one: number, [, , kind, size]: Unit, other: number, [, , kindOf, sizeOf]: Unit) =>
  kind === kindOf && one * size === other * sizeOf;

describe('The text of a Dosage beside its dose', () => {
  it('is taken where each amount that it states is the dose, and refused by name elsewhere', () => {
    const seen = { taken: 0, refused: 0 };
    const property = fc.property(
      fc.constantFrom(...SHAPES),
      fc.oneof(
        value.map((all) => [all, all, all] as const),
        fc.tuple(value, value, value),
      ),
      fc.oneof(
        unit.map((both) => [both, both] as const),
        fc.tuple(unit, unit),
      ),
      fc.boolean(),
      ({ say, repeat, isUneven }, [one, other, dose], [of, counted], isTimed) => {
        const text = say(one, other, of[0]);
        // What is not understood, such as half a drop, contradicts nothing.
        fc.pre(readingsOf(text).length === 1);
        const stated = isUneven ? [one, other] : [one];
        const agrees = stated.every((much) => isSame(much, of, dose, counted));
        const quantity = { value: dose, unit: counted[1] };
        const found = refusedOf(text, quantity, isTimed ? repeat : undefined);
        seen[found ? 'refused' : 'taken'] += 1;
        expect([text, dose, counted[1], found]).toStrictEqual([
          text,
          dose,
          counted[1],
          agrees ? undefined : 'Dosage.text',
        ]);
      },
    );
    fc.assert(property, { numRuns: Number(process.env.PROPERTY_RUNS ?? 400) });
    expect(Math.min(seen.taken, seen.refused)).toBeGreaterThan(20);
  });

  it.each([
    ['4 ml (100 mg) twice a day', { value: 4, unit: 'mL' }],
    ['4 ml (100 mg) twice a day', { value: 100, unit: 'mg' }],
    ['2 tablets of 500 mg twice a day', { value: 2, unit: 'tablet' }],
    ['2 tablets of 500 mg twice a day', { value: 1_000, unit: 'mg' }],
    ['take two 500 mg twice a day', { value: 1, unit: 'g' }],
    ['10 ml (100 mg/5 ml) twice a day', { value: 10, unit: 'mL' }],
    ['1 tablet (500 mg) twice a day', { value: 500, unit: 'mg' }],
    ['1 spray twice a day', { value: 1, unit: 'ea' }],
    ['1 bd', { value: 1, unit: 'tablet' }],
    ['2 tablets (1000 mg) twice a day', { value: 1_000, unit: 'mg' }],
    ['2 tablets (500 mg) twice a day', { value: 1_000, unit: 'mg' }],
    ['1 Tablette morgens', { value: 1, unit: 'Stück' }],
    ['1 puff twice a day', { value: 1, unit: '{dose}' }],
    ['1 suppository daily', { value: 1, unit: 'dose' }],
    ['2 puffs twice a day', { value: 2, unit: 'actuation' }],
    ['1 lozenge daily', { value: 1, unit: 'tablet' }],
  ])('may have the strength as well: %s %#', (text, quantity) => {
    expect(refusedOf(text, quantity)).toBeUndefined();
  });

  it.each([
    ['2 tablets of 500 mg twice a day', { value: 500, unit: 'mg' }],
    ['2 tablets of 500 mg twice a day', { value: 2, unit: 'mg' }],
    ['4 ml (100 mg) twice a day', { value: 100, unit: 'mL' }],
    ['10 ml (100 mg/5 ml) twice a day', { value: 100, unit: 'mg' }],
  ])('is refused where the strength is not that of the dose: %s %#', (text, quantity) => {
    expect(refusedOf(text, quantity)).toBe('Dosage.text');
  });

  it('is refused where nothing that it can mean is the dose', () => {
    const text = '2 500 mg tablets bd';
    const twice = { frequency: 2, period: 1, periodUnit: 'd' };
    const taken = [2, 7].map((count) => refusedOf(text, { value: count, unit: 'tablet' }, twice));
    expect(taken).toStrictEqual([undefined, 'Dosage.text']);
    expect(refusedOf(text, { value: 2, unit: 'tablet' }, { ...twice, frequency: 1 })).toBe(
      'Dosage.text',
    );
  });
});
