import fc from 'fast-check';
import { meaningsOf } from '../../../../../src/domains/reminders/schedule/words/read.js';
import { storedAs } from '../../../../../src/domains/reminders/schedule/words/stored.js';

/** Whether a direction would ring, or be as needed, without a question. */
const isStored = (text: string): boolean => {
  const [meaning, ...others] = meaningsOf(text);
  return meaning !== undefined && others.length === 0 && storedAs(meaning) !== undefined;
};

/** Directions of each language, as they are understood alone. */
const DIRECTIONS = [
  ...['1 tablet twice a day', '5 ml tds', '10 units at night', '2 puffs bd'],
  ...['1 Tbl. morgens und abends', '5 ml 3x tgl.', '1-0-1'],
  ...['1 cp matin et soir', '5 ml 3x/j'],
  ...['1 comp 2 veces al día', '5 ml cada 8 horas'],
  ...['1 cp 2x ao dia', '5 ml 8/8h'],
];
const direction = fc.constantFrom(...DIRECTIONS);
const whole = (min: number, max: number) => fc.integer({ min, max });
const from = (...texts: readonly string[]) => fc.constantFrom(...texts);

/** What stands beside directions and is none, by kinds. */
const BESIDE: Readonly<Record<string, fc.Arbitrary<string>>> = {
  'an age in brackets': fc
    .tuple(direction, whole(1, 17), from('years', 'ans', 'Jahre', 'años', 'anos', 'months', 'mois'))
    .map(([text, count, unit]) => `${text} (${count} ${unit})`),
  'an age behind a person': fc
    .tuple(
      direction,
      from('child', 'Kind', 'enfant', 'niño', 'criança'),
      from(' ', ', '),
      whole(2, 17),
      from('years', 'Jahre', 'ans', 'años', 'anos'),
    )
    .map(([text, person, sign, count, unit]) => `${text}, ${person}${sign}${count} ${unit}`),
  'doses of an inhaler': fc
    .tuple(direction, whole(61, 400), from('dose inhaler', 'Dosen', 'doses', 'dosis'))
    .map(([text, count, what]) => `${text}, ${count} ${what}`),
  'packs that are counted in brackets': fc
    .tuple(
      from('10 units', '1 tablet', '1 capsule'),
      from('300 units/3ml pen', 'pen', '20 mg', 'BP', 'ear infection'),
      whole(2, 9),
    )
    .map(([text, what, count]) => `${text} (${what} x ${count}) daily`),
  'a tube behind a pattern': fc
    .tuple(from('1-0-1', '0-0-1', '1-1-1'), whole(1, 3), from('tube', 'Tube'))
    .map(([text, count, what]) => `${text} - ${count} ${what}`),
  'a date of December': fc
    .tuple(from('1 comp 2 veces al día', '1 cp 2x ao dia'), whole(1, 31))
    .map(([text, day]) => `${text} ${day}/12`),
};

describe('What stands beside a direction', () => {
  it.each(Object.entries(BESIDE))('is never a part of it: %s', (_, texts) => {
    fc.assert(
      fc.property(texts, (text) => {
        expect([text, isStored(text)]).toStrictEqual([text, false]);
      }),
      { numRuns: 150 },
    );
  });

  it('leaves directions as they are that say the same of themselves', () => {
    for (const text of DIRECTIONS) expect([text, isStored(text)]).toStrictEqual([text, true]);
    for (const [text, bounds] of [
      ['1 tablet daily for 2 years', { kind: 'duration', unit: 'year', count: 2 }],
      ['1 tablet bd 10/12', { kind: 'duration', unit: 'month', count: 10 }],
      ['1 tablet bd for 10 doses', { kind: 'doses', count: 10 }],
    ] as const)
      expect(meaningsOf(text)).toMatchObject([{ bounds }]);
  });

  it('is no next phase where it says after what', () => {
    const after = [
      '1 comprimido 2 veces al día durante 7 días, después de las 18:00',
      '1 cp 2x ao dia por 7 dias, depois do almoço',
    ];
    for (const text of after)
      expect([text, meaningsOf(text).some(({ kind }) => kind === 'phased')]).toStrictEqual([
        text,
        false,
      ]);
    const [meaning] = meaningsOf('1 comp cada 8 horas durante 7 días, después 1 comp por la noche');
    expect(meaning?.kind).toBe('phased');
  });

  it('is no interval as needed where a dose may be repeated, once or without an end', () => {
    for (const text of [
      'can repeat in 2 hours',
      'may be repeated after 2 hours',
      'may repeat in 1 hour',
    ])
      for (const amount of ['sumatriptan 50 mg', '1 tablet'])
        expect([text, isStored(`${amount}, ${text}`)]).toStrictEqual([text, false]);
    expect(isStored('1 tablet, may repeat in 2 hours, max 2 in 24 hours')).toBe(true);
  });
});
