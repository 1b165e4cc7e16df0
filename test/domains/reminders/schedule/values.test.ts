import fc from 'fast-check';
import {
  clockTimesOf,
  isDayInOrder,
} from '../../../../src/domains/reminders/schedule/day-times.js';
import { parseFrequency } from '../../../../src/domains/reminders/schedule/frequency.js';
import { phrasedValue } from '../../../../src/domains/reminders/schedule/phrased-value.js';
import { rruleOf } from '../../../../src/domains/reminders/schedule/rrule-text.js';
import { say } from '../../../../src/domains/reminders/schedule/saying/say.js';
import { expand } from '../../../../src/domains/reminders/schedule/schedule.js';
import {
  ANCHORS,
  type Anchor,
  type DayTime,
  frequencyOf,
  type Repeat,
  type ScheduleValue,
  WEEKDAYS,
} from '../../../../src/domains/reminders/schedule/schedule-value.js';
import { clocksOf } from '../../../../src/domains/reminders/schedule/words/anchors.js';
import type { AsNeeded } from '../../../../src/domains/reminders/schedule/words/meaning.js';
import { meaningsOf } from '../../../../src/domains/reminders/schedule/words/read.js';

const DAY = 24 * 60 * 60 * 1000;
const numRuns = Number(process.env.PROPERTY_RUNS ?? 200);
const upTo = (max: number, min = 1) => fc.integer({ min, max });
const sorted = <T>(values: readonly T[], place: (one: T) => number): T[] =>
  [...values].sort((a, b) => place(a) - place(b));

const clocks = fc
  .uniqueArray(upTo(24 * 60 - 1, 0), { maxLength: 4 })
  .map((minutes) =>
    sorted(minutes, Number).map((minute) => new Date(minute * 60_000).toISOString().slice(11, 16)),
  );
const anchored = fc.uniqueArray(
  fc.record({ anchor: fc.constantFrom(...ANCHORS), offset: fc.constantFrom(-60, -30, 0, 30) }),
  { maxLength: 3, selector: (time) => JSON.stringify(time) },
);
const times: fc.Arbitrary<DayTime[]> = fc.oneof(
  clocks,
  anchored,
  fc.tuple(clocks, anchored).map(([some, others]) => [...some, ...others]),
);
const end = fc.oneof(
  fc.constant(undefined),
  fc.record({ count: upTo(40) }),
  fc.record({ days: upTo(400) }),
);
const byDays: fc.Arbitrary<Repeat> = fc.oneof(
  fc.record({ kind: fc.constant('days' as const), every: upTo(40) }),
  fc.record({
    kind: fc.constant('weeks' as const),
    every: upTo(8),
    weekdays: fc
      .uniqueArray(fc.constantFrom(...WEEKDAYS), { maxLength: 7 })
      .map((days) => sorted(days, (day) => WEEKDAYS.indexOf(day))),
  }),
  fc.record({
    kind: fc.constant('months' as const),
    every: upTo(14),
    days: fc
      .uniqueArray(fc.oneof(upTo(31), fc.constant(-1)), { maxLength: 3 })
      .map((days) => sorted(days, (day) => (day < 0 ? 32 : day))),
  }),
  fc.record({ kind: fc.constant('cycle' as const), on: upTo(40), off: upTo(40) }),
);
const timeless: fc.Arbitrary<Repeat> = fc.oneof(
  fc.record({ kind: fc.constant('once' as const) }),
  fc.record({ kind: fc.constant('interval' as const), minutes: upTo(3_000, 30) }),
  fc.record({ kind: fc.constant('afterDose' as const), minutes: upTo(3_000, 30) }),
  fc.record({ kind: fc.constant('asNeeded' as const), mostADay: upTo(8), apart: upTo(900, 30) }),
  fc.record({ kind: fc.constant('asNeeded' as const) }),
);
const value: fc.Arbitrary<ScheduleValue> = fc
  .oneof(fc.tuple(byDays, times, end), fc.tuple(timeless, fc.constant([]), fc.constant(undefined)))
  .map(([repeat, listed, ends]) =>
    JSON.parse(JSON.stringify({ repeat, times: listed, ...(ends && { end: ends }) })),
  );

