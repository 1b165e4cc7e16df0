// Values that a careless or hostile caller sends.
import fc from 'fast-check';

/** Draws one value of an arbitrary. */
export type Draw = fc.GeneratorValue;

/** Draws one of a list. */
export const pick = <T>(draw: Draw, list: readonly T[]): T =>
  list[draw(fc.nat, list.length - 1)] as T;

const LONG = 'a'.repeat(70_000);
const deep = (levels: number): unknown =>
  Array.from({ length: levels }).reduce((inner) => [inner], 1);

/**
 * Texts at the edges of what is read: empty, controls, lone surrogates, dates, phrases, names that
 * objects inherit.
 */
const TEXTS = [
  '',
  ' ',
  '0',
  '-1',
  '1e3',
  '1.5',
  '1,2,,3',
  '99999999999999999999',
  'null',
  'true',
  '\u0000',
  '\ud800',
  '\u202e\u200d',
  '😀'.repeat(200),
  '<script>alert(1)</script>',
  "' OR 1=1 --",
  '%_\\',
  '"a a a a a a a a',
  '-a -b "c d"',
  '[gallery ids="1"][caption',
  '<!-- wp:paragraph --><p>text',
  '2026-11-25',
  '2026-02-30',
  '2026-11-25T00:00:00.000Z',
  '0000-00-00 00:00:00',
  '9999-12-31T23:59:59Z',
  '+275760-09-13T00:00:00Z',
  '-271821-04-20T00:00:00Z',
  'every 4-6 hours',
  'FREQ=SECONDLY;COUNT=99999',
  'FREQ=DAILY;INTERVAL=0',
  'twice a day',
  '30 minutes',
  'P9999999999Y',
  'constructor',
  '__proto__',
  'Etc/GMT+12',
  '00000000-0000-0000-0000-000000000000',
  'someone@example.com',
  'javascript:alert(1)',
  'http://[',
  'ExponentPushToken[x]',
  'publish',
  'any',
  'a'.repeat(300),
  'word '.repeat(40),
];

/** What fits parameters and scalars of a name, or of a word in it. */
const FITTING: readonly (readonly [RegExp, readonly unknown[]])[] = [
  [/email/i, ['someone@example.com', 'member@example.com']],
  [/time_?zone/i, ['Europe/Berlin', 'America/Vancouver', 'UTC']],
  [/clocktime|timeofday/i, ['08:00', '21:30']],
  [
    /frequency/i,
    [
      'daily',
      'twice a day',
      'every 6 hours',
      'FREQ=WEEKLY;BYDAY=MO',
      'as_needed',
      'every 4-6 hours',
    ],
  ],
  [/remind|minutes/i, ['30', '2 hours', '1 day before', 'none']],
  [
    /date|after|before|from|until|^to$|sitetime|gmttime|_at$|At$/i,
    ['2026-11-25', '2026-11-25T08:00:00', '2026-12-01T00:00:00Z'],
  ],
  [/uuid/i, ['00000000-0000-4000-8000-000000000000']],
  [/url|webaddress/i, ['https://example.com/page']],
  [/push_?token/i, ['ExponentPushToken[aBcDeFgHiJkLmNoPqRsTuV]']],
  [/password|secret/i, ['a long enough password']],
  [/user_?name/i, ['member', 'admin']],
  [/user_?id|author|parent|poll|^id$|Id$/, [1, 2, 3, 4, 5]],
  [/language/i, [1, 2]],
  [/pagesize|pagenumber|minutes/i, [1, 2, 30]],
];

/** A value that a parameter or scalar of this name takes; undefined when the name says nothing. */
export function fittingName(draw: Draw, name: string): unknown {
  const fitting = FITTING.find(([pattern]) => pattern.test(name));
  return fitting && pick(draw, fitting[1]);
}

const NUMBERS = [
  -2147483649,
  -1,
  -0,
  0,
  1,
  2,
  3,
  5,
  10,
  25,
  100,
  101,
  2147483647,
  2147483648,
  2 ** 53,
  1e308,
  0.5,
];

/** Any of these, weighted to what gets far: small numbers and words. */
export function hostile(draw: Draw): unknown {
  const kind = draw(fc.nat, 19);
  if (kind < 8) return pick(draw, TEXTS);
  if (kind < 13) return pick(draw, NUMBERS);
  if (kind < 15) return draw(fc.boolean);
  if (kind === 15)
    return pick(draw, [null, [], {}, [[]], { raw: null }, { rendered: 'x' }, deep(60)]);
  if (kind === 16)
    return Array.from({ length: draw(fc.nat, 60) }, () => pick(draw, [...NUMBERS, ...TEXTS]));
  if (kind === 17) return { raw: pick(draw, [...TEXTS, ...NUMBERS]) };
  if (kind === 18 && draw(fc.nat, 9) === 0) return LONG;
  return draw(fc.anything, {});
}
