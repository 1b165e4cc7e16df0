import type { Answered } from '../sending.js';

/** Returns up to when a report of an answer is counted, as an instant; undefined where it says nothing. */
export function asOfIn(data: Answered['data'] | undefined, report: string): string | undefined {
  const { asOf } = (data?.[report] ?? {}) as { readonly asOf?: unknown };
  return typeof asOf === 'string' ? asOf : undefined;
}

/** Returns the earliest of some instants: all that stands together is counted up to it. */
export const earliestOf = (instants: readonly (string | undefined)[]): string | undefined =>
  instants
    .filter((instant) => instant !== undefined)
    .sort((a, b) => Date.parse(a) - Date.parse(b))[0];
