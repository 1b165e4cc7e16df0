import fc from 'fast-check';
import {
  type Frequency,
  parseFrequency,
} from '../../../../src/domains/reminders/schedule/frequency.js';

/**
 * What a phrase means, as a person would say it: the letters before its number, the letters behind
 * it, and the largest number.
 */
interface Meaning {
  readonly before: string;
  readonly after: string;
  readonly most: number;
  readonly means: (number: number) => Frequency;
}

const calendar = (
  unit: 'day' | 'week' | 'month' | 'year',
  every = 1,
  timesADay = 1,
): Frequency => ({
  kind: 'calendar',
  unit,
  every,
  timesADay,
});
const hours = (number: number): Frequency => ({ kind: 'elapsed', hours: number });

/** Phrases without a number. */
const NAMED: Readonly<Record<string, Frequency>> = {
  once: { kind: 'once' },
  'one time': { kind: 'once' },
  daily: calendar('day'),
  'every day': calendar('day'),
  'once a day': calendar('day'),
  'once daily': calendar('day'),
  'twice a day': calendar('day', 1, 2),
  'twice daily': calendar('day', 1, 2),
  'three times a day': calendar('day', 1, 3),
  'four times daily': calendar('day', 1, 4),
  'every other day': calendar('day', 2),
  weekly: calendar('week'),
  'every week': calendar('week'),
  'every other week': calendar('week', 2),
  fortnightly: calendar('week', 2),
  biweekly: calendar('week', 2),
  monthly: calendar('month'),
  yearly: calendar('year'),
  annually: calendar('year'),
  hourly: hours(1),
  'every hour': hours(1),
  'as needed': { kind: 'as_needed' },
};
/** Phrases around a number. */
const NUMBERED: readonly Meaning[] = [
  { before: 'every', after: 'hours', most: 8_784, means: hours },
  { before: 'every', after: 'days', most: 3_660, means: (number) => calendar('day', number) },
  { before: 'every', after: 'weeks', most: 520, means: (number) => calendar('week', number) },
  { before: 'every', after: 'months', most: 120, means: (number) => calendar('month', number) },
  { before: '', after: 'times a day', most: 24, means: (number) => calendar('day', 1, number) },
  { before: '', after: 'times per day', most: 24, means: (number) => calendar('day', 1, number) },
  { before: '', after: 'times daily', most: 24, means: (number) => calendar('day', 1, number) },
];
const SINGULAR: Readonly<Record<string, string>> = {
  hour: 'hours',
  day: 'days',
  week: 'weeks',
  month: 'months',
};

const letters = (text: string) => text.replace(/[^a-z]/gi, '').toLowerCase();

/**
 * An independent reading: it looks at the text as it stands, letter by letter, and drops nothing.
 * Undefined for what has no single meaning.
 */
function readingOf(text: string): Frequency | undefined {
  if (/[^A-Za-z0-9 _-]/.test(text)) return undefined;
  const numbers = text.match(/[0-9]+/g) ?? [];
  if (numbers.length === 0) {
    const [, frequency] =
      Object.entries(NAMED).find(([phrase]) => letters(phrase) === letters(text)) ?? [];
    return frequency;
  }
  if (numbers.length > 1) return undefined;
  const [before = '', after = ''] = text.split(numbers[0] as string);
  // One hyphen joins a word and a number; anything else with a hyphen beside a number is a minus,
  // or one end of a range.
  const joins = (between: string) => /^(?:[ _]*|-)$/.test(between);
  const [leading = ''] = /[^a-z]*$/i.exec(before) ?? [];
  const [trailing = ''] = /^[^a-z]*/i.exec(after) ?? [];
  if (!joins(leading) || !joins(trailing) || (leading === '-' && before === '-')) return undefined;
  const number = Number(numbers[0]);
  const meaning = NUMBERED.find((one) => {
    const behind = [
      letters(one.after),
      ...(number >= 1 ? Object.keys(SINGULAR).filter((s) => SINGULAR[s] === one.after) : []),
    ];
    const times = one.after.startsWith('times')
      ? [letters(one.after).replace('times', 'time')]
      : [];
    return letters(before) === one.before && [...behind, ...times].includes(letters(after));
  });
  return meaning && number >= 1 && number <= meaning.most ? meaning.means(number) : undefined;
}

