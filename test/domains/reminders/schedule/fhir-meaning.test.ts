import fc from 'fast-check';
import { DomainError } from '../../../../src/core/errors.js';
import { planMedicine } from '../../../../src/domains/reminders/alert/plan.js';
import { scheduleOf } from '../../../../src/domains/reminders/alert/planned.js';
import {
  type AmountRow,
  amountFinder,
  quantityKey,
} from '../../../../src/domains/reminders/amount/amounts.js';
import { prescribedAmounts } from '../../../../src/domains/reminders/amount/prescribed-amount.js';
import { prescribedOf } from '../../../../src/domains/reminders/reminder/prescribed.js';
import type { ReminderRow } from '../../../../src/domains/reminders/reminder/reminder.service.js';
import { planned } from '../../../../src/domains/reminders/reminder/timed.js';
import { limitsOf } from '../../../../src/domains/reminders/safety/stated-limits.js';
import { readDosages } from '../../../../src/domains/reminders/schedule/fhir/dosage-reading.js';
import { dosagesOf } from '../../../../src/domains/reminders/schedule/fhir/dosage-writing.js';
import { REPEAT } from '../../../../src/domains/reminders/schedule/fhir/timing-repeat.js';
import { expand } from '../../../../src/domains/reminders/schedule/schedule.js';
import {
  dosageIn,
  prescribedText,
} from '../../../../src/domains/reminders/schedule/schedule-value.js';

type Json = Readonly<Record<string, unknown>>;

const DAY = 24 * 60 * 60_000;
const numRuns = Number(process.env.PROPERTY_RUNS ?? 150);
/** In both zones, clocks are shifted within the two months that are compared. */
const NOW = Date.parse('2026-03-01T05:20:00Z');
const SPAN = 75 * DAY;
const ZONES = ['Europe/Berlin', 'America/New_York'];
const OWN = { usual: {}, anchors: { breakfast: '07:15', bedtime: '23:00' } };

const upTo = (max: number, min = 1) => fc.integer({ min, max });
const some = <T>(values: readonly T[], maxLength = values.length) =>
  fc.uniqueArray(fc.constantFrom(...values), { minLength: 1, maxLength });
const maybe = <T>(one: fc.Arbitrary<T>) => fc.option(one, { nil: undefined });

const CLOCKS = ['06:00:00', '08:00:00', '09:30:00', '12:00:00', '20:00:00', '23:45:00', '02:30:00'];
const WHEN = 'MORN NOON AFT EVE NIGHT WAKE HS C CM CD CV AC ACM ACD ACV PC PCM PCD PCV'.split(' ');
const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];

const often = fc.oneof(
  fc.record({ frequency: upTo(5), period: upTo(3), periodUnit: fc.constant('d') }),
  fc.record({
    frequency: fc.constant(1),
    period: upTo(4),
    periodUnit: fc.constantFrom('wk', 'mo'),
  }),
  fc.record({
    frequency: fc.constant(1),
    period: fc.constantFrom(1, 1.5, 4, 6, 8, 12, 36),
    periodUnit: fc.constant('h'),
  }),
  fc.record({ period: fc.constantFrom(45, 90), periodUnit: fc.constant('min') }),
  fc.constant({}),
);
const times = fc.oneof(
  some(CLOCKS, 3).map((timeOfDay) => ({ timeOfDay })),
  fc.record(
    { when: some(WHEN, 3), offset: fc.constantFrom(0, 15, 30, 60) },
    { requiredKeys: ['when'] },
  ),
  fc.constant({}),
);
const weekdays = fc.oneof(
  fc.constant({}),
  some(DAYS, 3).map((dayOfWeek) => ({ dayOfWeek })),
);
const date = upTo(40, 0).map((day) => new Date(NOW + day * DAY).toISOString().slice(0, 10));
const moment = fc
  .tuple(
    date,
    fc.constantFrom('', 'T00:00:00', 'T06:45:00', 'T13:00:00'),
    fc.constantFrom('Z', '-05:00'),
  )
  .map(([day, clock, zone]) => (clock ? `${day}${clock}${zone}` : day));
