import { amount, form, verb } from './amount.rules.js';
import { inAll } from './in-all.rules.js';
import { aDay, latin, limit } from './limit.rules.js';
import { complaint, MEASURED, notes, withNotes } from './note.rules.js';
import { bareDecimal, bareDecimals, decimal, decimals, hourUnit, whole } from './number.rules.js';
import {
  again,
  alt,
  apart,
  as,
  fraction,
  ifAny,
  isBefore,
  isBehind,
  mark,
  more,
  once,
  opt,
  type Parse,
  seq,
  term,
  unless,
} from './parse.js';
import { isBriefHours, MOST_TIMES, per, perDay, periodic, TOGETHER } from './period.rules.js';
import type { Amount, PhrasePart } from './said.js';
import { holding } from './spoons.js';

const percent = term('form', ({ name }) => name === '%');
const mass = term('form', ({ name }) => MEASURED.has(name));
const TIMES = Array.from({ length: MOST_TIMES + 1 }, (_, count) => `${count}`);

/** Most drops that may come one by one: 20 drops a day are taken together. */
const MOST_DROPS = 12;

/** What is counted. One 5 ml ml has its unit twice. */
const pieceIfAny = unless(ifAny(term('form', ({ name }) => !MEASURED.has(name))), mass);

/** How many of a strength: 2 x, two of. A number in digits alone may stand there twice: 20 20 mg. */
const manyOf: Parse<string> = alt(
  as(seq(decimal, mark('times', 'of')), ([count]) => [count]),
  // Two a half ml has lost its and.
  unless(
    as(
      term('number', ({ spelt }) => spelt === true),
      ({ value }) => [value],
    ),
    alt(
      mark('half', 'per'),
      term('number', ({ spelt }) => spelt === true),
      fraction,
    ),
  ),
);
/** 25 mcg/hour, 4.6 mg/24 h, before a patch: what one gives off. */
const patchRate: Parse<Amount> = as(
  seq(
    decimal,
    mass,
    mark('slash', 'per'),
    opt(whole),
    hourUnit,
    term('form', ({ name }) => name === 'patch'),
  ),
  ([value, { name }, , hours]) => [{ value, unit: `${name}/${hours ? `${hours} ` : ''}h` }],
);
/** 2 x 500 mg, two 500 mg, 2 500 mg tablets: the second number is the strength of one. */
const ofStrength: Parse<PhrasePart> = alt(
  as(seq(verb, manyOf, decimal, mass, pieceIfAny), ([, count, each, { name }, piece]) => [
    ofEach(count, { value: each, unit: name }, piece?.name),
  ]),
  as(
    seq(verb, decimal, decimal, mass, pieceIfAny),
    ([, count, each, { name }, piece]): PhrasePart[] => {
      if (count === each) return [{ doubled: true }];
      // 2 500 mg is beside 2500 mg. 10 20 mg is a slip.
      const isGrouped = /^\d{1,3}$/.test(count) && /^\d{3}$/.test(each);
      return piece || isGrouped ? [ofEach(count, { value: each, unit: name }, piece?.name)] : [];
    },
  ),
  as(seq(verb, decimals, decimal, mass, form), ([, { low, high }, each, { name }, piece]) => [
    holding({ value: low, upTo: high, unit: piece.name }, { value: each, unit: name }),
  ]),
  as(seq(verb, alt(manyOf, bareDecimal), patchRate), ([, value, strength]) => [
    { amount: { value, unit: 'patch' }, strength },
  ]),
  as(seq(amount, mark('of'), decimal, mass), ([some, , each, { name }]) => [
    holding(some, { value: each, unit: name }),
  ]),
);
/** So many of a strength: counted by their form, where it is said. */
function ofEach(
  value: string,
  strength: { value: string; unit: string },
  form?: string,
): PhrasePart {
  return form ? holding({ value, unit: form }, strength) : { amount: { value, each: strength } };
}
/** 3 x 200 mg a day: three at once, beside three times. */
const ofStrengthDaily: Parse<PhrasePart> = as(seq(ofStrength, per), ([said, unit]) => [
  { ...said, every: { unit, count: 1 } },
]);
/** What is dissolved, or spread. */
const VOLUMES = new Set(['ml', 'l', 'g']);
/** 250 mg/5 ml, 1 %: never how much is taken. */
const concentration: Parse<PhrasePart> = alt(
  as(patchRate, (strength) => [{ strength }]),
  as(
    seq(decimal, mass, mark('slash'), opt(decimal), mass, alt(opt(form), mark('close'))),
    ([one, { name }, , other, { name: volume }, piece]) =>
      // 5 mg/10 mg may be an or.
      VOLUMES.has(volume) || piece !== undefined
        ? [{ strength: { value: one, unit: `${name}/${other ? `${other} ` : ''}${volume}` } }]
        : [],
  ),
  as(seq(decimal, percent), ([one]) => [{ strength: { value: one, unit: '%' } }]),
);

