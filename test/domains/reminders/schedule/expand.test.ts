import fc from 'fast-check';
import { parseFrequency } from '../../../../src/domains/reminders/schedule/frequency.js';
import {
  expand,
  nextOccurrence,
  type Schedule,
} from '../../../../src/domains/reminders/schedule/schedule.js';
import { usualTimes } from '../../../../src/domains/reminders/schedule/times.js';
import { cpuOf } from '../../../support/cpu.js';
import {
  calendar,
  DAY,
  type Drawn,
  instantByIntl,
  offsetByIntl,
  type Series,
  shiftsOf,
  walk,
} from './walk.js';

const ZONES = [
  'America/New_York',
  'Europe/London',
  'Europe/Berlin',
  'Australia/Lord_Howe',
  'America/Phoenix',
  'Asia/Kolkata',
  'Africa/Casablanca',
  'America/Santiago',
  'Pacific/Auckland',
  'Africa/Cairo',
];
/** Shifts at midnight, on which the local day itself begins late or comes twice. */
const ODD = [
  'America/Nuuk',
  'Asia/Beirut',
  'America/Havana',
  'Asia/Kathmandu',
  'Atlantic/Azores',
  'UTC',
];
const HOUR = 60 * 60 * 1000;
const MINUTE = 60_000;
/** The suite is also run under other values of TZ, with fewer rules. */
const RULES = Number(process.env.SCHEDULE_RULES ?? 600);

const local = (text: string) => Date.parse(`${text}Z`);
const iso = (instants: Iterable<number>) => [...instants].map((at) => new Date(at).toISOString());
const schedule = (
  frequency: string,
  start: string,
  zone: string,
  more: Partial<Schedule> = {},
): Schedule => ({
  frequency: parseFrequency(frequency),
  zone,
  start: local(start),
  times: [start.slice(11, 16)],
  ...more,
});
const instants = (from: Schedule, begin: string, end: string) =>
  [...expand(from, Date.parse(begin), Date.parse(end))].map(({ at }) => at);

/* Rules at random: the text that the service reads, and what it means in plain arithmetic. */

const weekdays = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'];
const time = fc
  .tuple(fc.integer({ min: 0, max: 23 }), fc.constantFrom(0, 5, 15, 30, 45, 59))
  .map(([h, m]) => `${String(h).padStart(2, '0')}:${String(m).padStart(2, '0')}`);
const months = (day: number) => calendar(day).year * 12 + calendar(day).month;
const week = (day: number, wkst = 0) => Math.floor((day + 3 - wkst) / 7);
/** In the order of the days of a month. */
const some = (values: number[], most: number) =>
  fc.uniqueArray(fc.constantFrom(...values), { minLength: 1, maxLength: most });

const named: fc.Arbitrary<Drawn> = fc.oneof(
  fc.tuple(fc.integer({ min: 1, max: 30 }), time).map(([n, at]) => ({
    text: n === 1 ? 'Daily' : n === 2 ? 'every-other_day' : `every_${n}_days`,
    times: [at],
    on: (day: number, first: number) => (day - first) % n === 0,
  })),
  fc.tuple(fc.integer({ min: 1, max: 6 }), time).map(([n, at]) => ({
    text: n === 1 ? 'weekly' : n === 2 ? 'BiWeekly' : `Every ${n} Weeks`,
    times: [at],
    on: (day: number, first: number) => (day - first) % (7 * n) === 0,
  })),
  time.map((at) => ({
    text: 'monthly',
    times: [at],
    on: (day: number, first: number) =>
      calendar(day).date === Math.min(calendar(first).date, calendar(day).last),
  })),
  time.map((at) => ({
    text: 'YEARLY',
    times: [at],
    on: (day: number, first: number) =>
      calendar(day).month === calendar(first).month &&
      calendar(day).date === Math.min(calendar(first).date, calendar(day).last),
  })),
  fc
    .integer({ min: 1, max: 12 })
    .map((n) => ({ text: `${n}_times_a_day`, times: [...usualTimes(n)], on: () => true })),
  fc.integer({ min: 1, max: 100 }).map((hours) => ({
    text: hours === 1 ? 'hourly' : `every_${hours}_hours`,
    hours,
    times: ['08:00'],
    on: () => true,
  })),
  time.map((at) => ({
    text: 'once',
    times: [at],
    on: (day: number, first: number) => day === first,
  })),
);