const bounds = fc.oneof(
  fc.constant({}),
  fc.record({ start: moment }).map((boundsPeriod) => ({ boundsPeriod })),
  fc
    .record({ start: date, end: fc.constant('2026-04-20') })
    .map((boundsPeriod) => ({ boundsPeriod })),
  fc
    .record({ value: upTo(20), code: fc.constantFrom('d', 'wk', 'mo') })
    .map((boundsDuration) => ({ boundsDuration })),
  fc.record({ count: upTo(30) }),
);
/** A number of times that fits the times and weekdays: any other one is refused. */
const fitting = fc
  .tuple(often, times, weekdays, bounds)
  .map(([how, at, on, ends]): Record<string, unknown> => {
    const repeat: Record<string, unknown> = { ...how, ...at, ...on, ...ends };
    const listed = (repeat.timeOfDay ?? repeat.when) as string[] | undefined;
    const each = listed?.flatMap((code) => (['C', 'AC', 'PC'].includes(code) ? [1, 2, 3] : [1]));
    const weekly = repeat.periodUnit === 'wk' ? ((repeat.dayOfWeek as []) ?? [1]).length : 1;
    const fits = repeat.frequency && (each || weekly > 1);
    return fits ? { ...repeat, frequency: (each?.length ?? 1) * weekly } : repeat;
  });
const quantity = fc.record({
  value: fc.constantFrom(0.05, 0.0625, 0.5, 1, 1.5, 2, 1500),
  unit: fc.constant('mg'),
  system: fc.constant('http://unitsofmeasure.org'),
  code: fc.constant('mg'),
});
const dose = fc.oneof(
  fc.constant({}),
  quantity.map((doseQuantity) => ({ doseAndRate: [{ doseQuantity }] })),
  quantity.map((low) => ({
    doseAndRate: [{ doseRange: { low, high: { ...low, value: low.value * 2 } } }],
  })),
);
const ratio = fc.record({
  numerator: fc.record({
    value: upTo(9_000),
    unit: fc.constant('mg'),
    code: fc.constant('mg'),
    system: fc.constant('http://unitsofmeasure.org'),
  }),
  denominator: fc.constant({ value: 24, code: 'h' }),
});
const remarks = fc.record(
  {
    text: fc.constantFrom('As told', 'Nach Anweisung'),
    patientInstruction: fc.constant('With water'),
    additionalInstruction: fc.constant([{ text: 'With food' }]),
    route: fc.constant({ coding: [{ system: 'http://snomed.info/sct', code: '26643006' }] }),
    site: fc.constant({ text: 'left arm' }),
    method: fc.constant({ text: 'Swallow' }),
  },
  { requiredKeys: [] },
);
const needed = fc.constantFrom(
  {},
  { asNeededBoolean: false },
  { asNeededBoolean: true },
  { asNeededCodeableConcept: { text: 'Pain' } },
);
const neededHow = fc.oneof(
  fc.record({ frequency: upTo(4), period: fc.constant(1), periodUnit: fc.constant('d') }),
  fc.record({
    frequency: upTo(2),
    frequencyMax: upTo(6, 2),
    period: fc.constant(1),
    periodUnit: fc.constant('d'),
  }),
  fc.record({ period: upTo(6), periodMax: fc.constantFrom(6, 8), periodUnit: fc.constant('h') }),
  fc.record({ boundsPeriod: fc.record({ start: date }) }),
);
const single = fc
  .tuple(fc.oneof(fitting, fitting, neededHow), dose, maybe(ratio), remarks, needed)
  .map(([repeat, much, most, said, need]) => [
    {
      timing: { repeat },
      ...much,
      ...(most && 'doseAndRate' in much && { maxDosePerPeriod: most }),
      ...said,
      ...need,
    },
  ]);
/** A direction that stands in words alone. */
const worded = fc
  .tuple(
    fc.constantFrom(
      'one tablet twice a day',
      'take 1 tablet in the morning and 2 at night',
      '21 days on and 7 days off',
      'on the first Monday of the month at 08:00',
      'every 8 hours for 5 days',
      '1 tablet twice a day for 7 days, then 1 tablet daily',
      '40 mg weekly for 4 weeks, then 80 mg every 2 weeks',
      '1 to 2 tablets every 4 to 6 hours as needed for pain',
      'every other day until 2026-04-10',
      'FREQ=WEEKLY;BYDAY=MO,TH;BYHOUR=8;BYMINUTE=0',
    ),
    remarks,
  )
  .map(([text, { text: _, ...said }]) => [{ ...said, text }]);
