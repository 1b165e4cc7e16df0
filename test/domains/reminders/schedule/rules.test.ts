import fc from 'fast-check';
import { parseFrequency } from '../../../../src/domains/reminders/schedule/frequency.js';
import { expand } from '../../../../src/domains/reminders/schedule/schedule.js';
import { daysOfRule } from './rfc.js';

const DAY = 24 * 60 * 60 * 1000;
const some = <T extends string | number>(...values: T[]) =>
  fc.option(fc.uniqueArray(fc.constantFrom(...values), { minLength: 1, maxLength: 3 }));
const WEEK = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'];

/**
 * Any parts, also such as may not stand together: what of them is understood must come as the
 * standard says.
 */
const rule = fc
  .record({
    FREQ: fc.constantFrom('DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY', 'YEARLY'),
    INTERVAL: fc.option(fc.integer({ min: 1, max: 5 })),
    BYMONTH: some(1, 2, 3, 6, 11, 12),
    BYWEEKNO: some(1, 2, 20, 52, 53, -1, -2),
    BYYEARDAY: some(1, 60, 100, 365, 366, -1, -366),
    BYMONTHDAY: some(1, 13, 28, 29, 30, 31, -1, -2, -31),
    BYDAY: some(
      ...WEEK,
      ...WEEK.map((day) => `1${day}`),
      ...WEEK.map((day) => `-1${day}`),
      '2TU',
      '5FR',
      '-5SU',
      '20MO',
      '53WE',
      '-53TH',
    ),
    BYSETPOS: some(1, 2, -1, -2, 5),
    WKST: fc.option(fc.constantFrom(...WEEK)),
    kept: fc.uniqueArray(
      fc.constantFrom(
        'BYMONTH',
        'BYWEEKNO',
        'BYYEARDAY',
        'BYMONTHDAY',
        'BYDAY',
        'BYDAY',
        'BYSETPOS',
      ),
      {
        maxLength: 3,
      },
    ),
  })
  .map(({ kept, ...parts }) =>
    Object.entries(parts)
      .filter(
        ([name, value]) =>
          value !== null && (!name.startsWith('BY') || kept.some((one) => one === name)),
      )
      .map(([name, value]) => `${name}=${value}`)
      .join(';'),
  );

describe('A rule of any parts', () => {
  it('comes on the days that RFC 5545 says, or is not understood', () => {
    let understood = 0;
    const starts = fc.integer({ min: Date.UTC(2020, 0, 1) / DAY, max: Date.UTC(2027, 0, 1) / DAY });
    fc.assert(
      fc.property(rule, starts, (text, first) => {
        const frequency = parseFrequency(text);
        if (frequency.kind === 'unrecognized') return;
        understood++;
        const last = first + 1_600;
        const start = first * DAY + 8 * 60 * 60 * 1000;
        const given = [
          ...expand({ frequency, zone: 'UTC', start, times: ['08:00'] }, 0, (last + 1) * DAY),
        ];
        const show = (days: number[]) =>
          days.map((day) => new Date(day * DAY).toISOString().slice(0, 10));
        expect(show(given.map(({ at }) => Math.floor(at / DAY))), text).toStrictEqual(
          show(daysOfRule(text, first, last)),
        );
      }),
      { numRuns: Number(process.env.RULES ?? 600) },
    );
    expect(understood, `${understood} were understood`).toBeGreaterThan(60);
  });
});
