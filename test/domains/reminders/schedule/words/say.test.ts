import fc from 'fast-check';
import type {
  Anchor,
  DayTime,
  Meaning,
} from '../../../../../src/domains/reminders/schedule/words/meaning.js';
import { meaningsOf } from '../../../../../src/domains/reminders/schedule/words/read.js';
import { say } from '../../../../../src/domains/reminders/schedule/words/say.js';
import { isUnlikely } from '../../../../../src/domains/reminders/schedule/words/unsure.js';

const RUNS = Number(process.env.PROPERTY_RUNS ?? 300);

const upTo = (max: number) => fc.integer({ min: 1, max });
const optional = <T>(key: string, value: fc.Arbitrary<T>) =>
  fc.option(value, { nil: undefined }).map((one) => (one === undefined ? {} : { [key]: one }));

const clock = fc
  .tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }))
  .map(([hour, minute]) => ({
    clock: `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`,
  }));
const part = fc
  .constantFrom<Anchor>('wake', 'morning', 'afternoon', 'evening', 'night', 'bedtime')
  .map((anchor) => ({ anchor, relation: 'with' as const }));
const meal = fc
  .tuple(
    fc.constantFrom<Anchor>('breakfast', 'lunch', 'dinner'),
    fc.constantFrom('before' as const, 'after' as const),
    optional('minutes', upTo(240)),
  )
  .map(([anchor, relation, minutes]) => ({ anchor, relation, ...minutes }));
const withMeal = fc
  .constantFrom<Anchor>('breakfast', 'lunch', 'dinner')
  .map((anchor) => ({ anchor, relation: 'with' as const }));
const at = fc.uniqueArray(fc.oneof(clock, part, meal, withMeal) as fc.Arbitrary<DayTime>, {
  minLength: 1,
  maxLength: 5,
  selector: (time) => JSON.stringify(time),
});

const bounds = fc.oneof(
  fc
    .tuple(fc.constantFrom('day', 'week', 'month', 'year'), upTo(60))
    .map(([unit, count]) => ({ kind: 'duration', unit, count })),
  upTo(60).map((count) => ({ kind: 'doses', count })),
  fc
    .date({ min: new Date('2026-01-01'), max: new Date('2099-12-31'), noInvalidDate: true })
    .map((date) => ({ kind: 'until', date: date.toISOString().slice(0, 10) })),
  fc.constant({ kind: 'supply' }),
);
const forms = fc.constantFrom('tablet', 'capsule', 'pill', 'drop', 'puff', 'ml', 'mg', 'patch');
const decimals = fc.constantFrom('0.5', '2.5', '0.05', '0.0625', '10.05');
const amount = fc.oneof(
  fc
    .tuple(fc.oneof(upTo(20).map(String), decimals), forms)
    .map(([value, unit]) => ({ value, unit })),
  // So many pieces nobody takes.
  fc.constantFrom('drop', 'ml', 'mg').map((unit) => ({ value: '1500', unit })),
  // Without a unit only what people count.
  fc.oneof(upTo(12).map(String), fc.constantFrom('0.5', '1.5')).map((value) => ({ value })),
);

/** Gives times amounts of their own, where there are several and an amount to differ from. */
function uneven(meant: Meaning, others: readonly (string | undefined)[]): Meaning {
  const { amount: whole } = meant;
  if (!whole || !('at' in meant) || !meant.at || meant.at.length < 2) return meant;
  const times = meant.at.map((time, i) => {
    const own = i === 0 ? undefined : others[i];
    return own && own !== whole.value ? { ...time, amount: own } : time;
  });
  return { ...meant, at: times } as Meaning;
}

const days = fc.oneof(
  fc
    .constantFrom('day', 'week', 'month', 'year')
    .chain((unit) => upTo(10).map((every) => ({ unit, every }))),
  fc
    .tuple(upTo(8), fc.uniqueArray(upTo(7), { minLength: 1, maxLength: 6 }))
    .map(([every, weekdays]) => ({ unit: 'week', every, weekdays: weekdays.sort() })),
  fc
    .tuple(
      upTo(8),
      fc.uniqueArray(fc.oneof(fc.constant(-1), upTo(28)), { minLength: 1, maxLength: 5 }),
    )
    .map(([every, all]) => ({ unit: 'month', every, monthDays: all.sort((a, b) => a - b) })),
  fc
    .tuple(upTo(8), fc.constantFrom(-1, 1, 2, 3, 4, 5), upTo(7))
    .map(([every, number, weekday]) => ({ unit: 'month', every, nth: [{ number, weekday }] })),
  fc.tuple(upTo(60), upTo(60)).map(([on, off]) => ({ unit: 'day', every: 1, cycle: { on, off } })),
);
const calendar = fc
  .tuple(
    days,
    fc.oneof(
      upTo(24).map((timesADay) => ({ timesADay })),
      at.map(several),
    ),
  )
  .map(([on, times]) => ({ kind: 'calendar', ...on, ...times }));
