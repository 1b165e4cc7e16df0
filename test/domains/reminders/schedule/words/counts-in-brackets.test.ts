// A number of pens in brackets is no number of times a day.
import { meaningsOf } from '../../../../../src/domains/reminders/schedule/words/read.js';
import { shown } from './shown.js';

describe('A count at the end of brackets', () => {
  it('does not go with daily behind them', () => {
    const doses = ['10 units', '1 tablet', '1 capsule'];
    const inside = [
      '300 units/3ml pen',
      '300 units/3ml pens',
      'pen',
      '20 mg',
      'ear infection',
      'BP',
    ];
    const texts = doses.flatMap((dose) =>
      inside.flatMap((what) =>
        [2, 3, 5].flatMap((count) =>
          [`x ${count}`, `x${count}`].map((times) => `${dose} (${what} ${times}) daily`),
        ),
      ),
    );
    const wrong = texts.filter((text) =>
      meaningsOf(text).some((one) => 'timesADay' in one && one.timesADay > 1),
    );
    expect(wrong.map((text) => [text, meaningsOf(text).map(shown)])).toStrictEqual([]);
  });
});