/** Of so many a day or a week a number before it may be an amount. */
function isCountable([said]: readonly PhrasePart[]): boolean {
  const { unit, count } = said?.every ?? {};
  return unit === 'day' || (count === 1 && unit === 'week');
}
const isNoon = ({ clock, exact }: { clock: string; exact?: true }) => clock === '12:00' && !exact;
/** What makes a number before it a part of something else. */
export const belongs = once(
  alt(
    form,
    mark('open', 'times', 'hourly', 'by', 'doses', 'until'),
    seq(mark('for'), decimal),
    unless(decimal, mark('times', 'unit')),
    term('unit'),
    // 2 nights are nights, 2 night is two of it.
    mark('dayParts'),
    // 6 at noon is so many.
    term('clock', (one) => !isNoon(one)),
    seq(mark('per', 'of'), form),
    seq(mark('per'), hourUnit),
    seq(mark('dash', 'to', 'or'), decimal),
    // 3 monthly is every 3 months, 2 biweekly nobody knows what.
    as(seq(opt(mark('dash')), periodic), ([, { said }]) => (isCountable(said) ? [] : [null])),
  ),
);
/** A larger number alone is no amount: 90 daily. */
export const few = (value: string) => /^(?:\d|1[0-2])(?:\.\d+)?$/.test(value);
const anHourBefore = seq(mark('per'), hourUnit, term('relation'));
const count: Parse<Amount> = once(
  alt(
    // One an hour before bed.
    as(seq(whole, isBefore(anHourBefore)), ([one, isBeforeIt]) =>
      isBeforeIt && few(`${one}`) ? [{ value: `${one}` }] : [],
    ),
    unless(
      alt(
        as(bareDecimal, (one): Amount[] => (few(one) ? [{ value: one }] : [])),
        // 1-2 daily, 2-3 each day: so many at once, or so many times.
        as(
          unless(bareDecimals, seq(opt(mark('dash')), alt(periodic, per))),
          ({ low, high }): Amount[] => [{ value: low, upTo: high }],
        ),
      ),
      belongs,
    ),
  ),
);
/** A larger number alone, beside others of the same unit. */
export const larger: Parse<Amount> = once(
  as(seq(apart, unless(bareDecimal, belongs), apart), ([, one]) =>
    few(one) ? [] : [{ value: one }],
  ),
);
/** A number without its unit, and parted from the words beside it: 2, 1 to 2. */
export const number: Parse<Amount> = once(
  as(seq(apart, count, isBefore(term('clock', isNoon)), apart), ([, one, noon]) =>
    // 12 noon.
    noon && one.value === '12' ? [] : [one],
  ),
);
/** 1 tablet a day x 10: of a length that has lost its unit, and no times. */
const lengthLost = seq(
  mark('times'),
  unless(whole, alt(perDay, term('unit'), mark('dash', 'further', 'doses', 'inAll', 'nights'))),
);
/** 2 a day, 2 tablets a day: two at once, or one twice. 20 mg a day is one dose. */
const daily: Parse<PhrasePart> = as(
  seq(
    isBehind('times', 'count'),
    alt(
      amount,
      as(seq(verb, number), ([, one]) => [one]),
    ),
    notes,
    unless(per, lengthLost),
  ),
  ([isCounted, some, within, one]) => {
    const said = withNotes(
      {
        amount: some,
        every: { unit: one, count: 1 },
        // 3 x 200 mg a day, twice 200 mg a day: 200 mg each time.
        ...(!isCounted && { amountPer: one }),
      },
      within,
    );
    if (MEASURED.has(some.unit ?? '')) return [said];
    // 2 to 3 a day are times, and nobody says how many.
    if (some.upTo) return [];
    const count = TIMES.indexOf(some.value);
    if (count < 2 || (count > MOST_DROPS && some.unit === 'drop')) return [said];
    const each = some.unit && { amount: { ...some, value: '1' } };
    return [said, withNotes({ ...each, count, per: one }, within)];
  },
);

/** 1 comprimido/8 h: one every 8 hours, in Spanish. */
const eachHours: Parse<PhrasePart> = as(
  // 4.6 mg/24 h patch: what a patch gives off.
  unless(
    seq(amount, mark('eachHours'), whole, hourUnit),
    term('form', ({ name }) => name === 'patch'),
  ),
  ([some, , hours]) => (isBriefHours(hours) ? [{ amount: some, interval: 60 * hours }] : []),
);