/** The schedule that the reader of phrases understands; undefined where it does not. */
function readPhrase(text: string): ScheduleValue | undefined {
  const frequency = parseFrequency(text);
  const at = ('at' in frequency && frequency.at) || [];
  const times = at.map((time): DayTime => {
    if ('clock' in time) return time.clock;
    const { anchor, relation, minutes = 0 } = time;
    return { anchor: anchor as Anchor, offset: relation === 'before' ? -minutes : minutes };
  });
  const [meaning] = meaningsOf(text);
  const { maxPerDay: mostADay, leastMinutes: apart } =
    meaning?.kind === 'as_needed' ? meaning : ({} as AsNeeded);
  const limits = { ...(mostADay && { mostADay }), ...(apart && { apart }) };
  const read = phrasedValue(frequency, text, times);
  return read && { ...read, repeat: { ...read.repeat, ...limits } as Repeat };
}

/**
 * Whether a phrase can say a schedule at all, in any language: see the docstring of `say`. What
 * comes by months or in cycles has no number of doses there.
 */
function isPhrase({ repeat, times: listed, end: ends }: ScheduleValue): boolean {
  if (repeat.kind === 'afterDose' || (repeat.kind === 'asNeeded' && repeat.apart)) return false;
  const days = repeat.kind === 'months' ? repeat.days : [];
  if (days.some((day) => day > 28) || (days.includes(-1) && days.length > 1)) return false;
  if (ends?.count && (repeat.kind === 'months' || repeat.kind === 'cycle')) return false;
  if (listed.some((time) => typeof time !== 'string' && time.offset && !MEALS.has(time.anchor)))
    return false;
  return clockTimesOf(listed, {}).length === listed.length;
}
const MEALS: ReadonlySet<Anchor> = new Set(['breakfast', 'lunch', 'dinner']);

/** Whether a schedule ends within its first period or cycle: as words it would be a cycle, or in doubt. */
function isCut({ repeat, end: ends }: ScheduleValue): boolean {
  const lengths = { days: 1, weeks: 7, months: 31 } as const;
  const length = repeat.kind in lengths ? lengths[repeat.kind as keyof typeof lengths] : 0;
  const every = 'every' in repeat ? repeat.every : 1;
  if (repeat.kind === 'cycle')
    return ends?.days !== undefined && ends.days < repeat.on + repeat.off;
  return ends?.days !== undefined && length * every > 1 && ends.days < length * every;
}

/** Every 8 or 15 days: outside English a way to say one week or two, so that it is in doubt. */
const isWeekOfDays = ({ repeat }: ScheduleValue): boolean =>
  repeat.kind === 'days' && (repeat.every === 8 || repeat.every === 15);

describe('A schedule', () => {
  it.each(['en', 'es', 'fr', 'de', 'pt', 'ar'])(
    'said in words means the same, wherever phrases have these words: %s',
    (language) => {
      const understood = new Set<string>();
      fc.assert(
        fc.property(value, (schedule) => {
          const words = say(schedule, language);
          const read = readPhrase(words);
          if (isCut(schedule) || isWeekOfDays(schedule) || (!read && !isPhrase(schedule))) return;
          understood.add(schedule.repeat.kind);
          expect(read, words).toStrictEqual(schedule);
        }),
        { numRuns, examples: PLAIN },
      );
      expect([...understood].sort()).toStrictEqual([
        'asNeeded',
        'cycle',
        'days',
        'interval',
        'months',
        'once',
        'weeks',
      ]);
    },
  );

  it('is said in other words than any other schedule, in each language', () => {
    for (const language of ['en', 'es', 'fr', 'de', 'pt', 'ar']) {
      const said = new Map<string, string>();
      for (const schedule of fc.sample(value, { numRuns, seed: 13 })) {
        const words = say(schedule, language);
        const text = JSON.stringify(schedule);
        expect(said.get(words) ?? text, words).toBe(text);
        said.set(words, text);
      }
    }
  });

  it('as a rule comes at the same times, where a rule can say it', () => {
    let said = 0;
    const starts = upTo(1_500, 0);
    fc.assert(
      fc.property(byDays, clocks, starts, (repeat, listed, first) => {
        const start = Date.UTC(2024, 0, 1) + first * DAY;
        const own = listed.length > 0 ? listed : ['00:00'];
        const text = rruleOf({ repeat, times: listed });
        if (!text || (repeat.kind === 'months' && repeat.days.length === 0)) return;
        said++;
        const of = (frequency: ReturnType<typeof parseFrequency>) =>
          [...expand({ frequency, zone: 'UTC', start, times: own }, start, start + 900 * DAY)].map(
            ({ at }) => new Date(at).toISOString(),
          );
        expect(of(parseFrequency(text)), text).toStrictEqual(
          of(frequencyOf({ repeat, times: own })),
        );
      }),
      { numRuns: Math.min(numRuns, 200) },
    );
    expect(said).toBeGreaterThan(20);
  });
});

