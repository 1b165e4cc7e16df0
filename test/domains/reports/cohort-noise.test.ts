// Attacks on the noise of cohorts, by what `shown` tells of their cells. An account adds one to its
// cohort in each week: who knows the others knows the number but for the victim.
import { cohortSubject } from '../../../src/domains/reports/catalogue/cohort.subject.js';
import { reminderCohortSubject } from '../../../src/domains/reports/catalogue/reminder-cohort.subject.js';
import type { Subject } from '../../../src/domains/reports/catalogue/subject.js';
import type { StoredCell } from '../../../src/domains/reports/noise.js';
import { shownDistinct } from '../../../src/domains/reports/privacy.js';
import { gridOf } from '../../../src/domains/reports/shown-grid.js';
import { mean, quantile, range, shown, type WholeCell } from './figures.js';
import { draws } from './scenes.js';

const VICTIMS = 3_000;
const draw = draws(32);
const between = (least: number, most: number) => least + Math.floor(draw() * (most - least + 1));
const flip = () => draw() < 0.5;
/** How many accounts cohorts have: as many attacks are made on each. */
const SIZES = [
  [10, 19],
  [20, 40],
  [40, 80],
  [80, 150],
  [150, 400],
] as const;
/** Weeks of a cohort: those of the last two months are not closed. */
const WEEKS = 49;
const OPEN = 40;
const YEAR = range(WEEKS).filter((week) => week % 4 === 0);
const keyOf = (i: number) => {
  const key = Buffer.alloc(32);
  key.writeUInt32BE(i);
  return key;
};

/** A cohort as an attacker knows it: all but the victim, who is in it or not. */
interface Attacked {
  readonly known: number;
  readonly size: number;
  /** Asks for weeks of the cohort when so many accounts have left the service, of which some were in it. */
  readonly ask: (
    weeks: readonly number[],
    left?: number,
    ofIt?: number,
  ) => readonly (WholeCell | undefined)[];
  readonly key: Buffer;
}

function cohortOf(subject: Subject, i: number, secret: boolean): Attacked {
  const [least, most] = SIZES[i % SIZES.length] as (typeof SIZES)[number];
  const known = between(least, most);
  const size = known + Number(secret);
  const [start] = subject.dimensions.filter(({ name }) => /Week$/.test(name));
  const grid = gridOf(subject, `${start?.name} weeksSince`, keyOf(i));
  const others = range(WEEKS).map(() => between(known >> 2, (known * 3) >> 2));
  const ask: Attacked['ask'] = (weeks, left = 0, ofIt = 0) =>
    weeks.map((week) => {
      const month = Math.floor(week / 4.5);
      const [accounts, active] = [size - ofIt, (others[week] ?? 0) + Number(secret) - ofIt];
      const stored: StoredCell = {
        date: `month ${month}`,
        keys: ['2026-01-05', String(week)],
        accounts,
        eligible: accounts,
        among: 2_000 + 10 * month - left,
        typical: 30 + 10 * month,
        sums: [accounts, active, 0].slice(0, subject.counts.length),
        tops: subject.counts.map(() => 1),
      };
      return shown(stored, grid);
    });
  return { known, size, ask, key: grid.key };
}

/** Returns which share of guesses is right: a score above 0 is one that the victim is in the cohort. */
function rightOf(subject: Subject, attack: (cohort: Attacked, secret: boolean) => number | null) {
  let [right, all] = [0, 0];
  for (const i of range(VICTIMS)) {
    const secret = flip();
    const score = attack(cohortOf(subject, i, secret), secret);
    if (score === null || Number.isNaN(score)) continue;
    all++;
    if ((score === 0 ? flip() : score > 0) === secret) right++;
  }
  expect(all).toBeGreaterThan(VICTIMS / 2);
  if (process.env.REPORT_VICTIMS) console.log(expect.getState().currentTestName, right / all);
  return right / all;
}

/** Returns what all of some cells tell by how many they show: what is above the middle speaks for it. */
const byNumber =
  (weeks: readonly number[], of: (cell: WholeCell) => number | undefined) =>
  ({ known, ask }: Attacked) => {
    const values = ask(weeks).flatMap((cell) => (cell ? (of(cell) ?? []) : []));
    return values.length > 0 ? mean(values) - known - 0.5 : null;
  };

/** Returns what changed in the open weeks when the victim left the service: each number of each week. */
function changesOf({ ask }: Attacked, secret: boolean): readonly number[] {
  const open = range(WEEKS).slice(OPEN);
  const [before, after] = [ask(open), ask(open, 1, Number(secret))];
  const numbers = ({ accounts, sums }: WholeCell) => [accounts, ...sums];
  return before.flatMap((cell, i) => {
    const then = after[i];
    if (!cell || !then) return [];
    const now = numbers(then);
    return numbers(cell).map(({ value }, n) => value - (now[n]?.value ?? 0));
  });
}

/** All cells of a cohort have one name. */
const COHORT = { name: 'one cohort', group: 'one cohort' };

describe.each([
  ['accounts', cohortSubject],
  ['reminders', reminderCohortSubject],
])('An attacker of cohorts of %s', (_, subject) => {
  it.each([
    ['the number of a week', byNumber([0], ({ sums }) => sums[0]?.value)],
    ['the mean of a year', byNumber(YEAR, ({ sums }) => sums[0]?.value)],
    ['the members of a week', byNumber([0], ({ accounts }) => accounts.value)],
    ['the mean of members of a year', byNumber(YEAR, ({ accounts }) => accounts.value)],
    [
      'different members of several weeks',
      ({ known, size, key }: Attacked) =>
        shownDistinct({ accounts: size, error: 0, united: [size] }, [COHORT, COHORT], key).value -
        known -
        0.5,
    ],
    [
      'whether anything changes when the victim leaves',
      (cohort: Attacked, secret: boolean) =>
        changesOf(cohort, secret).some((change) => change !== 0) ? 1 : -1,
    ],
    [
      'the mean of what changes when the victim leaves',
      (cohort: Attacked, secret: boolean) => mean(changesOf(cohort, secret)) - 0.5,
    ],
  ])('learns little of the victim by %s', (_name, attack) => {
    expect(rightOf(subject, attack)).toBeLessThanOrEqual(0.55);
  });
});

describe('An attacker of a cohort', () => {
  it('does not find a cohort by months of four weeks and of five', () => {
    const errors = range(400).flatMap((i) => {
      const size = between(25, 70);
      const grid = gridOf(cohortSubject, 'signUpWeek', keyOf(i));
      const [four, five] = [4, 5].map((weeks) => {
        const stored: StoredCell = {
          date: String(weeks),
          keys: ['2026-01-05'],
          accounts: size,
          eligible: size,
          among: 500,
          typical: 60,
          sums: [size * weeks, 0, 0],
          tops: [weeks, 0, 0],
          weeks,
        };
        return shown(stored, grid)?.sums[0]?.value;
      });
      return four === undefined || five === undefined ? [] : Math.abs(five - four - size);
    });
    expect(quantile(errors, 0.5)).toBeGreaterThanOrEqual(2);
  });

  it('does not find those of a cohort by the mean of unions of its weeks', () => {
    const cells = range(53).map(() => COHORT);
    const key = keyOf(7);
    const members = range(50).map(
      (week) =>
        shownDistinct(
          { accounts: 30, error: 0, united: [1, 2] },
          cells.slice(week, week + 1 + (week % 5)),
          key,
        ).value,
    );
    expect(new Set(members).size).toBe(1);
  });
});
