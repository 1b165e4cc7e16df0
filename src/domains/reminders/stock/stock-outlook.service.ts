import { setImmediate } from 'node:timers/promises';
import type { RequestContext } from '../../../core/context.js';
import { pointsOfEvents } from '../../../core/quota.js';
import { Prisma, type ReminderPause } from '../../../generated/prisma/client.js';
import { type Decimal, ZERO } from '../../../platform/decimal.js';
import { localText } from '../../../platform/moment.js';
import { localAt } from '../../../platform/zone.js';
import { scheduleOf, startAtOf } from '../alert/planned.js';
import { amountsOf } from '../amount/amount.service.js';
import { amountFinder } from '../amount/amounts.js';
import {
  byReminder,
  GRACE,
  occurrences,
  type PastPlanRow,
  type Span,
} from '../calendar/occurrences.js';
import { pausesAhead } from '../pause/pause-plan.service.js';
import { pendingPlansOf, type ReminderRow, remindersById } from '../reminder/reminder.service.js';
import { afterPauses } from '../schedule/after-dose.js';
import type { Occurrence } from '../schedule/schedule.js';
import { type ComingDose, type Outlook, outlookOf, type PackAtHand, UNKNOWN } from './outlook.js';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
/** How far ahead doses are looked at unless said otherwise. */
const AHEAD = 366 * DAY;

/** What is at hand of a medicine. */
export interface AtHand {
  readonly reminderId: number;
  readonly atHand: Decimal;
  readonly unit: string;
  readonly isCertain: boolean;
  /** Those of which something is left, the one that expires first in front. */
  readonly packs: readonly PackAtHand[];
}

/**
 * Returns for how long stocks last, in their order: the doses that come within `ahead` milliseconds
 * by the plans of their medicines are taken off, without what is paused, withheld, answered or
 * missed, and without what has expired by then. Of a range the larger end counts, so that nobody runs
 * out unwarned. At most five statements, however many. The doses that are looked at cost points as
 * counted events do.
 */
export async function outlooksOf(
  context: RequestContext,
  stocks: readonly AtHand[],
  ahead = AHEAD,
): Promise<Outlook[]> {
  const ids = stocks.map(({ reminderId }) => reminderId);
  const now = context.now().getTime();
  const rows = await Promise.all(ids.map((id) => context.loader(remindersById).load(id)));
  const plans = await Promise.all(rows.map((row) => (row ? pendingPlansOf(context, row) : [])));
  const amounts = await Promise.all(ids.map((id) => context.loader(amountsOf).load(id)));
  const answered = await answeredSince(context, ids, now - GRACE);
  const pauses = byReminder(await pausesOf(context, rows));
  const outlooks: Outlook[] = [];
  for (const [i, { reminderId, unit, ...stock }] of stocks.entries()) {
    const row = rows[i];
    if (!row || !comes(row) || isDoubtful(stock)) {
      outlooks.push(UNKNOWN);
      continue;
    }
    const find = amountFinder(unit.trim() === row.doseUnit?.trim() ? (amounts[i] ?? []) : []);
    const span = { from: now - GRACE, to: now + ahead };
    const kept = { answered: answered.get(reminderId), pauses: pauses.get(reminderId) };
    const coming = comingDoses(row, plans[i] ?? [], span, kept);
    let doses = 0;
    const amountOf = (dose: Occurrence) => {
      doses++;
      return find(dose);
    };
    outlooks.push(outlookOf(stock.atHand, withAmounts(coming, amountOf), stock.packs));
    await context.quota.owe(pointsOfEvents(doses, 'counted'));
    // A year of doses takes some milliseconds: other requests are answered between two medicines.
    await setImmediate();
  }
  return outlooks;
}

/**
 * Returns whether nobody knows how much is at hand: of doses whose amount nobody has said, nothing
 * was taken off. Where nothing is left by the count, the next dose is not covered in any case.
 */
const isDoubtful = ({ isCertain, atHand }: Pick<AtHand, 'isCertain' | 'atHand'>) =>
  !isCertain && atHand !== ZERO;

/** Returns whether it is known when doses of a medicine come. */
function comes(row: ReminderRow): boolean {
  const { kind } = scheduleOf(row).frequency;
  return !row.deletedAt && row.scheduled && row.recognized && kind !== 'as_needed';
}

/** Returns the pauses of medicines that count from the last dose: of others plans leave them out. */
async function pausesOf(
  context: RequestContext,
  rows: readonly (ReminderRow | undefined)[],
): Promise<ReminderPause[]> {
  const counting = rows.filter((row) => row && scheduleOf(row).frequency.kind === 'after_dose');
  const ids = counting.flatMap((row) => row?.id ?? []);
  return ids.length > 0 ? pausesAhead(context, ids) : [];
}

/** What keeps doses of a medicine from coming. */
interface ExcludedDoses {
  /** Instants of the doses that were answered. */
  readonly answered?: ReadonlySet<number> | undefined;
  /** In order of time. */
  readonly pauses?: readonly ReminderPause[] | undefined;
}

/** Returns the doses of a medicine that come and are not answered, in order. */
export function* comingDoses(
  row: ReminderRow,
  past: readonly PastPlanRow[],
  span: Span,
  { answered = new Set(), pauses = [] }: ExcludedDoses,
): Generator<Occurrence> {
  const { frequency } = scheduleOf(row);
  if (frequency.kind === 'after_dose') {
    yield* countedDoses(row, frequency.minutes, span, pauses);
    return;
  }
  const plans = new Map([[row.id, [...past]]]);
  const open = (from: number, to: number) =>
    [...occurrences(row, { past: plans }, { from, to })]
      .filter(({ at, isWithheld }) => !isWithheld && !answered.has(at))
      .sort((a, b) => a.at - b.at);
  // By weeks: what runs out soon is not looked at for a year.
  for (let from = span.from; from < span.to; from += WEEK)
    yield* open(from, Math.min(from + WEEK, span.to));
}

const WEEK = 7 * DAY;

/** Returns doses that count from the one before each, as if all were taken at their time. */
function* countedDoses(
  row: ReminderRow,
  minutes: number,
  span: Span,
  pauses: readonly ReminderPause[],
): Generator<Occurrence> {
  const last = Math.min(span.to, row.untilAt?.getTime() ?? span.to);
  let at = afterPauses(startAtOf(row), row.zone, pauses);
  while (at !== undefined && at <= last) {
    if (at >= span.from) yield { at, local: localAt(at, row.zone) };
    at = afterPauses(at + minutes * MINUTE, row.zone, pauses);
  }
}

function* withAmounts(
  doses: Iterable<Occurrence>,
  find: ReturnType<typeof amountFinder>,
): Generator<ComingDose> {
  for (const dose of doses) {
    const { amount, upTo } = find(dose) ?? {};
    yield { date: localText(dose.local).slice(0, 10), amount: upTo ?? amount };
  }
}

/** Returns the instants of doses from an instant on that were answered, by reminder. */
export async function answeredSince(
  context: RequestContext,
  ids: readonly number[],
  since: number,
): Promise<Map<number, Set<number>>> {
  const rows = await context.rows<{ id: number; at: Date }>(Prisma.sql`
    SELECT reminder_id AS id, planned_at AS at FROM dose
    WHERE reminder_id = ANY(${[...ids]}::int[])
      AND planned_at >= ${new Date(since).toISOString()}::timestamptz AND NOT extra`);
  const found = new Map<number, Set<number>>(ids.map((id) => [id, new Set()]));
  for (const { id, at } of rows) found.get(id)?.add(at.getTime());
  return found;
}
