import type { RequestContext } from '../../../core/context.js';
import { refuse } from '../../../core/errors.js';
import { refuseStale } from '../../../core/row.js';
import { transact } from '../../../core/transact.js';
import { WEEKDAYS, type Weekday } from '../../../core/weekday.js';
import type { Reminder } from '../../../generated/prisma/client.js';
import { partsOf } from '../../../platform/decimal.js';
import { recordChange } from '../reminder/change.service.js';
import { concernAbout } from '../reminder/concern.js';
import { tellOfDirections } from '../reminder/directions-told.service.js';
import { READING } from '../reminder/reading.js';
import { changedReminder, locked } from '../reminder/reminder.service.js';
import { isElapsing } from '../schedule/frequency.js';
import { frequencyIn, isConfirmed } from '../schedule/schedule-value.js';
import { endsWithSupply } from '../schedule/supply.js';
import type { DoseStepInput, SetDoseAmountsInput } from './amount.inputs.js';
import {
  type AmountRow,
  amountColumns,
  BEGINNING,
  type Begin,
  beginKey,
  countedIn,
} from './amounts.js';
import { dateAt } from './course-days.js';

const MOST_STEPS = 50;
const MOST_TIMES = 24;

/**
 * Sets how much of a medicine is taken. Throws REMINDER_NOT_FOUND, CONFLICT, AMOUNTS_INVALID.
 */
export async function setDoseAmounts(
  context: RequestContext,
  { id, version, unit, steps }: SetDoseAmountsInput,
): Promise<Reminder> {
  const work = async (inner: RequestContext) => {
    const row = await locked(inner, id);
    refuseStale('reminder', row, version);
    const { accountId } = row;
    const rows = rowsOf(steps, row);
    const concern = concernAbout(row, countedIn(rows, unit.trim()));
    await inner.db.doseAmount.deleteMany({ where: { reminderId: id } });
    await inner.db.doseAmount.createMany({ data: rows.map((row) => amountColumns(id, row)) });
    const doseUnit = rows.length > 0 ? unit.trim() : null;
    const confirmedAt = concern ? null : inner.now();
    const doubted = { confirmedAt, doubtedAt: concern ? inner.now() : null };
    // The job that reads phrases again gives a confirmed one nothing but ranges.
    const settled = isConfirmed(row) && { reading: READING };
    const data = {
      doseUnit,
      ...doubted,
      ...settled,
      updatedAt: inner.now(),
      version: { increment: 1 },
    };
    await inner.db.reminder.update({ where: { id }, data, select: { id: true } });
    if (endsWithSupply(frequencyIn(row))) await lookSoon(inner, id);
    if (concern) await tellOfDirections(inner, row, 'unusual');
    await recordChange(inner, accountId, 'reminder.write');
    return id;
  };
  await transact(context, work, { replayable: true });
  return changedReminder(context, id);
}

/** Lets the job look now, and not tomorrow, whether the stock still covers the next dose. */
const lookSoon = (inner: RequestContext, reminderId: number) =>
  inner.db.medicineStock.updateMany({ where: { reminderId }, data: { checkAt: inner.now() } });

function rowsOf(steps: readonly DoseStepInput[], row: Reminder): AmountRow[] {
  const begins = steps.map(({ startsOn, startsAt }, i): Begin => {
    if (!startsAt) return { startsOn: startsOn ?? (i === 0 ? BEGINNING : '') };
    const day = dateAt(startsAt.getTime(), row.zone);
    if (startsOn && startsOn !== day) throw invalid('The day of a step is that of its instant.');
    return { startsOn: day, startsAt };
  });
  if (begins.some(({ startsAt }) => startsAt) && !isElapsing(frequencyIn(row)))
    throw invalid('Only what comes by hours changes its amount at an instant.');
  const keys = begins.map(beginKey);
  const inOrder = keys.every((key, i) => i === 0 || key > (keys[i - 1] ?? ''));
  if (steps.length > MOST_STEPS || !inOrder) {
    throw invalid(`Amounts have at most ${MOST_STEPS} steps, in order of their days.`);
  }
  const rows = steps.flatMap((step, i) => stepRows(step, begins[i] as Begin));
  const isRange = rows.every(({ amount, upTo }) => !upTo || partsOf(upTo) > partsOf(amount));
  if (!isRange) throw invalid('The larger end of a range is above its amount.');
  return rows;
}

function stepRows({ amount, upTo, times, weekdays }: DoseStepInput, begin: Begin): AmountRow[] {
  const timed = times ?? [];
  const daily = weekdays ?? [];
  const clocks = new Set(timed.map(({ time }) => time));
  const days = daily.flatMap((one) => one.weekdays);
  const known = typeof amount === 'string' || timed.length > 0 || daily.length > 0;
  if (!known || timed.length > MOST_TIMES || clocks.size < timed.length)
    throw invalid('A step has an amount, or at most 24 different times with theirs.');
  if (new Set(days).size < days.length || daily.some((one) => one.weekdays.length === 0))
    throw invalid('Amounts of weekdays name their days, each of them once.');
  if (typeof amount !== 'string' && upTo) throw invalid('A range has an amount, its smaller end.');
  const rest = typeof amount === 'string' ? [{ ...begin, time: null, amount, upTo }] : [];
  return [
    ...rest,
    ...timed.map((one) => ({ ...begin, ...one })),
    ...daily.map((one) => ({
      ...begin,
      time: null,
      ...one,
      weekdays: numbersOf(one.weekdays),
    })),
  ];
}

/** Returns weekdays as 1 to 7, in order. */
const numbersOf = (days: readonly Weekday[]): number[] =>
  days.map((day) => WEEKDAYS.indexOf(day) + 1).sort((a, b) => a - b);

const invalid = (message: string) => refuse('AMOUNTS_INVALID', message, { param: 'steps' });

/** Returns the amounts of the doses of medicines, for `context.loader`. */
export async function amountsOf(
  { db }: RequestContext,
  ids: readonly number[],
): Promise<AmountRow[][]> {
  const rows = await db.$queryRaw<(AmountRow & { reminderId: number })[]>`
    SELECT reminder_id AS "reminderId", starts_on AS "startsOn",
      starts_at AS "startsAt", time,
      trim_scale(amount)::text AS amount, trim_scale(up_to)::text AS "upTo", weekdays
    FROM dose_amount WHERE reminder_id = ANY(${ids}::int[])
    ORDER BY starts_on, starts_at NULLS FIRST, time, id`;
  const found = new Map<number, AmountRow[]>();
  for (const { reminderId, ...row } of rows)
    found.set(reminderId, [...(found.get(reminderId) ?? []), row]);
  return ids.map((id) => found.get(id) ?? []);
}