const ruled: fc.Arbitrary<Drawn> = fc
  .record({
    shape: fc.oneof(
      fc
        .record({
          n: fc.integer({ min: 1, max: 9 }),
          days: fc.option(some([0, 1, 2, 3, 4, 5, 6], 4)),
          months: fc.option(some([1, 2, 3, 6, 10, 12], 3)),
        })
        .map(({ n, days, months: in_ }) => ({
          text: `FREQ=DAILY;INTERVAL=${n}${days ? `;BYDAY=${days.map((d) => weekdays[d])}` : ''}${in_ ? `;BYMONTH=${in_}` : ''}`,
          on: (day: number, first: number) =>
            (day - first) % n === 0 &&
            (!days || days.includes(calendar(day).weekday)) &&
            (!in_ || in_.includes(calendar(day).month)),
        })),
      fc
        .record({
          n: fc.integer({ min: 1, max: 5 }),
          days: some([0, 1, 2, 3, 4, 5, 6], 4),
          wkst: fc.constantFrom(0, 6, 2),
        })
        .map(({ n, days, wkst }) => ({
          text: `freq=weekly;interval=${n};byday=${days.map((d) => weekdays[d])};wkst=${weekdays[wkst]}`,
          on: (day: number, first: number) =>
            (week(day, wkst) - week(first, wkst)) % n === 0 && days.includes(calendar(day).weekday),
        })),
      fc
        .record({
          n: fc.integer({ min: 1, max: 4 }),
          dates: fc.option(some([1, 2, 15, 28, 29, 30, 31, -1, -2, -31], 3)),
        })
        .map(({ n, dates }) => ({
          text: `FREQ=MONTHLY;INTERVAL=${n}${dates ? `;BYMONTHDAY=${dates}` : ''}`,
          on: (day: number, first: number) => {
            const { date, last } = calendar(day);
            return (
              (months(day) - months(first)) % n === 0 &&
              (dates ?? [calendar(first).date]).some((d) => d === date || d === date - last - 1)
            );
          },
        })),
      fc
        .record({
          nth: fc.constantFrom(1, 2, 3, 4, 5, -1, -2),
          day: fc.integer({ min: 0, max: 6 }),
        })
        .map(({ nth, day: weekday }) => ({
          text: `FREQ=MONTHLY;BYDAY=${nth}${weekdays[weekday]}`,
          on: (day: number) => {
            const { date, last, weekday: shown } = calendar(day);
            return (
              shown === weekday &&
              (nth > 0 ? Math.ceil(date / 7) === nth : Math.ceil((last - date + 1) / 7) === -nth)
            );
          },
        })),
      fc
        .record({ pos: fc.constantFrom(1, -1), days: some([0, 1, 2, 3, 4], 5) })
        .map(({ pos, days }) => ({
          text: `FREQ=MONTHLY;BYDAY=${days.map((d) => weekdays[d])};BYSETPOS=${pos}`,
          on: (day: number) => {
            const { date, last } = calendar(day);
            const fits = (d: number) => days.includes(calendar(day - date + d).weekday);
            const all = Array.from({ length: last }, (_, i) => i + 1).filter(fits);
            return all.at(pos === 1 ? 0 : -1) === date;
          },
        })),
      fc
        .record({ in_: some([1, 2, 4, 11], 3), date: fc.constantFrom(1, 29, 30, 31) })
        .map(({ in_, date }) => ({
          text: `FREQ=YEARLY;BYMONTH=${in_};BYMONTHDAY=${date}`,
          on: (day: number) => in_.includes(calendar(day).month) && calendar(day).date === date,
        })),
    ),
    hours: fc.option(some([0, 2, 3, 8, 12, 20, 23], 3)),
    at: time,
    end: fc.oneof(
      fc.constant(null),
      fc.integer({ min: 1, max: 900 }).map((count) => ({ count })),
      fc
        .tuple(fc.integer({ min: 0, max: 900 }), fc.constantFrom('date', 'floating', 'utc'))
        .map(([days, form]) => ({ days, form })),
    ),
    prefix: fc.constantFrom('', 'RRULE:', 'rrule:'),
  })
  .map(({ shape, hours, at, end, prefix }) => ({
    ...shape,
    text: prefix + shape.text,
    hours_: shape.text.includes('SETPOS') ? null : hours,
    at,
    end,
  }))
  .map(({ hours_, at, end, ...shape }) => ({
    ...shape,
    text: `${shape.text}${hours_ ? `;BYHOUR=${hours_}` : ''}`,
    times: hours_ ? hours_.map((h) => `${String(h).padStart(2, '0')}:${at.slice(3)}`) : [at],
    at,
    end,
  }));