const UNRECOGNIZED: Frequency = { kind: 'unrecognized' };
const joints = fc.constantFrom(' ', '_', '-', '  ', '');
const cased = (text: string) =>
  fc.constantFrom(
    text,
    text.toUpperCase(),
    text.replace(/^[a-z]/, (first) => first.toUpperCase()),
  );

/** A phrase that must be understood, with what it means. */
const phrase: fc.Arbitrary<{ text: string; means: Frequency }> = fc.oneof(
  fc
    .tuple(fc.constantFrom(...Object.entries(NAMED)), joints)
    .chain(([[text, means], joint]) =>
      cased(text.replaceAll(' ', joint)).map((shown) => ({ text: shown, means })),
    ),
  fc
    .tuple(fc.constantFrom(...NUMBERED), fc.nat(), joints)
    .map(([one, drawn, joint]) => ({ ...one, number: 1 + (drawn % one.most), joint }))
    .chain(({ before, after, means, number, joint }) =>
      cased([before, String(number), after.replaceAll(' ', joint)].filter(Boolean).join(joint)).map(
        (text) => ({
          text,
          means: means(number),
        }),
      ),
    ),
);

const inserted = fc.constantFrom(
  ...[
    '0',
    '1',
    '2',
    '9',
    '12',
    ' ',
    '_',
    '-',
    '--',
    '/',
    ',',
    '.',
    '+',
    '–',
    '—',
    '−',
    '\u2011',
    '\u00ad',
    '\u200b',
    '\ufeff',
  ],
  ...[
    '\u00a0',
    '\u202f',
    '²',
    '½',
    '٢',
    '２',
    '\n',
    'to',
    'or',
    'not ',
    'never ',
    'about ',
    'max ',
    'x',
    'a',
    's',
    'every ',
    'daily',
  ],
  ...[
    ' 2 ',
    '1-',
    '-2',
    ' or 2 ',
    ' to 3 ',
    '~',
    '<',
    ' until Friday',
    ' except Sunday',
    ' for 5 days',
    ' if needed',
    'un',
    'no ',
  ],
);

