import type { RequestContext } from '../../../core/context.js';
import { refuse } from '../../../core/errors.js';
import type { Reminder } from '../../../generated/prisma/client.js';
import { Prisma } from '../../../generated/prisma/client.js';
import { knowLanguage } from '../../accounts/account-language.service.js';
import { auditAccess } from '../../audit/audit.service.js';
import { resolveMember } from '../../care/care.service.js';
import { type Plan, planAppointment, planMedicine } from '../alert/plan.js';
import { stateAmount } from '../amount/stated-amount.service.js';
import { holdMember, type Member, memberOf, memberWith } from '../setting/member.service.js';
import { chosenBefore } from './chosen.service.js';
import { concernAbout } from './concern.js';
import { tellOfDirections } from './directions-told.service.js';
import { finishedBefore } from './finished.sql.js';
import { circumstances, learnZoneFrom, write } from './member-write.service.js';
import { READING } from './reading.js';
import type { ReminderKind } from './reminder.service.js';
import { changedReminder } from './reminder.service.js';
import type { NewAppointment, NewMedicine } from './reminder.texts.js';
import { insertPlanned } from './reminder-insert.service.js';
import { fingerprintOf, retried, type Sent, stored } from './retry.service.js';
import { planned as plannedTexts } from './timed.js';
import { isNewlyUnreadable, tellUnrecognized } from './unrecognized.service.js';

/** A reminder to be made. */
interface Draft {
  readonly kind: ReminderKind;
  readonly accountId: number;
  readonly sent: Sent;
  /** `chosen`: what the member's phrase was said to mean, as the column of the schedule has it. */
  readonly plan: (member: Member, chosen?: string) => Plan;
  readonly then?: Then | undefined;
}

/** What else is done in the transaction that makes a reminder, or finds that it is there: its id. */
type Then = (inner: RequestContext, id: number, made: boolean) => Promise<void>;

/**
 * Makes a medicine reminder. Throws as `planMedicine` does; TOO_MANY_REMINDERS; FORBIDDEN for a
 * member whom the viewer may not edit for.
 */
export async function createMedicineReminder(
  context: RequestContext,
  input: NewMedicine,
  then?: Then,
): Promise<Reminder> {
  const { userId, type: eventType, timed = false, schedule, ...texts } = input;
  const accountId = await resolveMember(context, userId || undefined, 'create');
  const sent = { ...texts, name: texts.name ?? '', eventType, ...(schedule && { schedule }) };
  const fields = plannedTexts({ ...sent, timed });
  const plan = (member: Member, chosen?: string) =>
    planMedicine(
      { ...fields, ...(chosen && { schedule: chosen }) },
      circumstances(context, member),
    );
  return create(context, { kind: 'medicine', accountId, sent, plan, then });
}

/**
 * Makes an appointment reminder. Throws as `planAppointment` does; TOO_MANY_REMINDERS; FORBIDDEN
 * for a member whom the viewer may not edit for.
 */
export async function createAppointmentReminder(
  context: RequestContext,
  { userId, title, description, dateTime, remindBefore }: NewAppointment,
): Promise<Reminder> {
  const accountId = await resolveMember(context, userId || undefined, 'create');
  const sent = { name: title ?? '', description, startDate: dateTime, remindBefore };
  const plan = (member: Member) =>
    planAppointment({ dateTime, remindBefore }, circumstances(context, member));
  return create(context, { kind: 'appointment', accountId, sent, plan });
}

async function create(context: RequestContext, draft: Draft): Promise<Reminder> {
  let made: Inserted | undefined;
  const id = await write(context, draft.accountId, async (inner) => {
    made = await insert(inner, draft);
    await draft.then?.(inner, made.id, made.isNew);
    return made.id;
  });
  // What was done besides may have changed the row.
  if (made?.member) knowLanguage(context, draft.accountId, made.member.language);
  const row = made?.id === id && !draft.then ? made.row : undefined;
  return row ?? changedReminder(context, id);
}

const noDirections = { frequencyType: null, schedule: null };

/** A reminder that was made, or the one that a retry found. */
interface Inserted {
  readonly id: number;
  readonly isNew: boolean;
  /** The row, where it is known without reading it again. */
  readonly row?: Reminder;
  readonly member?: Member;
}

/**
 * Inserts a reminder with its alerts; returns it, or the reminder that this retries. A recognized
 * one of the member's own, without amounts, takes three statements.
 */
async function insert(inner: RequestContext, draft: Draft): Promise<Inserted> {
  const { kind, accountId, sent, plan } = draft;
  const now = inner.now();
  const fingerprint = fingerprintOf(draft);
  const before = fingerprint && (await retried(inner, fingerprint, now));
  if (before) return { id: before, isNew: false };
  await holdMember(inner, accountId);
  await refuseTooMany(inner, accountId);
  await learnZoneFrom(inner, accountId, [sent.startDate, sent.endDate]);
  const member = await memberOf(inner, accountId);
  const own = { kind, accountId, fingerprint, creatorId: inner.viewer.id, reading: READING };
  const times = { createdAt: now, updatedAt: now };
  await auditAccess(inner, accountId, 'reminder.write');
  const read = plan(member);
  const chosen = read.recognized ? undefined : await chosenBefore(inner, accountId, sent);
  const understood = chosen ? plan(member, chosen) : read;
  const confirmed = chosen && { confirmedAt: now };
  const fields = { ...stored(sent), ...understood };
  const concern = kind === 'medicine' ? concernAbout({ ...noDirections, ...fields }) : undefined;
  const doubted = concern && understood.recognized && { doubtedAt: now };
  const row = await insertPlanned(inner, { ...fields, ...own, ...times, ...doubted, ...confirmed });
  const amounts = row.recognized && (await stateAmount(inner, member, row));
  if (concern) await tellOfDirections(inner, row, 'unusual');
  else if (!row.recognized || isNewlyUnreadable(row)) await tellUnrecognized(inner, row);
  return { id: row.id, isNew: true, member, ...(!amounts && { row }) };
}

/** Most reminders of a member that are not finished, and in all. */
const MOST = { open: 500, all: 5_000 } as const;

/**
 * Throws TOO_MANY_REMINDERS when a member has as many reminders as allowed. Reads the member as
 * well, for `memberOf`. One statement.
 */
async function refuseTooMany(context: RequestContext, accountId: number): Promise<void> {
  const counts = Prisma.sql`
    SELECT count(*) FILTER (WHERE NOT ${finishedBefore(context.now())})::int AS standing,
      count(*)::int AS kept
    FROM reminder r WHERE account_id = ${accountId}::int AND deleted_at IS NULL`;
  type Counts = { readonly standing: number; readonly kept: number };
  const { standing, kept } = await memberWith<Counts>(context, accountId, counts);
  if (standing < MOST.open && kept < MOST.all) return;
  const kind = `${MOST.open} reminders that are still to come`;
  const most = `${kind}, and ${MOST.all.toLocaleString('en')} in all`;
  const hint = 'Delete what is no longer needed.';
  throw refuse('TOO_MANY_REMINDERS', `A member may have ${most}. ${hint}`);
}
