import type { Dimension } from './subject.js';

/** Bands of ages in days, each up to its last one. */
export const AGE_BANDS = [
  ['first_week', 6],
  ['first_month', 29],
  ['first_quarter', 89],
  ['first_year', 364],
] as const;
const OLDER = 'older';

/** Names of the bands, in order. */
export const AGES: readonly string[] = [...AGE_BANDS.map(([name]) => name), OLDER];

/** How long an account had been there. */
export const ACCOUNT_AGE: Dimension = {
  name: 'accountAge',
  type: 'text',
  isPart: true,
  values: AGES,
  description:
    "How long the account had been there on the day, by the clocks of the site's zone: first_week " +
    '(days 0 to 6), first_month (7 to 29), first_quarter (30 to 89), first_year (90 to 364), older. ' +
    'Months that were closed before this was counted have no cells by it.',
};

/** Returns SQL of the band of an age in days. */
export function ageSql(days: string): string {
  const cases = AGE_BANDS.map(([name, last]) => `WHEN ${days} <= ${last} THEN '${name}'`);
  return `CASE ${cases.join(' ')} ELSE '${OLDER}' END`;
}

/** Returns the band of an age in days. */
export const ageOf = (days: number): string =>
  AGE_BANDS.find(([, last]) => days <= last)?.[0] ?? OLDER;

/**
 * Returns SQL of that column. `made` is when the account was made, `at` the instant of the fact.
 */
export function accountAgeSql(made: string, at: string): string {
  const days = `((${at} AT TIME ZONE $1)::date - (${made} AT TIME ZONE $1)::date)`;
  return `${ageSql(days)} AS "${ACCOUNT_AGE.name}"`;
}