const at = (one: object, repeat: object, sequence?: number) => ({
  timing: { repeat },
  doseAndRate: [{ doseQuantity: one }],
  ...(sequence && { sequence }),
});
/** One amount in the morning and another one at night; on weekdays or daily. */
const uneven = fc
  .tuple(quantity, quantity, some(CLOCKS, 2), some(['MORN', 'HS', 'ACV'], 2), weekdays)
  .map(([one, other, clocks, when, on]) => [
    at(one, { ...on, timeOfDay: clocks }),
    at(other, { ...on, when }),
  ]);
/** A dose that is tapered, by lengths or by dates. */
const tapered = fc
  .tuple(
    fc.array(fc.tuple(quantity, upTo(9)), { minLength: 2, maxLength: 4 }),
    fc.boolean(),
    often,
    times,
  )
  .map(([steps, dated, how, clocks]) => {
    let from = Date.parse('2026-03-20');
    return steps.map(([much, days], i) => {
      const start = new Date(from).toISOString().slice(0, 10);
      from += days * DAY;
      const end = new Date(from - DAY).toISOString().slice(0, 10);
      const length = dated
        ? { boundsPeriod: { start, end } }
        : { boundsDuration: { value: days, code: 'd' } };
      const { frequency: _, ...rest } = { frequency: 1, ...how };
      return at(much, { ...rest, ...clocks, ...length }, i + 1);
    });
  });

/** Sequences that come differently often, by lengths or by dates. */
const phases = fc
  .tuple(
    fc.array(
      fc.tuple(
        quantity,
        fc.integer({ min: 1, max: 9 }),
        fc.oneof(
          fc.record({ frequency: upTo(4), period: fc.constant(1), periodUnit: fc.constant('d') }),
          fc.record({
            frequency: fc.constant(1),
            period: upTo(2),
            periodUnit: fc.constantFrom('d', 'wk', 'mo'),
          }),
          weekdays.map((on) => ({ frequency: 1, period: 1, periodUnit: 'wk', ...on })),
          some(CLOCKS, 3).map((timeOfDay) => ({ timeOfDay })),
        ),
      ),
      { minLength: 2, maxLength: 4 },
    ),
    fc.boolean(),
    fc.boolean(),
  )
  .map(([all, dated, isOpen]) => {
    let from = Date.parse('2026-03-20');
    return all.map(([much, weeks, how], i) => {
      const start = new Date(from).toISOString().slice(0, 10);
      from += 7 * weeks * DAY;
      const end = new Date(from - DAY).toISOString().slice(0, 10);
      const last = isOpen && i === all.length - 1;
      const length = dated
        ? { boundsPeriod: { start, ...(!last && { end }) } }
        : last
          ? {}
          : { boundsDuration: { value: weeks, code: 'wk' } };
      return at(much, { ...how, ...length }, i + 1);
    });
  });

/** Sequences by hours, each with an amount of its own: by instants, or by lengths and days behind. */
const byHours = fc
  .tuple(
    fc.array(fc.tuple(quantity, upTo(3), fc.constantFrom(4, 6, 8, 12)), {
      minLength: 1,
      maxLength: 3,
    }),
    fc.array(fc.tuple(quantity, upTo(3), upTo(3)), { maxLength: 3 }),
    upTo(300),
    fc.boolean(),
    fc.boolean(),
  )
  .map(([hours, days, quarter, dated, isOpen]) => {
    let from = Date.parse('2026-03-05') + (quarter * DAY) / 96;
    const all = [
      ...hours.map(([much, count, period]) => ({ much, count, period, periodUnit: 'h' })),
      ...(dated ? [] : days).map(([much, count, frequency]) => ({
        much,
        count,
        frequency,
        period: 1,
        periodUnit: 'd',
      })),
    ];
    return all.map(({ much, count, ...often }, i) => {
      const isLast = isOpen && i === all.length - 1;
      const start = new Date(from).toISOString();
      from += count * DAY;
      const end = new Date(from - 1_000).toISOString();
      const length = dated
        ? { boundsPeriod: { start, ...(!isLast && { end }) } }
        : isLast
          ? {}
          : { boundsDuration: { value: count, code: 'd' } };
      return at(much, { frequency: 1, ...often, ...length }, i + 1);
    });
  });

