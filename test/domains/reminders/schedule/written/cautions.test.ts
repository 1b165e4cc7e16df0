// What is left out for a while: its length is not that of the medicine. Other languages have no such words.
import { meaningsOf } from '../../../../../src/domains/reminders/schedule/words/read.js';
import { shown } from '../words/shown.js';

const OWN = ['1 tablet bd', '1 tablet daily', '1 tablet every 8 hours', '400 mg tds'];
const CAUTIONS = [
  ...['no alcohol', 'do not drink alcohol', 'do not drive', 'avoid alcohol', 'avoid sun'],
  ...['avoid grapefruit', 'avoid grapefruit juice', 'not with milk'],
];
const LENGTHS = ['for 48 hours', 'for 24 hours', 'for 3 days', 'for 2 weeks'];

describe('A caution with a length', () => {
  it('does not end the medicine', () => {
    for (const own of OWN)
      for (const caution of CAUTIONS)
        for (const length of LENGTHS)
          for (const sign of ['. ', ', ', ' ']) {
            const text = `${own}${sign}${caution} ${length}`;
            expect(meaningsOf(text).map(shown), text).not.toHaveLength(1);
          }
  });

  it('leaves the direction as it is without one', () => {
    for (const own of OWN)
      for (const caution of CAUTIONS)
        expect(meaningsOf(`${own}, ${caution}`), caution).toStrictEqual(meaningsOf(own));
  });
});
