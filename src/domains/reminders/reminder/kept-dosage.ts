import { decimalOf } from '../../../platform/decimal.js';
import {
  type AmountRow,
  type Begin,
  type Quantity,
  quantityKey,
  stepsOf,
} from '../amount/amounts.js';
import { courseDays } from '../amount/course-days.js';
import { areOf, prescribedAmounts } from '../amount/prescribed-amount.js';
import { unitName } from '../schedule/fhir/dose-reading.js';
import type {
  Concept,
  KeptDosage,
  Portion,
  Remarks,
  Step,
  Unit,
} from '../schedule/fhir/prescription.js';
import { amountIn } from '../schedule/frequency.js';
import { dosageIn, type Repeat, WEEKDAYS } from '../schedule/schedule-value.js';
import { eachClock, type MemberTimes } from '../schedule/words/anchors.js';
import type { DayTime } from '../schedule/words/meaning.js';
import { type DirectionPart, directionParts } from './direction.types.js';
import type { ReminderRow } from './reminder.service.js';

interface Timed {
  readonly repeat: Repeat | undefined;
  readonly at: readonly DayTime[] | undefined;
  readonly asNeeded: boolean;
  readonly member: MemberTimes;
}

/**
 * Returns what a medicine is written with beside its times: what it came with as a Dosage, where
 * its amounts are still those, or else its amounts, and what its phrase says of route, site, reason
 * and advice.
 */
export function keptOf(
  row: ReminderRow,
  amounts: readonly AmountRow[],
  { at, repeat, asNeeded, member }: Timed,
): KeptDosage {
  const kept = dosageIn(row);
  const { most, ...rest } = kept ?? phrased(row.frequencyType, asNeeded);
  // A limit that somebody set takes the place of the one that came.
  const limited = row.maxPerDay === null && most ? { ...rest, most } : rest;
  const stated = kept && prescribedAmounts(kept, row, member);
  if (kept && (stated ? areOf(stated.portions, amounts) : amounts.length === 0)) return limited;
  const remarks = remarksIn(limited.steps);
  const named = unitName(limited.unit) === (row.doseUnit ?? '') ? limited.unit : undefined;
  const unit = named ?? (row.doseUnit ? { unit: row.doseUnit } : undefined);
  if (amounts.length === 0) return limited;
  const clocks = at && eachClock(at, member);
  const days = weekdaysOf(repeat);
  const { daysTo } = courseDays(row, limited.since);
  const steps = keptSteps(amounts, { clocks, days, daysTo, remarks });
  const { unit: _, ...others } = limited;
  return { ...others, steps, ...(unit && { unit }) };
}

/** Returns what single Dosages say to people, for the one that takes their place. */
function remarksIn(steps: readonly Step[]): Remarks {
  const [portion, another] = steps.flatMap(({ portions }) => portions);
  if (!portion || another) return {};
  const { times: _, amount: __, upTo: ___, ...remarks } = portion;
  return remarks;
}

/** Returns what a phrase says beside when. */
function phrased(phrase: string | null, asNeeded: boolean): KeptDosage {
  const parts = directionParts(phrase);
  const route = conceptOf(parts, 'route');
  const site = conceptOf(parts, 'site');
  const reason = asNeeded ? conceptOf(parts, 'indication') : undefined;
  const advice = parts
    .filter(({ part }) => part === 'advice')
    .map(({ words }) => ({ text: words }));
  const { amount, unit } = rangeIn(phrase);
  const remarks = { ...(advice.length > 0 && { additionalInstruction: advice }), ...amount };
  return {
    steps: [{ from: 0, portions: [remarks] }],
    ...unit,
    ...(route && { route }),
    ...(site && { site }),
    ...(reason && { asNeededFor: [reason] }),
  };
}

function conceptOf(
  parts: readonly DirectionPart[],
  of: DirectionPart['part'],
): Concept | undefined {
  const words = parts.filter(({ part }) => part === of).map((part) => part.words);
  return words.length > 0 ? { text: words.join(', ') } : undefined;
}

/** Returns a range of amounts, of a medicine of before ranges were kept. */
function rangeIn(phrase: string | null): {
  amount?: Pick<Portion, 'amount' | 'upTo'>;
  unit?: { unit: Unit };
} {
  const { value, upTo, unit } = amountIn(phrase) ?? {};
  const [low, high] = [value, upTo].map((text) => (text ? decimalOf(text) : undefined));
  if (!low || !high) return {};
  return { amount: { amount: low, upTo: high }, ...(unit && { unit: { unit: { unit } } }) };
}