/** What a list of Dosages means, as the plan of a member in a zone has it. */
function meaningOf(dosages: readonly unknown[], version: 'R4' | 'R5', zone: string) {
  const { frequency, words, start, end, kept } = readDosages(dosages, version);
  const schedule = prescribedText(frequency, kept);
  const sent = { frequencyType: words, schedule, startDate: start, endDate: end ?? '' };
  const fields = planned({ ...sent, timed: start?.includes('T') === true });
  const zones = { site: zone, known: zone, source: 'profile' };
  const plan = planMedicine(fields, { zones, ...OWN, now: NOW } as never);
  const columns = { ...sent, ...plan, maxPerDay: null, leastInterval: null };
  const stated = prescribedAmounts(dosageIn(sent) as never, columns as never, OWN);
  const row = { ...columns, doseUnit: stated?.unit ?? null } as unknown as ReminderRow;
  return { row, amounts: (stated?.portions ?? []) as readonly AmountRow[], kept };
}
type Meant = ReturnType<typeof meaningOf>;

/** The doses of a span with their amounts, and the limits. */
function seenIn({ row, amounts, kept }: Meant) {
  const find = amountFinder(amounts);
  const doses = row.recognized
    ? [...expand(scheduleOf(row), NOW, NOW + SPAN)].map((dose) => {
        const much = find(dose);
        return `${new Date(dose.at).toISOString()} ${much ? quantityKey(much) : ''}`;
      })
    : ['not understood'];
  const { steps: _, since: __, ...others } = kept;
  const portions = kept.steps.flatMap((step) => step.portions);
  const ranges = portions.flatMap(({ amount, upTo: most }) =>
    most ? [[amount, most].join()] : [],
  );
  const limits = limitsOf(row as never);
  return { doses, limits, ...others, ranges: [...new Set(ranges)] };
}

function written({ row, amounts }: Meant, version: 'R4' | 'R5') {
  return JSON.parse(JSON.stringify(dosagesOf(prescribedOf(row, amounts, OWN), version)));
}

/** Without texts, which the service makes where none came. */
const untold = (dosages: { text?: string }[]) => dosages.map(({ text: _, ...rest }) => rest);

/** As R5 has it what is the same in R4. */
const inR5 = ({ asNeededBoolean, asNeededCodeableConcept, maxDosePerPeriod, ...rest }: Json) => ({
  ...rest,
  ...(asNeededBoolean !== undefined && { asNeeded: asNeededBoolean }),
  ...(asNeededCodeableConcept !== undefined && { asNeededFor: [asNeededCodeableConcept] }),
  ...(maxDosePerPeriod !== undefined && { maxDosePerPeriod: [maxDosePerPeriod] }),
});

/** The clock times of the member's day in minutes, and the way that minutes count from each code. */
const MEMBER: Readonly<Record<string, readonly [at: number, way: number]>> = {
  MORN: [480, 1],
  NOON: [720, 1],
  AFT: [840, 1],
  EVE: [1_200, 1],
  NIGHT: [1_200, 1],
  WAKE: [480, 1],
  HS: [1_380, -1],
  CM: [435, 0],
  CD: [840, 0],
  CV: [1_200, 0],
  ACM: [435, -1],
  ACD: [840, -1],
  ACV: [1_200, -1],
  PCM: [435, 1],
  PCD: [840, 1],
  PCV: [1_200, 1],
};
const MEALS: Readonly<Record<string, readonly string[]>> = {
  C: ['CM', 'CD', 'CV'],
  AC: ['ACM', 'ACD', 'ACV'],
  PC: ['PCM', 'PCD', 'PCV'],
};
interface Ringing {
  readonly start: string;
  readonly lasts: number;
  readonly every: number;
  readonly dayOfWeek?: readonly string[] | undefined;
  readonly timeOfDay?: readonly string[] | undefined;
  readonly when?: readonly string[] | undefined;
  readonly offset?: number | undefined;
}

