// node scripts/phrases.mjs FILE: puts published phrases of prescriptions to the reader and compares
// what it understands with what the file says of each. None may be understood as something else, and
// LEAST of those that were refused once have to be understood. A statement of the file that is not
// among STATEMENTS fails.
import { readFileSync } from 'node:fs';
import { fail, prepare } from './prepare.mjs';

const LEAST = 0.95;

const [file] = process.argv.slice(2);
if (!file) fail('usage: node scripts/phrases.mjs FILE');
await prepare();
const { meaningsOf } = await import('../dist/domains/reminders/schedule/words/read.js');

const WEEK = [1, 2, 3, 4, 5, 6, 7];
const isDaily = ({ kind, unit, every }) => kind === 'calendar' && unit === 'day' && every === 1;
const isTimes = (meaning, count) => isDaily(meaning) && meaning.timesADay === count;
const isOnes = ({ amount }) => amount?.value === '1';
const isCycle = ({ cycle }, on, rest) =>
  cycle?.on === on && Object.entries(rest).every(([key, value]) => cycle[key] === value);
/** The times of a day, without how much is taken at each. */
const places = ({ at = [] }) => at.map(({ clock, anchor }) => clock ?? anchor).join();
const amountsOf = ({ amount, at = [] }) => [amount?.value, ...at.map((one) => one.amount)];
/** The numbers of a phrase as exact decimals. */
const numbersOf = (phrase) =>
  (phrase.match(/\d+[.,]\d+/g) ?? []).map((number) => number.replace(',', '.'));

/** What the file says of phrases, and whether a meaning is that. */
const STATEMENTS = [
  [
    /^amount exactly as written/,
    (meaning, { phrase, readToday: { frequency } }) =>
      ['kind', 'unit', 'every', 'timesADay'].every((key) => meaning[key] === frequency[key]) &&
      places(meaning) === places(frequency) &&
      numbersOf(phrase).every((number) => amountsOf(meaning).includes(number)),
  ],
  [
    /^the thousands, or a doubt/,
    ({ amount }, { phrase }) => amount.value === /[\d,]+/.exec(phrase)[0].replace(',', ''),
  ],
  [/^(\d) times a day, one each time$/, (meaning, _, n) => isTimes(meaning, n) && isOnes(meaning)],
  [
    /^(\d) times a day, one each time, as long/,
    (meaning, { phrase }, n) =>
      isTimes(meaning, n) &&
      isOnes(meaning) &&
      meaning.bounds?.unit === 'day' &&
      meaning.bounds.count === Number(/(\d+) days/.exec(phrase)[1]),
  ],
  [
    /^(\d) times a day, one each time, Monday to Friday/,
    (meaning, _, n) =>
      meaning.weekdays?.join() === '1,2,3,4,5' && meaning.timesADay === n && isOnes(meaning),
  ],
  [
    /^as needed, at most (\d) a day/,
    ({ kind, maxPerDay }, _, n) => kind === 'as_needed' && maxPerDay === n,
  ],
  [
    /^(\d+) (?:daily )?(?:in the (morning)|at (bedtime|night))/,
    (meaning, _, n, morning, other) =>
      isTimes(meaning, 1) &&
      places(meaning) === (morning ?? other) &&
      meaning.amount?.value === `${n}`,
  ],
  [/^daily for (\d) days, again each month/, (meaning, _, n) => isCycle(meaning, n, { months: 1 })],
  [
    /^daily for (\d) days, again every 4 weeks/,
    (meaning, _, n) => isCycle(meaning, n, { off: 28 - n }),
  ],
  [/^(?:doubt: |no meaning$)/, () => false],
  // Families: daily beside what changes nothing of it, or at a time of the day.
  [
    /^daily; one/,
    (meaning, { phrase }) =>
      isTimes(meaning, /three times/.test(phrase) ? 3 : 1) && amountsOf(meaning)[0] !== undefined,
  ],
  [/^twice a day$/, (meaning) => isTimes(meaning, 2)],
  [
    /^every 12 \/ 8 \/ 6 \/ 4 hours/,
    ({ kind, minutes }, { phrase }) =>
      kind === 'interval' && minutes === 60 * Number(/(?:q|every )(\d+)/.exec(phrase)[1]),
  ],
  [/^three times a day$/, (meaning) => isTimes(meaning, 3)],
  [
    /^before the three meals and at bedtime/,
    (meaning) => isTimes(meaning, 4) && places(meaning) === 'breakfast,lunch,dinner,bedtime',
  ],
  [
    /^at bedtime \/ at night \/ in the morning, daily/,
    (meaning, { phrase }) =>
      isDaily(meaning) &&
      (phrase.includes('10pm')
        ? places(meaning) === '22:00'
        : /^(?:(?:morning|evening|night|bedtime),?)+$/.test(places(meaning))),
  ],
  [
    /^as needed, with what the phrase says as limit/,
    ({ kind, maxPerDay, leastMinutes }, { phrase }) =>
      kind === 'as_needed' &&
      leastMinutes === (Number(/(?:q|every )(\d)/.exec(phrase)?.[1]) * 60 || undefined) &&
      maxPerDay ===
        (Number(/(?:mdd|max) (\d)/.exec(phrase)?.[1]) || (/tres/.test(phrase) ? 3 : undefined)),
  ],
  [
    /^every other day \/ night/,
    ({ unit, every, timesADay }) => unit === 'day' && every === 2 && timesADay === 1,
  ],
  [
    /^every N weeks or months/,
    ({ unit, every }, { phrase }) => phrase.startsWith(`${every}`) && phrase.includes(unit),
  ],
  [
    /^once a week, 4 of 2.5 mg/,
    ({ unit, every, timesADay, unsaidDays, amount }) =>
      unit === 'week' &&
      every * timesADay === 1 &&
      !unsaidDays &&
      amount?.value === '4' &&
      amount.each?.value === '2.5',
  ],
  [
    /^weekly or on the days named/,
    ({ unit, every, weekdays }, { phrase }) =>
      unit === 'week' &&
      every === (phrase === 'eow' ? 2 : 1) &&
      (weekdays ?? []).join() === named(phrase).join(),
  ],
  [/^cycle: 21 days with, 7 without/, (meaning) => isCycle(meaning, 21, { off: 7 })],
  [
    /^a course whose length stands without/,
    ({ bounds }, { phrase }) => bounds?.count === Number(/(\d+) ?days/.exec(phrase)[1]),
  ],
];

