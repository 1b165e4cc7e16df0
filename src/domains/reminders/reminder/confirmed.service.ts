import type { RequestContext } from '../../../core/context.js';
import { refuse } from '../../../core/errors.js';
import { refuseStale } from '../../../core/row.js';
import type { Reminder } from '../../../generated/prisma/client.js';
import { planMedicine } from '../alert/plan.js';
import { startInForce } from '../alert/start.js';
import { moveByHand } from '../amount/moved-amount.service.js';
import { stateAmount } from '../amount/stated-amount.service.js';
import { confirmedText, dosageIn, keptText, storedIn } from '../schedule/schedule-value.js';
import { meaningsOf } from '../schedule/words/read.js';
import { holdMember, memberOf } from '../setting/member.service.js';
import { settleSupply } from '../stock/supply-end.service.js';
import { recordChange } from './change.service.js';
import { concernAbout } from './concern.js';
import { circumstances, write } from './member-write.service.js';
import { differs } from './plan-difference.js';
import { changedReminder, locked, remindersById } from './reminder.service.js';
import { columns } from './reminder-write.service.js';
import { planEdited } from './replan.service.js';

/** Directions that somebody confirms. */
export interface Confirmed {
  readonly id: number;
  /** The place of what is meant among the meanings of the phrase. */
  readonly meaning?: number | null | undefined;
  readonly version?: number | null | undefined;
}

/**
 * Confirms the directions of a medicine as they are understood, or as one of the meanings of its
 * phrase. They are in doubt no more, and the same phrase of the member means this from then on.
 * Throws REMINDER_NOT_FOUND, CONFLICT, MEANING_INVALID; FORBIDDEN for what a clinician has to
 * confirm: a medicine that is taken once a week, more often.
 */
export async function confirmDirections(
  context: RequestContext,
  { id, meaning, version }: Confirmed,
): Promise<Reminder> {
  const known = await context.loader(remindersById).load(id);
  if (!known) throw refuse('REMINDER_NOT_FOUND', 'Invalid reminder ID.');
  const { accountId } = known;
  await write(context, accountId, async (inner) => {
    await holdMember(inner, accountId);
    const row = await locked(inner, id);
    refuseStale('reminder', row, version);
    refuseUnlessClinician(inner, row);
    await confirm(inner, row, meaning ?? undefined);
    await recordChange(inner, accountId, 'reminder.write');
    return id;
  });
  return changedReminder(context, id);
}

async function confirm(
  inner: RequestContext,
  row: Reminder,
  meaning: number | undefined,
): Promise<void> {
  const { id } = row;
  const now = inner.now();
  const own = { confirmedAt: now, doubtedAt: null, updatedAt: now, version: { increment: 1 } };
  const asItIs = (row.recognized || dosageIn(row) !== undefined) && meaning === undefined;
  if (asItIs && storedIn(row)) {
    await inner.db.reminder.update({ where: { id }, data: own, select: { id: true } });
    return;
  }
  const changed = { ...row, schedule: asItIs ? keptText(row) : meantBy(row, meaning) };
  const member = await memberOf(inner, row.accountId);
  const planned = planMedicine(changed, circumstances(inner, member), startInForce(row));
  if (!planned.recognized)
    throw invalid('Two of its times fall together in the day of the member.');
  const data = { ...columns(planned), ...own };
  await inner.db.reminder.update({ where: { id }, data, select: { id: true } });
  const is = { ...changed, ...planned };
  if (!(await stateAmount(inner, member, is, row))) await moveByHand(inner, { id, was: row, is });
  const same = asItIs && !differs({ ...row, schedule: changed.schedule }, changed, planned);
  if (!same) await planEdited(inner, row, planned);
  await settleSupply(inner, id, is);
}

/** Returns the meaning of a phrase at a place, as the column of the schedule has it. */
function meantBy({ frequencyType }: Reminder, place: number | undefined): string {
  const meanings = meaningsOf(frequencyType ?? '');
  if (place === undefined && meanings.length !== 1)
    throw invalid('Say which of `frequencyDoubt.meanings` is meant, by its place from 0.');
  const meant = meanings[place ?? 0];
  if (!meant) throw invalid('There is no such place in `frequencyDoubt.meanings`.');
  const text = confirmedText(meant);
  if (!text) throw invalid('This meaning leaves open what a schedule needs. Write a frequency.');
  return text;
}

const invalid = (message: string) => refuse('MEANING_INVALID', message, { param: 'meaning' });

/** Whoever takes it cannot judge what comes too often. */
function refuseUnlessClinician({ viewer }: RequestContext, row: Reminder): void {
  if (concernAbout(row) !== 'too_often' || viewer.can('care_assigned')) return;
  if (viewer.can('serve_any') && viewer.id !== row.accountId) return;
  throw refuse(
    'FORBIDDEN',
    'This medicine is taken once a week. A clinician has to confirm that it comes more often.',
  );
}