/** One plain schedule of each kind that phrases have today. */
const PLAIN: [ScheduleValue][] = (
  [
    { kind: 'once' },
    { kind: 'days', every: 1 },
    { kind: 'days', every: 3 },
    { kind: 'weeks', every: 2, weekdays: [] },
    { kind: 'months', every: 1, days: [] },
    { kind: 'interval', minutes: 480 },
    { kind: 'asNeeded' },
  ] as Repeat[]
).map((repeat): [ScheduleValue] => [{ repeat, times: [] }]);

describe('Times of day', () => {
  it("follow the member's own day, in order, each once", () => {
    const own = { anchors: { breakfast: '09:15' } };
    const before = { anchor: 'breakfast', offset: -30 } as const;
    expect(clockTimesOf(['20:00', before, '08:45'], own)).toStrictEqual(['08:45', '20:00']);
    expect(clockTimesOf([{ anchor: 'bedtime', offset: 720 }], own)).toStrictEqual(['23:59']);
  });

  it('are the same in a phrase and in a schedule, whatever the member has set', () => {
    const clock = upTo(24 * 60 - 1, 0).map((minute) =>
      new Date(minute * 60_000).toISOString().slice(11, 16),
    );
    const own = fc.record({
      anchors: fc.record(Object.fromEntries(ANCHORS.map((anchor) => [anchor, clock])), {
        requiredKeys: [],
      }),
      usual: fc.record(
        { 2: fc.tuple(clock, clock), 3: fc.tuple(clock, clock, clock) },
        { requiredKeys: [] },
      ) as fc.Arbitrary<Record<number, string[]>>,
    });
    fc.assert(
      fc.property(own, anchored, (times, listed) => {
        const phrased = listed.map(({ anchor, offset }) => ({
          anchor,
          relation: offset < 0 ? ('before' as const) : ('after' as const),
          minutes: Math.abs(offset),
        }));
        expect(clocksOf(phrased, times)).toStrictEqual(clockTimesOf(listed, times));
      }),
      { numRuns },
    );
  });

  it('are in order from waking to bedtime, which may be after midnight', () => {
    const inOrder = (anchors: Partial<Record<Anchor, string>>) =>
      isDayInOrder({ usual: {}, anchors });
    const night = { wake: '16:00', breakfast: '17:00', lunch: '21:00', dinner: '02:00' };
    expect([{}, { bedtime: '01:30' }, { ...night, bedtime: '07:00' }].map(inOrder)).toStrictEqual([
      true,
      true,
      true,
    ]);
    const wrong = [
      { breakfast: '06:30' },
      { wake: '08:00' },
      { lunch: '20:00' },
      { ...night, bedtime: '16:00' },
      { ...night, bedtime: '16:30' },
      { wake: '09:00', bedtime: '08:30' },
    ];
    expect(wrong.filter(inOrder)).toStrictEqual([]);
  });
});