const digits = (moment: number) => new Date(moment).toISOString().slice(0, 19).replace(/[-:]/g, '');

const series: fc.Arbitrary<{ series: Series; schedule: Schedule; from: number; to: number }> = fc
  .record({
    drawn: fc.oneof(named, ruled) as fc.Arbitrary<
      Drawn & { at?: string; end?: { count?: number; days?: number; form?: string } | null }
    >,
    zone: fc.constantFrom(...ZONES, ...ODD),
    startDay: fc.integer({ min: Date.UTC(2022, 0, 1) / DAY, max: Date.UTC(2026, 11, 31) / DAY }),
    ends: fc.option(fc.integer({ min: 0, max: 1500 })),
    window: fc.tuple(
      fc.integer({ min: -30, max: 1400 }),
      fc.integer({ min: 1, max: 45 }),
      fc.integer({ min: 0, max: 1439 }),
    ),
  })
  .map(({ drawn, zone, startDay, ends, window: [after, length, minute] }) => {
    const { at, end } = drawn;
    const isCount = drawn.text.endsWith('times_a_day');
    const start = startDay * DAY + (isCount ? 0 : local(`1970-01-01T${at ?? drawn.times[0]}:00`));
    let { text } = drawn;
    let until =
      ends === null || ends === undefined
        ? undefined
        : instantByIntl((startDay + ends + 1) * DAY, zone) - 1;
    const until_ = until;
    if (end?.count) text += `;COUNT=${end.count}`;
    if (end?.form) {
      const last = (startDay + (end.days ?? 0)) * DAY + 12 * HOUR;
      const named = {
        date: digits(last).slice(0, 8),
        floating: digits(last),
        utc: `${digits(last)}Z`,
      }[end.form];
      text += `;UNTIL=${named}`;
      const bound =
        end.form === 'utc'
          ? last
          : end.form === 'floating'
            ? instantByIntl(last, zone)
            : instantByIntl(last + 12 * HOUR - 1, zone);
      until = Math.min(until ?? bound, bound);
    }
    const from = (startDay + after) * DAY + minute * MINUTE;
    return {
      series: {
        ...drawn,
        text,
        zone,
        start,
        ...(end?.count && { count: end.count }),
        ...(until !== undefined && { until }),
      },
      schedule: {
        frequency: parseFrequency(text),
        zone,
        start,
        times: drawn.times,
        ...(until_ !== undefined && { until: until_ }),
      },
      from,
      to: from + length * DAY,
    };
  });

/** A phase of days, in words, and whether it comes on a day of it. */
interface DrawnPhase {
  readonly words: string;
  readonly count: number;
  readonly on: (day: number, first: number) => boolean;
  readonly days: number;
  /** Minutes of its first time of day. */
  readonly minute: number;
}
const phase: fc.Arbitrary<DrawnPhase> = fc
  .record({
    how: fc.oneof(
      fc.integer({ min: 1, max: 6 }).map((count) => ({
        words: count === 1 ? 'once daily' : `${count} times a day`,
        count,
        on: () => true,
      })),
      fc.integer({ min: 2, max: 9 }).map((n) => ({
        words: `every ${n} days`,
        count: 1,
        on: (day: number, first: number) => (day - first) % n === 0,
      })),
      fc.integer({ min: 0, max: 6 }).map((weekday) => ({
        words: `every ${['Mon', 'Tues', 'Wednes', 'Thurs', 'Fri', 'Satur', 'Sun'][weekday]}day`,
        count: 1,
        on: (day: number) => calendar(day).weekday === weekday,
      })),
      fc.constant({
        words: 'weekly',
        count: 1,
        on: (day: number, first: number) => (day - first) % 7 === 0,
      }),
    ),
    days: fc.integer({ min: 9, max: 60 }),
    minute: fc.integer({ min: 0, max: 239 }),
  })
  .map(({ how, ...rest }) => ({ ...how, ...rest }));

const timesIn = ({ count, minute }: DrawnPhase) =>
  Array.from({ length: count }, (_, i) =>
    new Date((minute + 240 * i) * MINUTE).toISOString().slice(11, 16),
  );

