// A quantity behind a length makes no cycle of it.
import { meaningsOf } from '../../../../../src/domains/reminders/schedule/words/read.js';
import { shown } from './shown.js';

const LENGTHS = [
  ['1 tablet tds for', 'days', 'tablets'],
  ['500 mg bd', 'days', 'caps'],
  ['1 Tbl. 2x tgl. für', 'Tage', 'Tbl.'],
  ['1 cp 3x/j pendant', 'jours', 'cp'],
  ['1 comp 2 veces al día por', 'días', 'comp'],
  ['1 cp 2x ao dia por', 'dias', 'cp'],
  ['1 tablet bd for', 'weeks', 'tablets'],
] as const;

describe('A quantity behind a length', () => {
  it('is never the length of a cycle', () => {
    const texts = LENGTHS.flatMap(([dose, unit, form]) =>
      [5, 6, 10].flatMap((count) =>
        [15, 21, 28].flatMap((all) =>
          [`Q${all}`, `q ${all}`, `/ ${all}`, `/ ${all} ${form}`, `No. ${all}`, `no ${all}`].map(
            (quantity) => `${dose} ${count} ${unit} ${quantity}`,
          ),
        ),
      ),
    );
    const wrong = texts.filter((text) => meaningsOf(text).some((one) => 'cycle' in one));
    expect(wrong.map((text) => [text, meaningsOf(text).map(shown)])).toStrictEqual([]);
  });

  it('is all of the days, where words or a unit say so', () => {
    for (const text of [
      '1 tablet daily for 21 days out of 28',
      '1 cp par jour 21 jours sur 28',
      '1 tablet daily 3 weeks in 4',
      '1 tablet daily for 21 days of each 28-day cycle',
    ])
      expect(meaningsOf(text), text).toMatchObject([{ cycle: { on: 21, off: 7 } }]);
  });
});