describe('A phrase', () => {
  it('of the grammar is understood as it is meant, however its words are joined', () => {
    fc.assert(
      fc.property(phrase, ({ text, means }) =>
        expect(parseFrequency(text), text).toStrictEqual(means),
      ),
      { numRuns: 2_000 },
    );
  });

  it('into which anything is inserted has the meaning that an independent reading gives, or none: never another', () => {
    const edits = fc.array(fc.tuple(fc.nat(), inserted), { minLength: 1, maxLength: 3 });
    let understood = 0;
    fc.assert(
      fc.property(phrase, edits, ({ text }, made) => {
        const changed = made.reduce((before, [where, what]) => {
          const place = where % (before.length + 1);
          return before.slice(0, place) + what + before.slice(place);
        }, text);
        const meant = parseFrequency(changed);
        if (meant.kind === 'unrecognized') return;
        understood++;
        // Digits, spaces and hyphens of other scripts are those of ours where they are understood;
        // around a text they do not count.
        const plain = changed
          .trim()
          .replace(/٢|２/g, '2')
          .replace(/\u00a0|\u202f/g, ' ')
          .replace(/\u2011/g, '-');
        expect(meant, JSON.stringify(changed)).toStrictEqual(readingOf(plain) ?? UNRECOGNIZED);
      }),
      { numRuns: 30_000 },
    );
    expect(understood, `${understood} of them say something`).toBeGreaterThan(1_000);
  });

  it('that leaves a choice, a condition or a doubt is not understood', () => {
    for (const text of [
      ...[
        '2-3 times a day',
        '2 - 3 times a day',
        '2–3 times a day',
        '2—3 times a day',
        '2−3 times a day',
        '2‑3 times a day',
      ],
      ...[
        '2_3_times_a_day',
        '2 3 times a day',
        '2/3 times a day',
        '2,3 times a day',
        '2.3 times a day',
        '2~3 times a day',
      ],
      ...[
        '1 or 2 times a day',
        '1 to 2 times a day',
        '1to2timesaday',
        'two to three times a day',
        'one or two times daily',
      ],
      ...[
        'every 4-6 hours',
        'every 4–6 hours',
        'every 4 to 6 hours',
        'every 4 6 hours',
        'every_4_6_hours',
        'every-4-6-hours',
      ],
      ...[
        'every_1_2_hours',
        'every 1/2 hours',
        'every 1.5 hours',
        'every 1,5 hours',
        'every ½ hour',
        'every 1½ hours',
      ],
      ...[
        '12 24 hours',
        'every 12 24 hours',
        'every 1 2 hours',
        'every 1\t2 hours',
        'every 1\n2 hours',
        'every 1\u00a02 hours',
      ],
      ...[
        'every 1\u200b2 hours',
        'every 1\ufeff2 hours',
        'every 1\u00ad2 hours',
        'every 1\u20602 hours',
        'every 1\u30002 hours',
      ],
      ...[
        'every 2² hours',
        'every ² hours',
        'every ② hours',
        'every 1٢ hours',
        'every Ⅷ hours',
        'every 8̶ hours',
      ],
      ...[
        '1-2x',
        '1-2x daily',
        '2x',
        '1x2 daily',
        'x2',
        '2daily',
        'daily2',
        'daily 2',
        '2 daily',
        'daily-2',
      ],
      ...[
        'about every 6 hours',
        'roughly daily',
        '~daily',
        'every 6 hours or so',
        'ca. every 6 hours',
        'every few hours',
      ],
      ...[
        'up to 4 times a day',
        'at least 2 times a day',
        'max 3',
        'max 3 times a day',
        '< 3 times a day',
        '3+ times a day',
      ],
      ...[
        'not daily',
        'never daily',
        "don't",
        'do not take daily',
        'no longer daily',
        'stop',
        'none',
        'not as needed',
      ],
      ...[
        'as directed',
        'if needed every 4 hours',
        'every 4 hours as needed',
        'daily if needed',
        'daily?',
        'maybe daily',
      ],
      ...[
        'daily except Sunday',
        'every day until Friday',
        'daily for 5 days',
        'every other week on monday',
        'daily, then weekly',
      ],
      ...[
        'daily or weekly',
        'daily/weekly',
        'daily weekly',
        'twice',
        'three times',
        '3 times',
        '3',
        'every',
        'every 8',
        'hours',
      ],
      ...[
        'every -8 hours',
        'every +8 hours',
        'every --8 hours',
        'every - 8 hours',
        '-3 times a day',
        'every 8- hours',
        'every 8 - hours',
      ],
      ...[
        'every 0 hours',
        'every 00 hours',
        'every_0_days',
        '0 times a day',
        'every 99999999999999999999 hours',
        '25 times a day',
      ],
      ...[
        'every 1e1 hours',
        'every 0x8 hours',
        'every 8_000 hours',
        'every 1 000 hours',
        'every 8,0 hours',
        'every Infinity hours',
      ],
      ...[
        'every day at 8',
        'every 8 hours daily',
        '2 every 8 hours',
        '2 tablets every 8 hours',
        '2 tablets 3 times a day',
      ],
      ...[
        'every 2 other days',
        'every other 2 days',
        'other day',
        'bimonthly',
        'semiweekly',
        'daiıy',
        'wee\u212aly',
        'ｄaily',
      ],
    ])
      expect(parseFrequency(text).kind, JSON.stringify(text)).toBe('unrecognized');
  });

  it('has its number in the digits of any one script', () => {
    for (const digits of ['12', '١٢', '۱۲', '१२', '１２', '১২'])
      expect(parseFrequency(`every ${digits} hours`), digits).toStrictEqual(hours(12));
    expect(parseFrequency('every 08 hours')).toStrictEqual(hours(8));
  });
});

