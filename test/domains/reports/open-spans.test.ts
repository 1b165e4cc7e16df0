import fc from 'fast-check';
import { dayAfter, monthAfter, monthOf } from '../../../src/domains/reports/period.js';
import { openSpans } from '../../../src/domains/reports/rollup/open-span.js';

const DAY = 24 * 60 * 60 * 1000;
const START = '2024-01-01';
const month = fc.nat({ max: 30 }).map((n) => monthAfter(START, n));
const dayIn = (time: number) => new Date(time).toISOString().slice(0, 10);

it('The spans of open months cover each of their days once, and a day of closed ones beside', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(month),
      fc.nat({ max: 900 }),
      fc.nat({ max: 900 }),
      (months, first, length) => {
        const closed = new Set(months);
        const from = Date.parse(START) + first * DAY;
        const to = from + length * DAY;
        const spans = openSpans(closed, { from, to });
        const covered = spans.flatMap((span) => {
          expect(span.to - span.from).toBeLessThanOrEqual(366 * DAY);
          return Array.from({ length: (span.to - span.from) / DAY }, (_, n) =>
            dayIn(span.from + n * DAY),
          );
        });
        const due = Array.from({ length }, (_, n) => dayIn(from + n * DAY)).filter((day) =>
          [-1, 0, 1].some((days) => !closed.has(monthOf(dayAfter(day, days)))),
        );
        expect(covered).toStrictEqual(due);
      },
    ),
  );
});