function several(times: readonly DayTime[]) {
  return { timesADay: times.length, at: times };
}
const open = fc
  .tuple(fc.constantFrom('week', 'month'), fc.integer({ min: 2, max: 6 }))
  .map(([unit, unsaidDays]) => ({ kind: 'calendar', unit, every: 1, unsaidDays, timesADay: 1 }));

const meaning = fc
  .oneof(
    { weight: 6, arbitrary: fc.tuple(calendar, optional('bounds', bounds)) },
    { weight: 1, arbitrary: fc.tuple(open, fc.constant({})) },
    {
      weight: 2,
      arbitrary: fc.tuple(
        upTo(2_000).map((minutes) => ({ kind: 'interval', minutes })),
        optional('bounds', bounds),
      ),
    },
    {
      weight: 1,
      arbitrary: fc.tuple(
        optional('maxPerDay', upTo(24)).map((most) => ({ kind: 'as_needed', ...most })),
        optional('leastMinutes', upTo(2_000)),
      ),
    },
    {
      weight: 1,
      arbitrary: fc.tuple(
        optional(
          'at',
          fc.array(fc.oneof(clock, part, meal, withMeal), { minLength: 1, maxLength: 1 }),
        ),
        fc.constant({ kind: 'once' }),
      ),
    },
  )
  .chain(([one, two]) =>
    fc
      .tuple(
        optional('amount', amount),
        fc.array(fc.option(upTo(9).map(String), { nil: undefined })),
      )
      .map(([more, others]) => uneven({ ...one, ...two, ...more } as unknown as Meaning, others)),
  );

/**
 * Whether a course ends within its first period or cycle: said so, it would be a cycle, or in doubt.
 */
function isCut(meant: Meaning): boolean {
  if (meant.kind !== 'calendar' || meant.bounds?.kind !== 'duration') return false;
  const days = { day: 1, week: 7, month: 31, year: 366 } as const;
  const period = meant.every * days[meant.unit];
  const length = meant.bounds.count * days[meant.bounds.unit];
  const cycle = meant.cycle && 'off' in meant.cycle ? meant.cycle.on + meant.cycle.off : 0;
  return (period > 1 && length <= period) || length < cycle;
}

/** Whether nobody is told so much or so often: more than 12 puffs, or a patch within 8 hours. */
function isLost(meant: Meaning): boolean {
  const { unit, value } = meant.amount ?? {};
  const others = 'at' in meant ? (meant.at ?? []).map(({ amount: one }) => one) : [];
  if (unit === 'puff') return [value, ...others].some((one) => Number(one ?? 0) > 12);
  if (unit !== 'patch') return false;
  if (meant.kind === 'as_needed') return (meant.leastMinutes ?? 480) < 480;
  return meant.kind === 'interval' && meant.minutes < 480;
}

describe('What the grammar says', () => {
  it('is understood again, as that and as nothing else', () => {
    fc.assert(
      fc.property(meaning, (meant) => {
        fc.pre(!isCut(meant) && !isLost(meant) && !isUnlikely(meant, say(meant)));
        expect(meaningsOf(say(meant)), say(meant)).toEqual([meant]);
      }),
      { numRuns: RUNS },
    );
  });

  it('is understood again in each of its phases', () => {
    const lengths = fc.array(upTo(30), { minLength: 1, maxLength: 6 });
    const often = fc.oneof(
      upTo(4).map((timesADay) => ({ timesADay })),
      fc.tuple(fc.oneof(clock, part)).map(several),
    );
    fc.assert(
      fc.property(lengths, often, forms, fc.boolean(), (days, times, unit, ends) => {
        let after = 0;
        const steps = days.map((length, i) => {
          after += length;
          return { after, value: `${i % 2 ? 10 : 2.5}` };
        });
        const bounds = ends && { bounds: { kind: 'duration', unit: 'day', count: after + 4 } };
        const course = { kind: 'calendar', unit: 'day', every: 1, ...times, ...bounds };
        fc.pre(unit !== 'puff');
        const meant = { ...course, amount: { value: '20', unit, steps } } as Meaning;
        expect(meaningsOf(say(meant)), say(meant)).toEqual([meant]);
      }),
      { numRuns: Math.ceil(RUNS / 4) },
    );
  });
});
