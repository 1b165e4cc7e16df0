// A dose that may be repeated after some hours: once more, which is no rhythm without a limit.
import { meaningsOf } from '../../../../../src/domains/reminders/schedule/words/read.js';
import { shown } from '../words/shown.js';

const OWN = ['1 tablet', 'sumatriptan 50 mg', '2 puffs', '1 tablet at onset of migraine'];
const MAY = ['may repeat', 'can repeat', 'may be repeated'];
const HOURS = ['1 hour', '2 hours', 'two hours', '4 hours'];

describe('A dose that may be repeated', () => {
  it('in or after some hours has no meaning without a limit', () => {
    for (const own of OWN)
      for (const may of MAY)
        for (const hours of HOURS)
          for (const behind of ['', ' if needed', ' prn'])
            for (const word of ['in', 'after']) {
              const text = `${own}, ${may} ${word} ${hours}${behind}`;
              expect(meaningsOf(text).map(shown), text).toStrictEqual([]);
            }
  });

  it('is taken as needed where a limit is said, or where it comes every so many hours', () => {
    for (const may of MAY) {
      expect(meaningsOf(`1 tablet, ${may} in 2 hours, max 2 in 24 hours`).map(shown)).toStrictEqual(
        ['as needed max 2 every 120 min; 1 tablet'],
      );
      expect(meaningsOf(`1 tablet, ${may} every 4 hours`).map(shown)).toStrictEqual([
        'as needed every 240 min; 1 tablet',
      ]);
    }
  });
});