/* Rules of RFC 5545. */

const ruleParts = fc.record({
  freq: fc.constantFrom('DAILY', 'WEEKLY', 'MONTHLY', 'HOURLY'),
  interval: fc.option(fc.integer({ min: 1, max: 60 })),
  count: fc.option(fc.integer({ min: 1, max: 99 })),
  days: fc.option(fc.constantFrom('MO', 'TU,FR', 'SA,SU,MO')),
});
const ruleText = ruleParts.map(
  ({ freq, interval, count, days }) =>
    `FREQ=${freq}${interval ? `;INTERVAL=${interval}` : ''}${days && freq === 'WEEKLY' ? `;BYDAY=${days}` : ''}${count ? `;COUNT=${count}` : ''}`,
);
const ruleInsert = fc.constantFrom(
  ...[
    '0',
    '1',
    '2',
    ' ',
    '\t',
    '\n',
    ';',
    ',',
    '=',
    '-',
    '+',
    '.',
    'x',
    '٢',
    '２',
    '\u200b',
    '\u00a0',
    'ı',
    'ſ',
    ';X=1',
  ],
  ...[
    ';EXDATE=20260101',
    '\nEXDATE:20260101',
    ';DTSTART=20260101',
    'RRULE:',
    ';COUNT=2',
    ';INTERVAL=2',
    ';RSCALE=GREGORIAN',
  ],
);

/**
 * The parts of a rule, read to the letter of the grammar of RFC 5545 3.3.10. Undefined for a text
 * that it does not allow.
 */
function rulePartsOf(text: string): string[] | undefined {
  const [, rule = ''] = /^(?:RRULE:)?([A-Z0-9=;,]+)$/i.exec(text) ?? [];
  const parts = rule.toUpperCase().split(';').filter(Boolean);
  const names = parts.map((part) => part.split('=')[0]);
  const known =
    /^(FREQ=(DAILY|WEEKLY|MONTHLY|HOURLY)|INTERVAL=\d+|COUNT=\d+|BYDAY=((MO|TU|WE|TH|FR|SA|SU)(,|$))+)$/;
  if (
    !names.includes('FREQ') ||
    new Set(names).size < names.length ||
    !parts.every((part) => known.test(part))
  )
    return undefined;
  return parts.map((part) => part.replace(/=0+(?=\d)/, '='));
}

