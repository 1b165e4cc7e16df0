import { StartError } from '../platform/database/database.js';
import type { Parse } from './parsers.js';
import { VARIABLES, type Values } from './variables.js';

const ALL = Object.keys(VARIABLES) as (keyof Values)[];

/**
 * Reads variables, each by itself; by default all of them. Throws a StartError for a malformed one,
 * and for a name that looks like a misspelling of ours.
 */
export function readVariables<Name extends keyof Values>(
  environment: NodeJS.ProcessEnv,
  names: readonly Name[] = ALL as Name[],
): Pick<Values, Name> {
  refuseMisspellings(environment);
  return Object.fromEntries(
    names.map((name) => {
      const { parse, fallback } = VARIABLES[name];
      const given = environment[name];
      return [
        name,
        given === undefined || given === '' ? fallback : (parse as Parse<unknown>)(given, name),
      ];
    }),
  ) as Pick<Values, Name>;
}

/**
 * Throws for a name that differs from ours by one typing mistake: it would silently do nothing.
 * Names of fewer than 7 letters are too near to others, so only two swapped letters count.
 */
function refuseMisspellings(environment: NodeJS.ProcessEnv): void {
  const known = Object.keys(VARIABLES);
  for (const name of Object.keys(environment)) {
    if (known.includes(name)) continue;
    const meant = known.find((ours) =>
      ours.length >= 7 ? isOneSlip(name.toUpperCase(), ours) : isSwapped(name, ours),
    );
    if (meant)
      throw new StartError(`${name} is not a variable of this service: did you mean ${meant}?`);
  }
}

const isSwapped = (a: string, b: string) =>
  a.length === b.length && isOneSlip(a, b) && [...a].sort().join('') === [...b].sort().join('');

/** Returns whether two names differ by one letter at most: added, left out, changed or swapped. */
function isOneSlip(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1) return false;
  let start = 0;
  while (start < a.length && a[start] === b[start]) start++;
  let [endA, endB] = [a.length, b.length];
  while (endA > start && endB > start && a[endA - 1] === b[endB - 1])
    [endA, endB] = [endA - 1, endB - 1];
  const [restA, restB] = [a.slice(start, endA), b.slice(start, endB)];
  return (
    (restA.length <= 1 && restB.length <= 1) ||
    (restA.length === 2 && restA === [...restB].reverse().join(''))
  );
}
