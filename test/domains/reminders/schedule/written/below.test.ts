// A limit of so many a day beside what comes by weeks or months.
import { meaningsOf } from '../../../../../src/domains/reminders/schedule/words/read.js';
import { shown } from '../words/shown.js';

describe('A count a day with a limit below it', () => {
  it('is no limit of a week', () => {
    for (const count of ['three times a day', 'twice a day', '2 times a day', '3 times a day'])
      for (const limit of ['never more than', 'not more than', 'max', 'at most'])
        for (const often of ['once a week', 'weekly', 'once a month', 'monthly'])
          for (const sign of ['. ', ', ', ' ']) {
            const text = `1 tablet ${count}${sign}${limit} ${often}`;
            expect(meaningsOf(text).map(shown), text).not.toHaveLength(1);
          }
  });
});
