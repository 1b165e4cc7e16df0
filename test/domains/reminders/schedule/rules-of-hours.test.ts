import fc from 'fast-check';
import { parseFrequency } from '../../../../src/domains/reminders/schedule/frequency.js';
import { expand } from '../../../../src/domains/reminders/schedule/schedule.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const SPAN = 5 * DAY;
const WEEK = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'];

const list = (most: number) =>
  fc.option(fc.uniqueArray(fc.integer({ min: 0, max: most }), { minLength: 1, maxLength: 4 }));
const rule = fc.record({
  frequency: fc.constantFrom('HOURLY', 'MINUTELY'),
  interval: fc.oneof(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 30, max: 200 })),
  hours: list(23),
  minutes: list(59),
  weekdays: fc.option(fc.uniqueArray(fc.constantFrom(...WEEK), { minLength: 1, maxLength: 3 })),
});

type Drawn = typeof rule extends fc.Arbitrary<infer T> ? T : never;
const BARE = { hours: null, minutes: null, weekdays: null };
const EVERY_KIND: Drawn[] = [
  { ...BARE, frequency: 'HOURLY', interval: 7 },
  { ...BARE, frequency: 'MINUTELY', interval: 90 },
  { ...BARE, frequency: 'HOURLY', interval: 7, hours: [3, 6] },
  { ...BARE, frequency: 'MINUTELY', interval: 61, minutes: [5, 25] },
];

/** The local times of a rule, looked for minute by minute, as RFC 5545 3.3.10 says. */
function walked(given: Drawn, start: number) {
  const { frequency, interval, hours, minutes, weekdays } = given;
  const unit = frequency === 'HOURLY' ? HOUR : MINUTE;
  const found: number[] = [];
  for (let at = start; at < start + SPAN; at += MINUTE) {
    const date = new Date(at);
    const units = Math.floor(at / unit) - Math.floor(start / unit);
    const minute = minutes ?? (frequency === 'HOURLY' ? [new Date(start).getUTCMinutes()] : null);
    const stands =
      units % interval === 0 &&
      (hours?.includes(date.getUTCHours()) ?? true) &&
      (minute?.includes(date.getUTCMinutes()) ?? true) &&
      (weekdays?.includes(WEEK[(date.getUTCDay() + 6) % 7] as string) ?? true);
    if (stands) found.push(at);
  }
  return found;
}

describe('A rule of hours or minutes', () => {
  it('comes when RFC 5545 says, or is not understood', () => {
    const kinds = new Set<string>();
    const starts = fc.integer({
      min: Date.UTC(2024, 0, 1) / MINUTE,
      max: Date.UTC(2027, 0, 1) / MINUTE,
    });
    fc.assert(
      fc.property(rule, starts, (drawn, minute) => {
        const { frequency: name, interval, hours, minutes, weekdays } = drawn;
        const start = minute * MINUTE;
        const text = [
          `FREQ=${name};INTERVAL=${interval}`,
          ...(hours ? [`BYHOUR=${hours}`] : []),
          ...(minutes ? [`BYMINUTE=${minutes}`] : []),
          ...(weekdays ? [`BYDAY=${weekdays}`] : []),
        ].join(';');
        const frequency = parseFrequency(text);
        if (frequency.kind === 'unrecognized') return;
        kinds.add(`${name} ${frequency.kind}`);
        const schedule = { frequency, zone: 'UTC', start, times: ['08:00'] };
        const given = [...expand(schedule, start, start + SPAN)].map(({ at }) => at);
        expect(given, text).toStrictEqual(walked(drawn, start));
      }),
      {
        numRuns: Number(process.env.RULES ?? 80),
        examples: EVERY_KIND.map((one) => [one, 28_400_000]),
      },
    );
    const all = ['HOURLY elapsed', 'HOURLY rule', 'MINUTELY elapsed', 'MINUTELY rule'];
    expect([...kinds].sort()).toStrictEqual(all);
  });

  it('of the weeks at the edge of a year loses no day, wherever one looks from', () => {
    const frequency = parseFrequency('FREQ=YEARLY;BYWEEKNO=1;BYDAY=MO,TU,WE,TH,FR,SA,SU');
    const start = Date.UTC(2024, 11, 1, 8);
    const schedule = { frequency, zone: 'UTC', start, times: ['08:00'] };
    const days = (from: number, to: number) =>
      [...expand(schedule, from, to)].map(({ at }) => new Date(at).toISOString().slice(0, 10));
    const week = ['30', '31', '01', '02', '03', '04', '05'].map((day) =>
      Number(day) > 9 ? `2024-12-${day}` : `2025-01-${day}`,
    );
    expect(days(start, Date.UTC(2025, 6, 1))).toStrictEqual(week);
    expect(days(start, Date.UTC(2025, 0, 1))).toStrictEqual(week.slice(0, 2));
    expect(days(Date.UTC(2024, 11, 31), Date.UTC(2025, 0, 3))).toStrictEqual(week.slice(1, 4));
  });
});