/** The weekdays of a phrase, 1 Monday to 7 Sunday. */
function named(phrase) {
  if (/except/.test(phrase)) return WEEK.filter((day) => !NAMES[day - 1].test(phrase));
  return WEEK.filter((day) => NAMES[day - 1].test(phrase));
}
const NAMES = [/Mo/, /Tu|Dienstag/, /We/, /Th|Donnerstag/, /Fr/, /Sa(?!M)/, /Su/];

/** Returns whether a phrase is understood as the file says, refused, or something else. */
function outcomeOf(published) {
  const [, is, found] =
    STATEMENTS.map(([pattern, is]) => [pattern, is, pattern.exec(published.right)]).find(
      ([, , found]) => found,
    ) ?? [];
  if (!is) return 'unknown statement';
  const meanings = meaningsOf(published.phrase);
  if (meanings.length !== 1) return 'refused';
  const [number, ...others] = found.slice(1);
  return is(meanings[0], published, Number(number), ...others) ? 'understood' : 'wrong';
}

const all = JSON.parse(readFileSync(file, 'utf8')).phrases.map((one) => ({
  ...one,
  outcome: outcomeOf(one),
}));
const wrong = all.filter(({ outcome }) => outcome !== 'understood' && outcome !== 'refused');
const once = all.filter(({ kind }) => kind === 'REFUSED');
const refused = once.filter(({ outcome }) => outcome === 'refused');
for (const { phrase, right, outcome } of [...wrong, ...refused])
  process.stdout.write(`${outcome}: ${phrase} (${right})\n`);
const part = (once.length - refused.length) / once.length;
process.stdout.write(
  `${all.length} phrases, ${wrong.length} wrong; of ${once.length} refused once ` +
    `${once.length - refused.length} understood\n`,
);
const failed = wrong.length === 0 && part >= LEAST ? 0 : 1;
process.stdout.write(`${1 - failed} passed, ${failed} failed\n`);
process.exit(failed);