/** Two numbers side by side may be one, or a range: 2 3 times. */
const digits = term('number', ({ spelt }) => !spelt);
const unaided = unless(number, alt(mark('comma'), digits, again, unless(decimal, mark('times'))));
/** A number alone before how often, or behind the Latin for it: 1 bd, take 2 at night, bd 1. */
const bare: Parse<PhrasePart> = alt(
  as(seq(mark('take', 'each'), opt(mark('each')), unaided), (all): PhrasePart[] => [
    { amount: all[2] },
  ]),
  as(seq(verb, count, latin), ([, some, { said }]) =>
    said.map((one): PhrasePart => ({ ...one, amount: some })),
  ),
  as(
    seq(latin, unless(bareDecimal, alt(belongs, mark('slash', 'comma'), term('unit')))),
    ([{ said }, one]) => said.map((some): PhrasePart => ({ ...some, amount: { value: one } })),
  ),
  // 3 x 1 daily.
  as(seq(whole, mark('x'), decimal, aDay), ([count, , one]): PhrasePart[] =>
    one === '1' && count > 1 && count <= MOST_TIMES
      ? [{ amount: { value: one }, count, per: 'day' }]
      : [],
  ),
  // 1x3: one, three times a day. Of two larger numbers each may be either.
  as(
    seq(
      decimal,
      mark('x'),
      unless(decimal, alt(form, term('unit'), mark('doses', 'slash', 'times'), periodic, per)),
    ),
    ([one, , two]) => {
      const each = (value: string, count: string): PhrasePart[] =>
        TIMES.indexOf(count) > 0
          ? [{ amount: { value }, count: TIMES.indexOf(count), per: 'day' }]
          : [];
      if (one === '1' || two === '1') return each('1', one === '1' ? two : one);
      return [...each(one, two), ...each(two, one)];
    },
  ),
);

/** Abends 1: a number alone behind a part of the day. */
const behindPart: Parse<PhrasePart> = as(
  seq(
    opt(alt(mark('lead', 'at'), seq(mark('at'), mark('lead')))),
    term('part'),
    opt(mark('comma', 'dash')),
    unless(number, more),
  ),
  ([, { anchor, relation = 'with' }, , some]) => [{ at: [{ anchor, relation }], amount: some }],
);
/** 2x1 Tbl., 3 x 20 Tropfen: twice one, three times twenty. 1x3 Tbl. may also be 3 times one. */
const timesOne: Parse<PhrasePart> = as(
  seq(whole, mark('x'), decimal, form),
  ([count, , one, { name }]): PhrasePart[] => {
    const times = TIMES.indexOf(one);
    const turned = count === 1 && !MEASURED.has(name) && times > 1;
    const isOne = (one === '1' || TOGETHER.has(name)) && count <= MOST_TIMES;
    return [
      ...(isOne ? [{ count, bySign: true as const, amount: { value: one, unit: name } }] : []),
      ...(turned
        ? [{ count: times, per: 'day' as const, amount: { value: '1', unit: name } }]
        : []),
    ];
  },
);
/** قرص 1×3: of what Arabic says by the word alone, one three times a day. */
const oneTimes: Parse<PhrasePart> = as(
  seq(
    term('form', ({ one }) => one === true),
    decimal,
    mark('x'),
    unless(whole, alt(form, term('unit'), mark('x', 'times', 'slash'))),
  ),
  ([{ name }, one, , count]): PhrasePart[] =>
    one === '1' && count <= MOST_TIMES
      ? [{ amount: { value: one, unit: name }, count, per: 'day' }]
      : [],
);
/** 1 x tablet daily. */
const oneBySign: Parse<PhrasePart> = as(seq(whole, mark('x'), form), ([count, , { name }]) =>
  count === 1 ? [{ amount: { value: '1', unit: name } }] : [],
);
/** A number alone, which is an amount only before how often: 2 at night. */
export const leading: Parse<PhrasePart> = as(seq(unaided, more), ([some]) => [{ amount: some }]);

/** What and how much, and words that stand for a whole statement. */
export const dose: Parse<PhrasePart> = alt(
  limit,
  as(amount, (some) => [{ amount: some }]),
  daily,
  inAll,
  eachHours,
  ofStrength,
  ofStrengthDaily,
  concentration,
  bare,
  behindPart,
  timesOne,
  oneBySign,
  oneTimes,
  complaint,
  as(term('says'), ({ said }) => said),
);