/** When a Timing comes, found day by day by what FHIR says of its elements; local times. */
function rung({ start, lasts, every, dayOfWeek, timeOfDay, when, offset = 0 }: Ringing): string[] {
  const codes = (when ?? []).flatMap((code) => MEALS[code] ?? [code]);
  const minutes = timeOfDay
    ? timeOfDay.map((time) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5)))
    : codes.map((code) => {
        // Beside an evening, the night is bedtime, as in phrases.
        const late = code === 'NIGHT' && codes.includes('EVE');
        const [clock, way] = MEMBER[code] as readonly [number, number];
        return Math.min((late ? 1_380 : clock) + way * offset, 1_439);
      });
  return Array.from({ length: lasts }, (_, i) => i)
    .filter((day) => day % every === 0)
    .map((day) => Date.parse(start) + day * DAY)
    .filter(
      (day) =>
        !dayOfWeek || dayOfWeek.includes(DAYS[(new Date(day).getUTCDay() + 6) % 7] as string),
    )
    .flatMap((day) => minutes.sort((a, b) => a - b).map((minute) => day + minute * 60_000))
    .map((local) => new Date(local).toISOString().slice(0, 16));
}

describe('A Timing of FHIR', () => {
  it('rings on the days and at the times that its elements say', () => {
    const drawn = fc
      .tuple(
        fc.record({
          start: fc.constantFrom('2026-03-02', '2026-03-06', '2026-03-22'),
          lasts: upTo(30),
          every: upTo(4),
        }),
        maybe(some(DAYS, 3)),
        fc.oneof(
          some(CLOCKS, 3).map((timeOfDay) => ({ timeOfDay })),
          some(WHEN, 3).map((when) => ({ when })),
          fc.record({ when: some(WHEN, 3), offset: fc.constantFrom(15, 30, 60) }),
        ),
      )
      .map(([days, dayOfWeek, at]): Ringing => {
        return { ...days, ...(dayOfWeek && { dayOfWeek, every: 1 }), ...at };
      });
    let seen = 0;
    fc.assert(
      fc.property(drawn, fc.constantFrom('d', 'wk'), fc.boolean(), (given, unit, dated) => {
        const { start, lasts, every, offset, timeOfDay, when, dayOfWeek } = given;
        const daily = dayOfWeek || unit === 'd';
        const end = new Date(Date.parse(start) + (lasts - 1) * DAY).toISOString().slice(0, 10);
        const length = { boundsPeriod: { start, ...(dated && { end }) } };
        const often = { period: every, periodUnit: daily ? 'd' : 'wk' };
        const times = {
          ...(timeOfDay && { timeOfDay }),
          ...(when && { when, ...(offset && { offset }) }),
        };
        const repeat = { ...length, ...often, ...times, ...(dayOfWeek && { dayOfWeek }) };
        let meant: Meant;
        try {
          meant = meaningOf([{ timing: { repeat } }], 'R4', 'Europe/Berlin');
        } catch (error) {
          if (error instanceof DomainError) return;
          throw error;
        }
        const step = { ...given, every: daily ? every : 7 * every };
        const expected = rung(dated ? step : { ...step, lasts: 60 });
        const found = [...expand(scheduleOf(meant.row), NOW, Date.parse(start) + 58 * DAY)];
        const locals = found.map(({ local }) => new Date(local).toISOString().slice(0, 16));
        const last = new Date(Date.parse(start) + 57 * DAY).toISOString().slice(0, 10);
        expect(locals.filter((local) => local < last)).toStrictEqual(
          expected.filter((local) => local < last),
        );
        seen++;
      }),
      { numRuns: numRuns * 3, includeErrorInReport: true },
    );
    expect(seen).toBeGreaterThan(numRuns);
  });

  it('of anything whatever is refused as a Dosage, and never an error of another kind', () => {
    const names =
      'text timing repeat when frequency period periodUnit count bounds code event'.split(' ');
    const key = fc.oneof(
      fc.constantFrom(...names, 'doseAndRate', 'route', '__proto__'),
      fc.string(),
    );
    const anything = fc.anything({ key, maxDepth: 5, withNullPrototype: false });
    const nested = fc.record(
      {
        text: anything,
        timing: fc.oneof(
          anything,
          fc.record({ repeat: fc.dictionary(fc.constantFrom(...REPEAT), anything) }),
        ),
        doseAndRate: fc.oneof(anything, fc.array(fc.dictionary(key, anything), { maxLength: 2 })),
        route: anything,
        maxDosePerPeriod: anything,
        asNeededBoolean: anything,
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(nested, anything), { maxLength: 3 }), (dosages) => {
        try {
          readDosages(dosages, 'R4');
        } catch (error) {
          expect(error).toBeInstanceOf(DomainError);
        }
      }),
      { numRuns: numRuns * 3, includeErrorInReport: true },
    );
  });
});

