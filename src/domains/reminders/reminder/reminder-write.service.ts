import type { RequestContext } from '../../../core/context.js';
import { refuse } from '../../../core/errors.js';
import { refuseStale } from '../../../core/row.js';
import { deleteOnce } from '../../../core/transact.js';
import type { Reminder } from '../../../generated/prisma/client.js';
import { cancelAlerts } from '../alert/alert-answer.service.js';
import { endStanding, untilOf } from '../alert/end.js';
import { leadOf, planAppointment, planMedicine } from '../alert/plan.js';
import { startInForce } from '../alert/start.js';
import { countedIn } from '../amount/amounts.js';
import { moveByHand } from '../amount/moved-amount.service.js';
import { ownAmounts, stateAmount } from '../amount/stated-amount.service.js';
import { storedIn } from '../schedule/schedule-value.js';
import { holdMember, type Member, memberOf } from '../setting/member.service.js';
import { settleSupply } from '../stock/supply-end.service.js';
import { planAfterDose } from './after-dose.service.js';
import { recordChange } from './change.service.js';
import { chosenBefore } from './chosen.service.js';
import { concernAbout } from './concern.js';
import { tellOfDirections } from './directions-told.service.js';
import { circumstances, learnZoneFrom, write } from './member-write.service.js';
import { differs, type Replan } from './plan-difference.js';
import { READING } from './reading.js';
import { changedReminder, locked, remindersById } from './reminder.service.js';
import {
  type AppointmentChange,
  changedStart,
  type MedicineChange,
  type StartChange,
} from './reminder.texts.js';
import { planEdited } from './replan.service.js';
import { type Sent } from './retry.service.js';
import { scheduleChange } from './schedule-change.js';
import { planned as plannedTexts } from './timed.js';
import { isNewlyUnreadable, tellUnrecognized } from './unrecognized.service.js';

/**
 * Changes a medicine reminder. The past stays; what is to come is planned anew. A field that is
 * sent as it was before is no change: the start stays where it is now, however far the member has
 * moved since, and a rule goes on counting. `also` makes further changes, of the row as it is held.
 * Throws REMINDER_NOT_FOUND, CONFLICT, and as `planMedicine`.
 */
export async function updateMedicineReminder(
  context: RequestContext,
  { id, version, start, ...changes }: MedicineChange,
  also?: Edit['also'],
): Promise<Reminder> {
  return update(context, { id, version, start, changes, also }, (row, before, member) => {
    const ends = differ(row.endDate, before.endDate);
    // An end after so many doses or days is counted anew from another start.
    const standing = storedIn(row)?.end ? null : endStanding(before);
    const fields = ends ? row : { ...row, endDate: standing };
    const now = circumstances(context, member);
    if (differ(row.startDate, before.startDate))
      return planMedicine(plannedTexts({ ...fields, timed: isTimed(start, row) }), now);
    const inForce = startInForce(before);
    const often =
      differ(row.frequencyType, before.frequencyType) || row.schedule !== before.schedule;
    const renamed = differ(row.name, before.name) && concernAbout(row) !== concernAbout(before);
    if (often || renamed) return planMedicine(fields, now, inForce);
    return ends ? { untilAt: untilOf(fields, inForce) } : undefined;
  });
}

/**
 * Changes an appointment reminder. At another time it is another appointment, which nobody has
 * attended yet. Throws REMINDER_NOT_FOUND, CONFLICT, and as `planAppointment`.
 */
export async function updateAppointmentReminder(
  context: RequestContext,
  input: AppointmentChange,
): Promise<Reminder> {
  const { id, version, start, title, description, dateTime, remindBefore } = input;
  const changes = { name: title, description, startDate: dateTime, remindBefore };
  return update(context, { id, version, start, changes }, (row, before, member) => {
    if (differ(row.startDate, before.startDate)) {
      const fields = { dateTime: row.startDate, remindBefore: row.remindBefore };
      return { ...planAppointment(fields, circumstances(context, member)), attendedAt: null };
    }
    const leads = differ(row.remindBefore, before.remindBefore);
    return leads ? { leadSeconds: leadOf(row.remindBefore) } : undefined;
  });
}

/**
 * Returns whether a start was given with a clock time, which is then meant, also when it is
 * midnight.
 */
const isTimed = (start: StartChange | undefined, { startDate }: Pick<Reminder, 'startDate'>) =>
  start !== undefined && startDate?.includes('T') === true;

const differ = (text: string | null, before: string | null) =>
  (text?.trim() ?? '') !== (before?.trim() ?? '');

/** Returns a plan as columns. */
export function columns<T extends Replan>({ times, ...plan }: T) {
  return { ...plan, ownUntilAt: null, ...(times && { times: [...times] }) };
}

interface Edit {
  readonly id: number;
  readonly version: number | null | undefined;
  readonly start: StartChange | undefined;
  readonly changes: Changes;
  readonly also?: ((inner: RequestContext, row: Reminder) => Promise<Changes>) | undefined;
}

type Changes = Partial<Record<keyof Sent, string | null | undefined>>;

/** Makes the plan of an edited row; undefined when the plan stays. */
type PlanEdit = (changed: Reminder, before: Reminder, member: Member) => Replan | undefined;

async function update(context: RequestContext, edit: Edit, plan: PlanEdit): Promise<Reminder> {
  const known = await context.loader(remindersById).load(edit.id);
  if (!known) throw refuse('REMINDER_NOT_FOUND', 'Invalid reminder ID.');
  const { accountId } = known;
  const id = await write(context, accountId, (inner) => change(inner, accountId, edit, plan));
  return changedReminder(context, id);
}

