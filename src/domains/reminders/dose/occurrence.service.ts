import type { RequestContext } from '../../../core/context.js';
import { refuse } from '../../../core/errors.js';
import { Prisma } from '../../../generated/prisma/client.js';
import { localText } from '../../../platform/moment.js';
import type { OccurrenceKey } from '../alert/alert-answer.service.js';
import { parseEventId } from '../alert/occurrence-id.js';
import type { LoggedDose } from '../calendar/event.types.js';
import { occurrences } from '../calendar/occurrences.js';
import { plannedLocal } from '../calendar/planned-local.service.js';
import {
  holdReminder,
  pastPlansAfter,
  type ReminderRow,
  remindersById,
} from '../reminder/reminder.service.js';
import { doseColumns } from './dose.sql.js';

const notFound = () => refuse('OCCURRENCE_NOT_FOUND', 'There is no such occurrence.');

/** Returns doses by id, for `context.loader`. */
export async function dosesById(
  context: RequestContext,
  ids: readonly number[],
): Promise<(LoggedDose | undefined)[]> {
  const rows = await context.rows<LoggedDose>(Prisma.sql`
    SELECT ${doseColumns} FROM dose WHERE id = ANY(${[...ids]}::bigint[])`);
  const found = new Map(rows.map((row) => [row.id, row]));
  return ids.map((id) => found.get(id));
}

/** Returns the member whose dose or occurrence an id names, if there is one. */
export async function reminderOf(
  context: RequestContext,
  occurrenceId: string,
): Promise<number | undefined> {
  const named = parseEventId(occurrenceId);
  if (!named) return undefined;
  if ('doseId' in named) return (await context.loader(dosesById).load(named.doseId))?.accountId;
  const row = await context.loader(remindersById).load(named.reminderId);
  return row && row.kind === 'medicine' && !row.deletedAt ? row.accountId : undefined;
}

/** What the id of an occurrence names. */
export interface NamedOccurrence {
  readonly row: ReminderRow;
  /** Milliseconds. */
  readonly at: number;
  /**
   * Whether a plan of the medicine that was understood has, or had, an occurrence at the instant.
   */
  readonly comes: boolean;
}

/** Returns what an id names, whether or not a plan has it. Throws OCCURRENCE_NOT_FOUND. */
export async function namedBy(
  context: RequestContext,
  occurrenceId: string,
): Promise<NamedOccurrence> {
  const named = parseEventId(occurrenceId);
  if (!named || 'doseId' in named) throw notFound();
  const row = await context.loader(remindersById).load(named.reminderId);
  if (!row || row.deletedAt) throw notFound();
  return { row, at: named.at, comes: await comesAt(context, row, named.at) };
}

/**
 * Returns whether a plan of a medicine that was understood has, or had, an occurrence at an
 * instant.
 */
async function comesAt(context: RequestContext, row: ReminderRow, at: number): Promise<boolean> {
  const past = new Map([[row.id, await pastPlansAfter(context, [row.id], new Date(at))]]);
  const [occurrence] = [...occurrences(row, { past }, { from: at, to: at + 1 })];
  return occurrence?.recognized === true && !occurrence.isWithheld;
}

/**
 * Returns an occurrence that a plan of a medicine has, or had, or that was answered: what counts from the
 * last dose comes at another instant from its answer on. Throws OCCURRENCE_NOT_FOUND.
 */
export async function occurrenceOf(
  context: RequestContext,
  occurrenceId: string,
): Promise<NamedOccurrence> {
  const named = await namedBy(context, occurrenceId);
  if (!named.comes && !(await isAnswered(context, named))) throw notFound();
  return named;
}

async function isAnswered({ db }: RequestContext, { row, at }: NamedOccurrence): Promise<boolean> {
  const where = { reminderId: row.id, plannedAt: new Date(at), extra: false };
  return (await db.dose.findFirst({ where, select: { id: true } })) !== null;
}

/**
 * Holds an occurrence that was read until the transaction ends. Throws OCCURRENCE_NOT_FOUND when an
 * edit or a move took it away meanwhile. Returns whether the reminder is as it was read.
 */
export async function holdOccurrence(
  inner: RequestContext,
  row: ReminderRow,
  occurrenceId: string,
): Promise<boolean> {
  const same = await holdReminder(inner, row);
  if (!same) await occurrenceOf(inner, occurrenceId);
  return same;
}

/** Returns the key of an occurrence; `at` in milliseconds. */
export const keyOf = async (
  context: RequestContext,
  row: ReminderRow,
  at: number,
): Promise<OccurrenceKey> => ({
  reminderId: row.id,
  accountId: row.accountId,
  plannedAt: new Date(at),
  localTime: localText(await plannedLocal(context, row, at)),
});

/**
 * Returns the id of the dose that an id names by its number: as needed, in addition, or of a plan
 * that is no more; undefined for the id of an occurrence. Throws OCCURRENCE_NOT_FOUND for any other
 * dose.
 */
export async function unmatchedDoseOf(
  context: RequestContext,
  occurrenceId: string,
): Promise<number | undefined> {
  const named = parseEventId(occurrenceId);
  if (!named || !('doseId' in named)) return undefined;
  const dose = await context.loader(dosesById).load(named.doseId);
  if (dose?.plannedAt && !dose.extra) {
    const row = await context.loader(remindersById).load(dose.reminderId ?? 0);
    const matched =
      row && !row.deletedAt && (await comesAt(context, row, dose.plannedAt.getTime()));
    if (matched) throw notFound();
  }
  return named.doseId;
}