/** A direction of each kind of frequency, so that none is missing by chance. */
const EACH_KIND: Readonly<Record<string, object[]>> = {
  once: [{ timing: { repeat: { count: 1 } } }],
  calendar: [{ timing: { repeat: { frequency: 2, period: 1, periodUnit: 'd' } } }],
  elapsed: [{ timing: { repeat: { frequency: 1, period: 8, periodUnit: 'h' } } }],
  rule: [{ timing: { repeat: { dayOfWeek: ['mon'], timeOfDay: ['02:30:00'] } } }],
  as_needed: [{ text: 'as needed', asNeededBoolean: true }],
  phased: [{ text: '1 tablet twice a day for 7 days, then 1 tablet daily' }],
};
/** Phases whose times FHIR has in several Dosages, since noon has no code of the member's day. */
const IN_PARTS = [1, 2].map((sequence) => ({
  timing: {
    repeat: {
      period: 1,
      periodUnit: 'wk',
      when: ['NOON', 'MORN'],
      boundsDuration: { value: 1, code: 'd' },
    },
  },
  doseAndRate: [{ doseQuantity: { value: 0.05, unit: 'mg' } }],
  sequence,
}));

/** Hours that end behind the time of the next dose: by a shift of the clock, or as they begin late. */
const hoursThenDays = (start?: string) =>
  [
    { periodUnit: 'h', period: 12, boundsDuration: { value: 7, code: 'd' } },
    { periodUnit: 'd', period: 1, boundsDuration: { value: 1, code: 'd' } },
    { periodUnit: 'd', period: 1, boundsDuration: { value: 2, code: 'd' } },
  ].map(({ boundsDuration, ...often }, i) => ({
    timing: {
      repeat:
        start && i === 0
          ? { frequency: 1, ...often, boundsPeriod: { start, end: start.replace('01T', '07T') } }
          : { frequency: 1, ...often, boundsDuration },
    },
    doseAndRate: [{ doseQuantity: { value: i + 1, unit: 'mg' } }],
    sequence: i + 1,
  }));

describe('What comes in as FHIR', () => {
  it.each(['R4', 'R5'] as const)('goes out with the same meaning: %s', (version) => {
    const kinds: Record<string, number> = {};
    fc.assert(
      fc.property(
        fc.oneof(single, single, uneven, tapered, phases, byHours, worded),
        fc.constantFrom(...ZONES),
        (drawn, zone) => {
          const given = version === 'R5' ? drawn.map((one) => inR5(one as Json)) : drawn;
          let first: Meant;
          try {
            first = meaningOf(given, version, zone);
          } catch (error) {
            const { reason } = (error as DomainError).refusal ?? {};
            expect(reason, String(error)).toMatch(/^(SCHEDULE_INVALID|END_BEFORE_START)$/);
            return;
          }
          const { kind } = readDosages(given, version).frequency;
          kinds[kind] = (kinds[kind] ?? 0) + 1;
          const out = written(first, version);
          const again = meaningOf(out, version, zone);
          expect(seenIn(again), JSON.stringify({ given, out }, null, 1)).toStrictEqual(
            seenIn(first),
          );
          expect(untold(written(again, version)), JSON.stringify(given)).toStrictEqual(untold(out));
          const [said] = given as { text?: string }[];
          // Words about several phases say something else than the Timing of one.
          const isSplit = kind === 'phased' && given.length === 1;
          if (said?.text && !isSplit) expect(out[0].text).toBe(said.text);
        },
      ),
      {
        numRuns,
        includeErrorInReport: true,
        examples: [
          ...[...Object.values(EACH_KIND), IN_PARTS].map((one) => [one, 'Europe/Berlin']),
          [hoursThenDays(), 'America/New_York'],
          [hoursThenDays('2026-03-01T21:00:00-05:00'), 'America/New_York'],
        ] as [object[], string][],
      },
    );
    expect(Object.keys(kinds)).toStrictEqual(expect.arrayContaining(Object.keys(EACH_KIND)));
  });
});
