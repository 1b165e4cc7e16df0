import { DoseWarning } from './limit.types.js';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** The limits of a medicine; null for none. */
export interface Limits {
  readonly maxPerDay: number | null;
  /** Minutes. */
  readonly leastInterval: number | null;
}

/**
 * Returns what a dose at an instant would go against, given the instants of the others, all in
 * milliseconds. Others may be later: what is logged late is compared with what followed it.
 */
export function warningsFor(
  at: number,
  { maxPerDay, leastInterval }: Limits,
  others: readonly number[],
): DoseWarning[] {
  const warnings: DoseWarning[] = [];
  const all = [...others, at].sort((a, b) => a - b);
  const within = (from: number) => all.filter((one) => one >= from && one < from + DAY).length;
  const windows = all.filter((from) => from > at - DAY && from <= at);
  if (maxPerDay !== null && windows.some((from) => within(from) > maxPerDay))
    warnings.push(DoseWarning.TOO_MANY);
  const least = (leastInterval ?? 0) * MINUTE;
  if (others.some((other) => Math.abs(other - at) < least)) warnings.push(DoseWarning.TOO_SOON);
  return warnings;
}

/** From when on a dose keeps to the limits, in milliseconds; undefined for now. */
export function nextAllowed(
  now: number,
  limits: Limits,
  others: readonly number[],
): number | undefined {
  if (warningsFor(now, limits, others).length === 0) return undefined;
  const ends = others.flatMap((at) => [at + DAY, at + (limits.leastInterval ?? 0) * MINUTE]);
  return ends
    .filter((at) => at > now)
    .sort((a, b) => a - b)
    .find((at) => warningsFor(at, limits, others).length === 0);
}