describe('A rule', () => {
  it('into which anything is inserted is what its grammar says, or is not understood', () => {
    let understood = 0;
    fc.assert(
      fc.property(
        ruleText,
        fc.array(fc.tuple(fc.nat(), ruleInsert), { minLength: 1, maxLength: 2 }),
        (text, made) => {
          const changed = made.reduce((before, [where, what]) => {
            const place = where % (before.length + 1);
            return before.slice(0, place) + what + before.slice(place);
          }, text);
          const meant = parseFrequency(changed);
          if (meant.kind === 'unrecognized') return;
          understood++;
          const parts = rulePartsOf(changed.trim());
          if (!parts) throw new Error(`${JSON.stringify(changed)} has no parts`);
          expect(meant, JSON.stringify(changed)).toStrictEqual(parseFrequency(parts.join(';')));
          const count = parts.find((part) => part.startsWith('COUNT='))?.slice(6);
          expect('count' in meant ? meant.count : undefined).toBe(
            count === undefined ? undefined : Number(count),
          );
          const interval = Number(
            parts.find((part) => part.startsWith('INTERVAL='))?.slice(9) ?? 1,
          );
          if (meant.kind === 'elapsed') expect(meant.hours).toBe(interval);
          else if (meant.kind === 'rule')
            expect(Number(/INTERVAL=(\d+)/.exec(meant.text)?.[1] ?? 1)).toBe(interval);
        },
      ),
      { numRuns: 20_000 },
    );
    expect(understood, `${understood} of them say something`).toBeGreaterThan(100);
  });

  it('with parts that RFC 5545 does not know, or that would be passed over, is not understood', () => {
    for (const text of [
      ...[
        'FREQ=DAILY; INTERVAL=2',
        'FREQ= DAILY',
        'FREQ=DAILY;INTERVAL=2 ;COUNT=3',
        'FREQ=DAILY;INTERVAL=1 2',
        'FREQ DAILY',
      ],
      ...[
        'FREQ=DAILY;INTERVAL=+2',
        'FREQ=DAILY;INTERVAL=-2',
        'FREQ=DAILY;INTERVAL=0',
        'FREQ=DAILY;COUNT=0',
        'FREQ=DAILY;COUNT=+3',
      ],
      ...[
        'FREQ=DAILY;BYHOUR=+8',
        'FREQ=DAILY;BYHOUR=-8',
        'FREQ=DAILY;BYHOUR=24',
        'FREQ=DAILY;BYHOUR=8.5',
        'FREQ=DAILY;BYHOUR=8,,9',
      ],
      ...[
        'FREQ=DAILY;BYMINUTE=60',
        'FREQ=DAILY;BYHOUR=',
        'FREQ=DAILY;COUNT=',
        'FREQ=DAILY;INTERVAL',
        'FREQ=DAILY;UNTIL=',
      ],
      ...[
        'FREQ=MONTHLY;BYDAY=0MO',
        'FREQ=MONTHLY;BYDAY=+0MO',
        'FREQ=MONTHLY;BYDAY=6MO',
        'FREQ=MONTHLY;BYDAY=99MO',
        'FREQ=YEARLY;BYDAY=53MO',
        'FREQ=YEARLY;BYDAY=-53TH',
      ],
      ...[
        'FREQ=DAILY;COUNT=3;UNTIL=20270101',
        'FREQ=DAILY;RSCALE=GREGORIAN',
        'FREQ=DAILY;SKIP=OMIT',
        'FREQ=DAILY;X-NAME=1',
      ],
      ...[
        'DTSTART:20260101T080000\nRRULE:FREQ=DAILY',
        'FREQ=DAILY;DTSTART=20260101',
        'FREQ=DAILY;EXDATE=20260101',
        'EXRULE:FREQ=DAILY',
      ],
      ...[
        'RRULE:RRULE:FREQ=DAILY',
        'RRULE=FREQ=DAILY',
        'FREQ=DAILY\nFREQ=WEEKLY',
        'FREQ=DAILY,WEEKLY',
        'FREQ=SECONDLY',
        'FREQ=MINUTELY',
      ],
      ...[
        'FREQ=DAıLY',
        'FREQ=DAILY;BYDAY=ſA',
        'FREQ=DAILY;INTERVAL=٢',
        'FREQ=DAILY;INTERVAL=２',
        'not FREQ=DAILY',
        'FREQ=DAILY or weekly',
      ],
      ...[
        'FREQ=DAILY;UNTIL=2027-01-01',
        'FREQ=DAILY;UNTIL=20270101T0800',
        'FREQ=DAILY;UNTIL=20270101T240000',
        'FREQ=DAILY;UNTIL=270101',
      ],
      ...[
        'FREQ=WEEKLY;WKST=XX',
        'FREQ=WEEKLY;WKST=MO,TU',
        'FREQ=WEEKLY;BYDAY=MO TU',
        'FREQ=WEEKLY;BYDAY=MO;TU',
        'FREQ=WEEKLY;BYDAY=',
      ],
    ])
      expect(parseFrequency(text).kind, JSON.stringify(text)).toBe('unrecognized');
  });
});
