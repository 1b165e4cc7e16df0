import fc from 'fast-check';
import { meaningsOf } from '../../../../../src/domains/reminders/schedule/words/read.js';
import { say } from '../../../../../src/domains/reminders/schedule/words/say.js';

/** How each language writes a day of a course. */
const ON_DAY = ['on day', 'el día', 'le jour', 'am Tag', 'no dia', 'في اليوم'];

/** Single days of a course: how many days each is behind the one before, and what is taken. */
const days = fc
  .array(
    fc.record({ gap: fc.integer({ min: 2, max: 60 }), mg: fc.integer({ min: 1, max: 400 }) }),
    {
      minLength: 2,
      maxLength: 5,
    },
  )
  .filter((all) => all.every(({ mg }, i) => i === 0 || mg !== all[i - 1]?.mg));

describe('Single days of a course', () => {
  it('come once each, on the day that is written, in each language', () => {
    fc.assert(
      fc.property(days, fc.constantFrom(...ON_DAY), (all, onDay) => {
        const on = all.map((_, i) => all.slice(0, i).reduce((sum, { gap }) => sum + gap, 1));
        const text = all.map(({ mg }, i) => `${mg} mg ${onDay} ${on[i]}`).join(', ');
        const [meaning, ...others] = meaningsOf(text);
        expect(others).toStrictEqual([]);
        expect(meaning, text).toEqual({
          kind: 'phased',
          phases: all.map(({ gap }, i) => ({
            days: i < all.length - 1 ? gap : 1,
            often: {
              kind: 'calendar',
              unit: 'day',
              every: i < all.length - 1 ? gap : 1,
              timesADay: 1,
            },
          })),
          amount: {
            value: `${all[0]?.mg}`,
            unit: 'mg',
            steps: all
              .slice(1)
              .map(({ mg }, i) => ({ after: (on[i + 1] as number) - 1, value: `${mg}` })),
          },
        });
        expect(meaningsOf(say(meaning as NonNullable<typeof meaning>)), text).toEqual([meaning]);
      }),
      { numRuns: 200 },
    );
  });

  it('go on in their distance, or from a day that is written', () => {
    const course = '160 mg on day 1, 80 mg on day 15, then 40 mg';
    const [going] = meaningsOf(`${course} every other week`);
    expect(going?.kind).toBe('phased');
    expect(meaningsOf(`${course} every 2 weeks starting on day 29`)).toEqual([going]);
  });

  it('have no meaning where nobody knows when the next one is', () => {
    for (const text of [
      '160 mg on day 1, 80 mg on day 15, then 40 mg weekly',
      '80 mg on day 1, then 40 mg every other week',
      '160 mg on day 1, 80 mg on day 15, then 40 mg every Monday',
      '80 mg on day 8, 160 mg on day 1',
      '160 mg on day 2, 80 mg on day 15',
      '160 mg twice on day 1, 80 mg on day 15',
    ])
      expect(meaningsOf(text), text).toStrictEqual([]);
  });
});
