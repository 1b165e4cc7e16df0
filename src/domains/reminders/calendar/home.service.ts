import type { RequestContext } from '../../../core/context.js';
import { DomainError, refuse } from '../../../core/errors.js';
import { pointsOfEvents } from '../../../core/quota.js';
import { dayOf } from '../../../platform/moment.js';
import { instantAt, localAt } from '../../../platform/zone.js';
import { auditAccess } from '../../audit/audit.service.js';
import {
  careRightsOver,
  lacking,
  type MemberRight,
  resolveMember,
} from '../../care/care.service.js';
import { countNotifications } from '../../notifications/notification/notification-list.service.js';
import { adherenceOf } from '../dose/adherence.js';
import type { Adherence } from '../dose/adherence.types.js';
import { remindersById } from '../reminder/reminder.service.js';
import { type Member, memberOf } from '../setting/member.service.js';
import { type Care, paidEvents, readCare } from './calendar.service.js';
import { type CalendarEvent, EventStatus, eventOf } from './event.types.js';
import type { AdherenceArgs } from './home.inputs.js';
import { MemberHome } from './home.types.js';
import { occurrences, type Span } from './occurrences.js';
import { spanOf } from './span.js';

const DAY = 24 * 60 * 60 * 1000;
/** Doses that are counted at once at most. */
const MOST_COUNTED = 50_000;

/** Returns what a member sees first. Throws FORBIDDEN, TOO_MANY_EVENTS. */
export async function memberHome(
  context: RequestContext,
  memberId: number | null | undefined,
): Promise<MemberHome> {
  const [home] = await memberHomes(context, [await resolveMember(context, memberId, 'see')]);
  return home as MemberHome;
}

/**
 * Returns the homes of several members, in the order asked for. Throws FORBIDDEN if one is not to
 * be seen, TOO_MANY_EVENTS.
 */
export async function memberHomes(
  context: RequestContext,
  memberIds: readonly number[],
): Promise<MemberHome[]> {
  const homes = await context.loader(homesById).loadMany([...new Set(memberIds)]);
  for (const home of homes) if (home instanceof Error) throw home;
  return homes as MemberHome[];
}

/**
 * Homes by the member's id, for `context.loader`; a constant number of statements. For each member
 * apart: FORBIDDEN for one whom the viewer may not see, TOO_MANY_EVENTS for one with more than
 * 5,000 events in the week.
 */
export async function homesById(
  context: RequestContext,
  memberIds: readonly number[],
): Promise<(MemberHome | undefined)[]> {
  const rights = await context.loader(careRightsOver).loadMany(memberIds);
  const seen = memberIds.filter((_, i) => (rights[i] as ReadonlySet<MemberRight>).has('see'));
  const homes = seen.length > 0 ? await homesOf(context, seen) : new Map();
  return memberIds.map((id) => homes.get(id) ?? new DomainError(lacking('see')));
}

/**
 * Homes by the member's id, as nodes: without those of members whom the viewer may not see. Throws
 * TOO_MANY_EVENTS.
 */
export async function homeNodes(
  context: RequestContext,
  memberIds: readonly number[],
): Promise<MemberHome[]> {
  const rights = await context.loader(careRightsOver).loadMany(memberIds);
  return memberHomes(
    context,
    memberIds.filter((_, i) => (rights[i] as ReadonlySet<MemberRight>).has('see')),
  );
}

async function homesOf(
  context: RequestContext,
  ids: readonly number[],
): Promise<Map<number, MemberHome | Error>> {
  const members = await Promise.all(ids.map((id) => memberOf(context, id)));
  const now = context.now().getTime();
  const weeks = members.map((member) => weekOf(member, now));
  const span = {
    from: Math.min(...weeks.map(({ from }) => from)),
    to: Math.max(...weeks.map(({ to }) => to)),
  };
  const care = await readCare(context, ids, span);
  await auditAccess(context, ids, 'reminder.read');
  const unread = await countNotifications(context, true);
  const own = { unreadNotifications: unread.count, notificationsVersion: unread.version };
  const homes = new Map<number, MemberHome | Error>();
  for (const [i, member] of members.entries()) {
    const home = homeOf(context, member, careOf(care, member.id), weeks[i] as Span);
    homes.set(
      member.id,
      await home.then(
        (shown) => Object.assign(new MemberHome(), { ...own, ...shown }),
        (error: Error) => error, // loaders reject for one key alone what is an error
      ),
    );
  }
  return homes;
}

