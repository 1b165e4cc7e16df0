import type { RequestContext } from '../../context.js';
import { refuse } from '../../errors.js';
import { instantAt, localAt } from '../../platform/zone.js';
import { careRights, resolveMember } from '../accounts/care.service.js';
import { auditAccess } from '../audit/audit.service.js';
import { countNotifications } from '../notifications/notification-list.service.js';
import { adherenceOf } from './adherence.js';
import type { Adherence } from './adherence.types.js';
import { type Care, eventsOf, readCare, type Span, spanOf } from './calendar.service.js';
import { CalendarEvent, EventStatus } from './calendar.types.js';
import type { AdherenceArgs } from './home.inputs.js';
import { MemberHome } from './home.types.js';
import { type Member, memberOf, membersById } from './member.service.js';
import { scheduleOf } from './plan.js';
import { dayOf } from './schedule/moment.js';
import { nextOccurrence } from './schedule/schedule.js';

const DAY = 24 * 60 * 60 * 1000;
/** Doses that are counted at once at most. */
const MOST_COUNTED = 50_000;

/** What a member sees first. FORBIDDEN. */
export async function memberHome(context: RequestContext, memberId: number | null | undefined): Promise<MemberHome> {
  const id = await resolveMember(context, memberId, 'see');
  const [home] = await homesOf(context, [id]);
  return home as MemberHome;
}

/** What a carer sees first of each member, in the order asked for; a constant number of statements. FORBIDDEN if one is not to be seen. */
export async function memberHomes(context: RequestContext, memberIds: readonly number[]): Promise<MemberHome[]> {
  const ids = [...new Set(memberIds)];
  const rights = await Promise.all(ids.map((id) => careRights(context, id)));
  const members = await context.loader(membersById).loadMany(ids);
  if (rights.some((right) => !right.has('see')) || members.some((member) => !member || member instanceof Error)) {
    throw refuse('FORBIDDEN', 'Sorry, you are not allowed to do that.');
  }
  return homesOf(context, ids);
}

async function homesOf(context: RequestContext, ids: readonly number[]): Promise<MemberHome[]> {
  const members = await Promise.all(ids.map((id) => memberOf(context, id)));
  const now = context.now().getTime();
  const weeks = members.map((member) => weekOf(member, now));
  const span = { from: Math.min(...weeks.map(({ from }) => from)), to: Math.max(...weeks.map(({ to }) => to)) };
  const care = await readCare(context, ids, span);
  await auditAccess(context, ids, 'reminder.read');
  const unreadNotifications = await countNotifications(context, true);
  return members.map((member, i) =>
    Object.assign(new MemberHome(), { unreadNotifications, ...homeOf(member, careOf(care, member.id), weeks[i] as Span, now) }),
  );
}

/** Today and the six days before it, by the clocks of a member. */
function weekOf({ zone }: Member, now: number): Span {
  const today = dayOf(localAt(now, zone));
  return { from: instantAt(today - 6 * DAY, zone), to: instantAt(today + DAY, zone) };
}

/** One member's part. */
const careOf = ({ reminders, past, doses }: Care, memberId: number): Care => ({
  reminders: reminders.filter(({ accountId }) => accountId === memberId),
  past,
  doses: doses.filter(({ accountId }) => accountId === memberId),
});

function homeOf({ id, zone }: Member, care: Care, week: Span, now: number) {
  const events = eventsOf(care, week, { zone, now });
  const today = instantAt(dayOf(localAt(now, zone)), zone);
  return {
    memberId: id,
    timeZone: zone,
    today: events.filter(({ at }) => at >= today),
    nextAppointment: nextAppointment(care, zone, now) ?? null,
    week: adherenceOf(events),
  };
}

function nextAppointment({ reminders }: Care, zone: string, now: number): CalendarEvent | undefined {
  const coming = reminders.flatMap((reminder) => {
    const next = reminder.kind === 'appointment' ? nextOccurrence(scheduleOf(reminder), now) : undefined;
    return next ? [new CalendarEvent(reminder, next.at, EventStatus.UPCOMING, zone)] : [];
  });
  return coming.sort((a, b) => a.at - b.at)[0];
}

/** How a member keeps to the plan in a range of days, the last 30 unless said otherwise. FORBIDDEN, DATE_INVALID, RANGE_TOO_LONG, TOO_MANY_EVENTS. */
export async function adherence(context: RequestContext, { from, to, memberId, reminderId }: AdherenceArgs): Promise<Adherence> {
  const id = await resolveMember(context, memberId, 'see');
  const member = await memberOf(context, id);
  const now = context.now().getTime();
  const monthAgo = new Date(localAt(now, member.zone) - 29 * DAY).toISOString().slice(0, 10);
  const span = spanOf(member, now, from ?? monthAgo, to);
  const care = await readCare(context, [id], span);
  await auditAccess(context, id, 'reminder.read');
  const chosen = typeof reminderId === 'number' ? only(care, reminderId) : care;
  // An answer may come before its time, so the day ahead is looked at too.
  return adherenceOf(
    eventsOf(chosen, { ...span, to: Math.min(span.to, now + DAY) }, { zone: member.zone, now, most: MOST_COUNTED }),
  );
}

const only = ({ reminders, past, doses }: Care, wanted: number): Care => ({
  reminders: reminders.filter(({ id }) => id === wanted),
  past,
  doses: doses.filter(({ reminderId }) => reminderId === wanted),
});
