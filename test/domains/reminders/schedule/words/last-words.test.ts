// A word at the end that may tell of the paper, the pack or the bed, rather than of a dose.
import { meaningsOf } from '../../../../../src/domains/reminders/schedule/words/read.js';
import { shown } from './shown.js';

const expectNothing = (text: string) =>
  expect([text, meaningsOf(text).map(shown)]).toStrictEqual([text, []]);

describe('A weekday at the end of what is taken each day', () => {
  const KINDS = [
    [
      ['1 tablet daily', '1 tablet once a day', '5 ml twice a day'],
      ['Sun', 'Monday', 'tue'],
    ],
    [
      ['1 Tbl. täglich', '1 Tablette pro Tag'],
      ['Mo', 'Sonntag', 'Di.'],
    ],
    [
      ['1 cp par jour', '1 cp une fois par jour'],
      ['dimanche', 'lun', 'Mardi'],
    ],
    [
      ['1 comp al día', '2 comp diarios'],
      ['domingo', 'lun', 'Martes'],
    ],
    [
      ['1 cp por dia', '1 cp ao dia'],
      ['domingo', 'terça'],
    ],
  ] as const;
  const SIGNS = ['. ', ', ', '; ', ' - ', ' ', ' ('];

  it('may be the day on which that was written', () => {
    for (const [daily, days] of KINDS)
      for (const one of daily)
        for (const day of days)
          for (const sign of SIGNS) expectNothing(`${one}${sign}${day}${sign === ' (' ? ')' : ''}`);
  });

  it('is a day of each week behind a word that joins it, or beside others', () => {
    for (const [text, same] of [
      ['1 tablet daily on Sundays', 'every 1 week on sun x1; 1 tablet'],
      ['1 tablet daily every Monday', 'every 1 week on mon x1; 1 tablet'],
      ['1 tablet daily, Mon, Wed, Fri', 'every 1 week on mon,wed,fri x1; 1 tablet'],
      ['1 Tbl. täglich am Montag', 'every 1 week on mon x1; 1 tablet'],
      ['1 cp par jour le dimanche', 'every 1 week on sun x1; 1 tablet'],
      ['1 comp al día los domingos', 'every 1 week on sun x1; 1 tablet'],
    ] as const)
      expect([text, meaningsOf(text).map(shown)]).toStrictEqual([text, [same]]);
  });
});

describe('Mañana apart from a part of the day with its article', () => {
  it('may be tomorrow', () => {
    for (const part of ['por la noche', 'en la noche', 'por la tarde'])
      for (const sign of [', ', '. ', '; ', ' - ']) expectNothing(`1 comp ${part}${sign}Mañana`);
  });

  it('is the morning in a list', () => {
    for (const text of ['1 comp noche, mañana', '1 comp por la noche y mañana'])
      expect([text, meaningsOf(text).map(shown)]).toStrictEqual([
        text,
        ['every 1 day x2 at night,morning; 1 tablet'],
      ]);
  });
});

describe('So many millilitres or grams behind how often', () => {
  it('may be the bottle or the tube', () => {
    for (const often of ['bd', 'twice a day', '2x/j', '2x tgl.', '2 veces al día', '2x ao dia'])
      for (const size of ['50 ml', '100 ml', '125 ml', '300ml', '15 g', '30 g', '60g'])
        expectNothing(`${often} ${size}`);
  });

  it('are a dose before it, or where they are few', () => {
    for (const [text, amount] of [
      ['200 ml bd', { value: '200', unit: 'ml' }],
      ['bd 10 ml', { value: '10', unit: 'ml' }],
      ['3x/j 5 ml', { value: '5', unit: 'ml' }],
      ['15 g 2x/j', { value: '15', unit: 'g' }],
    ] as const)
      expect(meaningsOf(text)).toMatchObject([{ amount }]);
  });
});

describe('A bed with a number', () => {
  it('is no time at which so many are taken', () => {
    for (const text of ['daily bed 12', 'bed 12', 'bed 4', '1 tablet daily, bed 3'])
      expectNothing(text);
    expect(meaningsOf('1 tablet daily before bed').map(shown)).toStrictEqual([
      'every 1 day x1 at bedtime; 1 tablet',
    ]);
    expect(meaningsOf('bed 12 units').map(shown)).toStrictEqual([
      'every 1 day x1 at bedtime; 12 unit',
    ]);
  });
});