/** Every instant of some phases, found by walking over their days. */
function walkPhases(all: readonly DrawnPhase[], start: number, zone: string, isOpen: boolean) {
  const begun = Math.floor(start / DAY);
  const locals = (one: DrawnPhase, day: number, first: number) =>
    one.on(day, first)
      ? timesIn(one)
          .map((text) => day * DAY + local(`1970-01-01T${text}:00`))
          .filter((at) => at >= start)
      : [];
  let first = begun;
  while (locals(all[0] as DrawnPhase, first, begun).length === 0) first++;
  const found = new Set<number>();
  for (const [i, one] of all.entries()) {
    const from = i === 0 ? begun : first;
    const days = isOpen && i === all.length - 1 ? 200 : one.days;
    for (let day = first; day < first + days; day++)
      for (const at of locals(one, day, from)) found.add(instantByIntl(at, zone));
    first += days;
  }
  return [...found].sort((a, b) => a - b);
}

describe('A schedule', () => {
  it('in phases has the doses of each on its own days, and counts them from the first dose', () => {
    const drawn = fc.record({
      phases: fc
        .array(phase, { minLength: 2, maxLength: 4 })
        .filter((all) => all.every(({ words }, i) => words !== all[i - 1]?.words)),
      isOpen: fc.boolean(),
      zone: fc.constantFrom(...ZONES, ...ODD),
      startDay: fc.integer({ min: Date.UTC(2024, 0, 1) / DAY, max: Date.UTC(2026, 5, 1) / DAY }),
      minute: fc.integer({ min: 0, max: 1439 }),
      window: fc.tuple(fc.integer({ min: -5, max: 150 }), fc.integer({ min: 1, max: 30 })),
    });
    fc.assert(
      fc.property(drawn, ({ phases, isOpen, zone, startDay, minute, window: [after, length] }) => {
        const words = phases.map(({ words: often, days }, i) =>
          isOpen && i === phases.length - 1 ? often : `${often} for ${days} days`,
        );
        const start = startDay * DAY + minute * MINUTE;
        const text = words.join(', then ');
        const frequency = parseFrequency(text);
        expect(frequency.kind, text).toBe('phased');
        const one: Schedule = { frequency, zone, start, times: phases.flatMap(timesIn) };
        const [from, to] = [(startDay + after) * DAY, (startDay + after + length) * DAY];
        const all = walkPhases(phases, start, zone, isOpen);
        const given = [...expand(one, from, to)].map(({ at }) => at);
        const expected = all.filter((at) => at >= from && at < to);
        expect(iso(given), `${text} ${zone} ${new Date(start).toISOString()}`).toStrictEqual(
          iso(expected),
        );
        if (isOpen) return;
        expect(nextOccurrence(one, (all.at(-1) ?? 0) + 1), text).toBeUndefined();
      }),
      { numRuns: RULES / 4 },
    );
  });

  it(`gives what a walk over the local days gives, for ${RULES} rules at random`, () => {
    fc.assert(
      fc.property(series, (one) => {
        expect(one.schedule.frequency.kind, one.series.text).not.toBe('unrecognized');
        const given = [...expand(one.schedule, one.from, one.to)].map(({ at }) => at);
        expect(iso(given), one.series.text).toStrictEqual(iso(walk(one.series, one.from, one.to)));
      }),
      { numRuns: RULES },
    );
  });

  it('says as the next occurrence what the walk finds first', () => {
    fc.assert(
      fc.property(series, ({ schedule: one, series: drawn, from, to }) => {
        const [first] = walk(drawn, from, to);
        const next = nextOccurrence(one, from)?.at;
        expect(
          first === undefined ? next === undefined || next >= to : next === first,
          drawn.text,
        ).toBe(true);
      }),
      { numRuns: RULES / 10 },
    );
  });

  it('fires exactly once for each local day at every shift of 2025 to 2027 in ten zones', () => {
    let seen = 0;
    for (const zone of ZONES) {
      for (const { at, before, after } of shiftsOf(zone, 2025, 2027)) {
        seen++;
        const width = Math.abs(after - before);
        const first = at + Math.min(before, after);
        // Clock times before, at the edges of, within and after what is left out or comes twice.
        for (const shown of [
          first - MINUTE,
          first,
          first + width / 2,
          first + width - MINUTE,
          first + width,
        ]) {
          const clock = new Date(shown).toISOString().slice(11, 16);
          const start = `${new Date(shown - 3 * DAY).toISOString().slice(0, 10)}T${clock}:00`;
          const fired = [...expand(schedule('daily', start, zone), at - 4 * DAY, at + 4 * DAY)];
          const onDay = fired.filter((one) => one.local === shown);
          expect(onDay, `${zone} ${new Date(shown).toISOString()}`).toHaveLength(1);
          const instant = onDay[0]?.at ?? 0;
          const gap = after > before && shown >= first && shown < first + width;
          expect(instant + offsetByIntl(instant, zone), 'the clock, or later by the gap').toBe(
            gap ? shown + width : shown,
          );
          const fold = after < before && shown >= first && shown < first + width;
          if (fold) expect(instant, 'the first of two').toBeLessThan(at);
          expect(new Set(fired.map((one) => one.at)).size, 'no instant twice').toBe(fired.length);
          expect(fired, 'once a day').toHaveLength(
            new Set(fired.map((one) => Math.floor(one.local / DAY))).size,
          );
        }
      }
    }
    expect(seen, `${seen} shifts`).toBeGreaterThanOrEqual(40);
  });

  it('counts elapsed time for every_N_hours across a shift', () => {
    const every8 = schedule('every_8_hours', '2026-03-28T08:00:00', 'Europe/Berlin');
    expect(iso(instants(every8, '2026-03-28T12:00:00Z', '2026-03-29T23:00:00Z'))).toStrictEqual([
      '2026-03-28T15:00:00.000Z',
      '2026-03-28T23:00:00.000Z',
      '2026-03-29T07:00:00.000Z',
      '2026-03-29T15:00:00.000Z',
    ]);
  });

  it('keeps the clock time where time shifts by half an hour, and where Ramadan suspends the shift', () => {
    const at = (zone: string, day: string) =>
      instants(
        schedule('daily', '2025-01-01T08:00:00', zone),
        `${day}T00:00:00Z`,
        `${day}T23:59:00Z`,
      );
    expect(iso(at('Australia/Lord_Howe', '2026-04-03'))).toStrictEqual([
      '2026-04-03T21:00:00.000Z',
    ]);
    expect(iso(at('Australia/Lord_Howe', '2026-04-06'))).toStrictEqual([
      '2026-04-06T21:30:00.000Z',
    ]);
    expect(iso(at('Africa/Casablanca', '2026-02-01'))).toStrictEqual(['2026-02-01T07:00:00.000Z']);
    expect(iso(at('Africa/Casablanca', '2026-03-01'))).toStrictEqual(['2026-03-01T08:00:00.000Z']);
  });

  it('makes one occurrence of two that a gap brings to one instant', () => {
    const twice = schedule('2_times_a_day', '2026-03-29T00:00:00', 'Europe/Berlin', {
      times: ['02:30', '03:30'],
    });
    expect(iso(instants(twice, '2026-03-28T12:00:00Z', '2026-03-29T12:00:00Z'))).toStrictEqual([
      '2026-03-29T01:30:00.000Z',
    ]);
    expect(instants(twice, '2026-03-30T00:00:00Z', '2026-03-30T12:00:00Z')).toHaveLength(2);
  });

  it('comes on the last day of months without its day; a rule given as RRULE leaves them out', () => {
    const days = (text: string, start: string, end: string) =>
      instants(schedule(text, start, 'UTC'), start.slice(0, 10), end).map((at) =>
        new Date(at).toISOString().slice(0, 10),
      );
    expect(days('monthly', '2026-01-31T08:00:00', '2026-06-01')).toStrictEqual([
      '2026-01-31',
      '2026-02-28',
      '2026-03-31',
      '2026-04-30',
      '2026-05-31',
    ]);
    expect(days('FREQ=MONTHLY', '2026-01-31T08:00:00', '2026-06-01')).toStrictEqual([
      '2026-01-31',
      '2026-03-31',
      '2026-05-31',
    ]);
    expect(days('yearly', '2024-02-29T08:00:00', '2029-01-01')).toStrictEqual([
      '2024-02-29',
      '2025-02-28',
      '2026-02-28',
      '2027-02-28',
      '2028-02-29',
    ]);
    expect(days('FREQ=YEARLY', '2024-02-29T08:00:00', '2029-01-01')).toStrictEqual([
      '2024-02-29',
      '2028-02-29',
    ]);
  });

  it('includes the instant of its end, and nothing after', () => {
    const until = Date.parse('2026-01-03T08:00:00Z');
    const ended = schedule('daily', '2026-01-01T08:00:00', 'UTC', { until });
    expect(instants(ended, '2026-01-01', '2026-02-01')).toHaveLength(3);
    expect(instants({ ...ended, until: until - 1 }, '2026-01-01', '2026-02-01')).toHaveLength(2);
  });

  it('never comes when taken as needed or not understood', () => {
    for (const text of ['as_needed', 'when the moon is full', 'FREQ=SECONDLY']) {
      expect(
        instants(schedule(text, '2026-01-01T08:00:00', 'UTC'), '2025-01-01', '2027-01-01'),
      ).toHaveLength(0);
    }
  });

  it('costs the same whenever the series began and wherever it ends', () => {
    for (const text of [
      'daily',
      'every_1_hours',
      'monthly',
      'yearly',
      'FREQ=WEEKLY;BYDAY=MO',
      'FREQ=DAILY;COUNT=1000',
      'FREQ=MONTHLY;BYDAY=-1FR',
    ]) {
      const old = schedule(text, '1901-01-31T08:00:00', 'America/New_York', {
        until: Date.UTC(9998, 0),
      });
      const cpu = cpuOf(() => {
        for (let i = 0; i < 20; i++)
          [...expand(old, Date.UTC(2026, 0, i), Date.UTC(2026, 0, i + 2))];
        nextOccurrence(old, Date.UTC(2026, 0));
      });
      expect(cpu, `${text}: ${cpu} ms`).toBeLessThan(5_000);
    }
  });

  it('counts times, not days, from its start on, wherever it is asked from', () => {
    const all = (text: string, start: string, from: string, to: string) =>
      instants(schedule(text, start, 'UTC'), from, to).map((at) =>
        new Date(at).toISOString().slice(0, 16),
      );
    const text = 'FREQ=DAILY;COUNT=3;BYHOUR=8,20';
    expect(all(text, '2026-01-01T08:00:00', '2026-01-01', '2027-01-01')).toStrictEqual([
      '2026-01-01T08:00',
      '2026-01-01T20:00',
      '2026-01-02T08:00',
    ]);
    expect(all(text, '2026-01-01T12:00:00', '2026-01-02', '2027-01-01')).toStrictEqual([
      '2026-01-02T08:00',
      '2026-01-02T20:00',
    ]);
    const leap = 'FREQ=DAILY;COUNT=1000;BYMONTH=2;BYMONTHDAY=29';
    expect(all(leap, '1960-01-01T08:00:00', '2026-01-01', '2033-01-01')).toStrictEqual([
      '2028-02-29T08:00',
      '2032-02-29T08:00',
    ]);
    expect(all(leap, '2026-01-01T08:00:00', '2085-01-01', '2090-01-01')).toStrictEqual([
      '2088-02-29T08:00',
    ]);
    expect(
      all('FREQ=DAILY;COUNT=33;BYMONTH=6', '2026-01-01T08:00:00', '2027-06-02', '2030-01-01'),
    ).toStrictEqual(['2027-06-02T08:00', '2027-06-03T08:00']);
    expect(
      all('FREQ=DAILY;COUNT=3;BYMONTHDAY=31', '2026-01-31T08:00:00', '2026-01-01', '2030-01-01'),
    ).toStrictEqual(['2026-01-31T08:00', '2026-03-31T08:00', '2026-05-31T08:00']);
  });

  it('is expanded lazily: the first of a series without end is one step', () => {
    const endless = expand(
      schedule('hourly', '2026-01-01T08:00:00', 'UTC'),
      Date.UTC(2026, 0),
      Date.UTC(9999, 0),
    );
    expect(endless.next().value?.at).toBe(Date.parse('2026-01-01T08:00:00Z'));
    expect(
      nextOccurrence(
        schedule('FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29', '2026-01-01T08:00:00', 'UTC'),
        Date.UTC(2026, 0),
      )?.at,
    ).toBe(Date.parse('2028-02-29T08:00:00Z'));
    expect(
      nextOccurrence(
        schedule('FREQ=DAILY;COUNT=3', '2026-01-01T08:00:00', 'UTC'),
        Date.UTC(2026, 1),
      ),
    ).toBeUndefined();
  });
});