interface Stepping {
  /** The clock times of a day, in the order of its times. */
  readonly clocks: readonly string[] | undefined;
  /** The weekdays that a Timing can name; undefined where it can name none. */
  readonly days: readonly number[] | undefined;
  readonly daysTo: (begin: Begin) => number;
  readonly remarks: Remarks;
}

/**
 * Returns amounts as steps; what began before the first dose is the first. Amounts of other times
 * are from when the member had other times, and count no more once later ones have begun.
 */
function keptSteps(amounts: readonly AmountRow[], stepping: Stepping): Step[] {
  const { clocks, daysTo, remarks } = stepping;
  const all = stepsOf(amounts);
  const isTimely = (rows: readonly AmountRow[]) =>
    rows.every(({ time }) => !time || clocks?.includes(time));
  const steps = all
    .filter((rows, i) => i === all.length - 1 || isTimely(rows))
    .map((rows) => ({ from: daysTo(rows[0] as AmountRow), rows }));
  const begun = steps.filter(({ from }) => from <= 0).at(-1);
  const later = steps.filter(({ from }) => from > 0);
  return [{ from: 0, rows: begun?.rows ?? [] }, ...later].map(({ from, rows }) => ({
    from,
    portions: portionsOf(rows, stepping).map((one) => ({ ...remarks, ...one })),
  }));
}

/**
 * Returns the amounts of a step: of weekdays that have their own, and of all other days. None where
 * no Timing can name the weekdays.
 */
function portionsOf(rows: readonly AmountRow[], { clocks, days }: Stepping): Portion[] {
  const named = rows.filter(({ weekdays = [] }) => weekdays.length > 0);
  if (named.length === 0) return timedPortions(rows, clocks);
  if (!days) return [{}];
  const taken = new Set(named.flatMap(({ weekdays = [] }) => weekdays));
  const rest = days.filter((day) => !taken.has(day));
  const others = timedPortions(
    rows.filter((row) => !named.includes(row)),
    clocks,
  );
  return [
    ...(rest.length > 0 ? others.map((portion) => ({ ...portion, weekdays: rest })) : []),
    ...named.flatMap(({ weekdays = [], ...row }) => {
      const own = weekdays.filter((day) => days.includes(day));
      return own.length > 0 ? [{ ...quantityOf(row), weekdays: own }] : [];
    }),
  ];
}

/** Returns whether weekdays have amounts of their own that no Timing can name. */
export const hasUntold = (amounts: readonly AmountRow[], repeat: Repeat | undefined): boolean =>
  !weekdaysOf(repeat) && amounts.some(({ weekdays = [] }) => weekdays.length > 0);

/** Returns the weekdays of a schedule by days or weeks, 1 Monday to 7 Sunday. */
function weekdaysOf(repeat: Repeat | undefined): readonly number[] | undefined {
  if (repeat?.kind === 'days' && repeat.every === 1) return WEEKDAYS.map((_, i) => i + 1);
  if (repeat?.kind !== 'weeks' || repeat.weekdays.length === 0) return undefined;
  return repeat.weekdays.map((day) => WEEKDAYS.indexOf(day) + 1);
}

/** Returns the amounts of a day, the times that have the same ones together. */
function timedPortions(
  rows: readonly AmountRow[],
  clocks: readonly string[] | undefined,
): Portion[] {
  const rest = rows.find(({ time }) => time === null);
  const each = (clocks ?? []).map((clock) => rows.find(({ time }) => time === clock) ?? rest);
  const keys = each.map((one) => (one ? quantityKey(one) : ''));
  const different = [...new Set(keys)];
  if (different.length < 2) return [quantityOf(each[0] ?? rest)];
  return different.map((key) => {
    const times = keys.flatMap((one, place) => (one === key ? [place] : []));
    return { times, ...quantityOf(each[keys.indexOf(key)]) };
  });
}

/** Returns how much as a portion has it. */
const quantityOf = (row: Quantity | undefined): Pick<Portion, 'amount' | 'upTo'> =>
  row ? { amount: row.amount, ...(row.upTo && { upTo: row.upTo }) } : {};