async function change(
  inner: RequestContext,
  accountId: number,
  { id, version, start, changes, also }: Edit,
  plan: PlanEdit,
): Promise<number> {
  await holdMember(inner, accountId);
  const read = await locked(inner, id);
  refuseStale('reminder', read, version);
  const startDate = start && changedStart(start, read, await memberOf(inner, accountId));
  const further = await also?.(inner, read);
  const given = { ...changes, ...further, ...(startDate && { startDate }) };
  const texts = Object.entries(given).filter(([, value]) => typeof value === 'string');
  const fields = Object.assign(Object.fromEntries(texts), scheduleChange(read, given));
  const stays = Object.entries(fields).every(
    ([name, text]) => read[name as keyof Reminder] === text,
  );
  if (stays) return id;
  const dates = (['startDate', 'endDate'] as const).map((name) =>
    differ(fields[name] ?? read[name], read[name]) ? fields[name] : null,
  );
  const moved = await learnZoneFrom(inner, accountId, dates);
  const row = moved ? await locked(inner, id) : read;
  const member = await memberOf(inner, accountId);
  if (start && startDate) fields.startDate = changedStart(start, row, member) ?? startDate;
  const changed = { ...row, ...fields };
  const reading = await understand(inner, plan, { row, changed, member });
  const { understood, news } = reading;
  const replanned = understood !== undefined && differs(row, changed, understood);
  // Also a plan with the same times is written: it may be bound to another thing now, an offset, or
  // a clock time that was a usual one before.
  const attendedAt = replanned && 'attendedAt' in understood ? null : row.attendedAt;
  const planned = understood && { ...columns(understood), attendedAt };
  // After an edit, an identical create is a new reminder, not a retry.
  const own = { fingerprint: null, updatedAt: inner.now(), version: { increment: 1 } };
  const data = { ...fields, ...planned, ...reading.columns, ...own };
  await inner.db.reminder.update({ where: { id }, data, select: { id: true } });
  if (understood) {
    const is = statingBy(changed, understood);
    const restated = await stateAmount(inner, member, is, row);
    if (!restated) await moveByHand(inner, { id, was: row, is });
  }
  if (replanned) {
    await planEdited(inner, row, understood);
    const isStart = differ(changed.startDate, row.startDate);
    const isOften = changed.schedule !== row.schedule;
    await planAfterDose(inner, row, { kind: isStart ? 'start' : isOften ? 'schedule' : 'pause' });
  }
  if (understood) await settleSupply(inner, id, statingBy(changed, understood));
  const told = !row.recognized && changed.frequencyType === row.frequencyType;
  const unrecognized = replanned && understood.recognized === false && !told;
  if (news) await tellOfDirections(inner, changed, 'unusual');
  else if (unrecognized || isNewlyUnreadable(changed, row)) await tellUnrecognized(inner, changed);
  await recordChange(inner, accountId, 'reminder.write');
  return id;
}

/** Returns an edited row with its plan. */
const statingBy = (changed: Reminder, { attendedAt: _, ...replan }: Replan) => ({
  ...changed,
  ...replan,
});

/** How an edited row is understood. */
interface Understanding {
  readonly understood: Replan | undefined;
  readonly columns: Partial<Pick<Reminder, 'reading' | 'doubtedAt' | 'confirmedAt'>>;
  /** Whether it is unusual for its medicine now, and was not before. */
  readonly news: boolean;
}

/**
 * Makes the plan of an edited row. What its phrase was chosen to mean before counts where it is not
 * understood; of a new phrase, and of a new name, it is seen whether it is unusual.
 */
async function understand(
  inner: RequestContext,
  plan: PlanEdit,
  { row, changed, member }: { row: Reminder; changed: Reminder; member: Member },
): Promise<Understanding> {
  const often = changed.frequencyType !== row.frequencyType || changed.schedule !== row.schedule;
  const read = plan(changed, row, member);
  const chosen =
    often && read?.recognized === false
      ? await chosenBefore(inner, row.accountId, changed)
      : undefined;
  const understood = chosen ? plan({ ...changed, schedule: chosen }, row, member) : read;
  if (!often && changed.name === row.name) return { understood, columns: {}, news: false };
  const own = await ownAmounts(inner, member, row);
  const amounts = own && countedIn(own, row.doseUnit ?? '');
  const schedule = understood?.schedule ?? changed.schedule;
  const concern = concernAbout({ ...changed, schedule }, amounts);
  const { recognized = row.recognized } = understood ?? {};
  const confirmedAt = chosen ? inner.now() : null;
  const doubtedAt = concern && recognized ? inner.now() : null;
  const columns = { doubtedAt, ...(often && { reading: READING, confirmedAt }) };
  const news = concern !== undefined && concern !== concernAbout(row, amounts);
  return { understood, columns, news };
}

/**
 * Deletes a reminder, and returns it as it was. It has no occurrences any more, and what was logged
 * of it stays. Throws REMINDER_NOT_FOUND.
 */
export async function deleteReminder(context: RequestContext, id: number): Promise<Reminder> {
  const remove = async (inner: RequestContext) => {
    const previous = await locked(inner, id);
    const data = { deletedAt: inner.now(), planAt: null, version: { increment: 1 } };
    await inner.db.reminder.update({ where: { id }, data, select: { id: true } });
    await cancelAlerts(inner, id);
    await recordChange(inner, previous.accountId, 'reminder.write');
    return previous;
  };
  return deleteOnce(context, remove, { about: ({ accountId }) => [accountId] });
}