/** Today and the six days before it, by the clocks of a member. */
function weekOf({ zone }: Member, now: number): Span {
  const today = dayOf(localAt(now, zone));
  return { from: instantAt(today - 6 * DAY, zone), to: instantAt(today + DAY, zone) };
}

/** Returns what names the counts of a member: the member, and the first and the last day. */
const countsOf = ({ id, zone }: Member, { from, to }: Span) => [
  id,
  ...[from, to - 1].map((at) => new Date(localAt(at, zone)).toISOString().slice(0, 10)),
];

/** Returns one member's part. */
const careOf = ({ reminders, past, doses }: Care, memberId: number): Care => ({
  reminders: reminders.filter(({ accountId }) => accountId === memberId),
  past,
  doses: doses.filter(({ accountId }) => accountId === memberId),
});

/** Returns one member's home. The events of the week are paid for, and those of today as shown. */
async function homeOf(context: RequestContext, member: Member, care: Care, week: Span) {
  const { id, zone, calendarVersion } = member;
  const now = context.now().getTime();
  const events = await paidEvents(context, care, week, { zone, now, use: 'counted' });
  const begin = instantAt(dayOf(localAt(now, zone)), zone);
  const today = events.filter(({ at }) => at >= begin);
  await context.quota.owe(pointsOfEvents(today.length, 'shown'));
  return {
    memberId: id,
    version: calendarVersion,
    timeZone: zone,
    today,
    nextAppointment: nextAppointment(care, zone, now) ?? null,
    week: adherenceOf(events, { ...member, of: countsOf(member, week) }),
  };
}

function nextAppointment(care: Care, zone: string, now: number): CalendarEvent | undefined {
  const appointments = care.reminders.filter(
    ({ kind, attendedAt }) => kind === 'appointment' && !attendedAt,
  );
  const coming = appointments.flatMap((reminder) => {
    const all = [...occurrences(reminder, care, { from: now, to: Number.POSITIVE_INFINITY })];
    return all.map(({ at }) => eventOf(reminder, at, EventStatus.UPCOMING, zone));
  });
  return coming.sort((a, b) => a.at - b.at)[0];
}

/**
 * Returns how a member keeps to the plan in a range of days, the last 30 unless said otherwise.
 * Throws FORBIDDEN, REMINDER_NOT_FOUND, DATE_INVALID, RANGE_TOO_LONG, TOO_MANY_EVENTS.
 */
export async function adherence(
  context: RequestContext,
  { from, to, memberId, reminderId }: AdherenceArgs,
): Promise<Adherence> {
  const id = await resolveMember(context, memberId, 'see');
  if (typeof reminderId === 'number') await refuseUnknown(context, id, reminderId);
  const member = await memberOf(context, id);
  const now = context.now().getTime();
  const monthAgo = new Date(localAt(now, member.zone) - 29 * DAY).toISOString().slice(0, 10);
  const span = spanOf(member, now, from ?? monthAgo, to);
  const care = await readCare(context, [id], span);
  await auditAccess(context, id, 'reminder.read');
  const chosen = typeof reminderId === 'number' ? only(care, reminderId) : care;
  // An answer may come before its time, so the day ahead is looked at too.
  const until = { ...span, to: Math.min(span.to, now + DAY) };
  const events = await paidEvents(context, chosen, until, {
    zone: member.zone,
    now,
    most: MOST_COUNTED,
    use: 'counted',
  });
  const of = [...countsOf(member, span), ...(typeof reminderId === 'number' ? [reminderId] : [])];
  return adherenceOf(events, { ...member, of });
}

/**
 * Throws REMINDER_NOT_FOUND for what is no medicine of a member; one that was deleted is: what was
 * logged of it counts.
 */
async function refuseUnknown(
  context: RequestContext,
  accountId: number,
  reminderId: number,
): Promise<void> {
  const row = await context.loader(remindersById).load(reminderId);
  if (row?.kind !== 'medicine' || row.accountId !== accountId)
    throw refuse('REMINDER_NOT_FOUND', 'Invalid reminder ID.', { input: 'reminderId' });
}

const only = ({ reminders, past, doses }: Care, wanted: number): Care => ({
  reminders: reminders.filter(({ id }) => id === wanted),
  past,
  doses: doses.filter(({ reminderId }) => reminderId === wanted),
});
