import { createHash, randomBytes } from 'node:crypto';
import { RequestContext } from '../../../core/context.js';
import { DomainError, type Refusal } from '../../../core/errors.js';
import { Quota } from '../../../core/quota.js';
import { Role } from '../../../core/roles.js';
import { deleteOnce, transact } from '../../../core/transact.js';
import { Viewer } from '../../../core/viewer.js';
import {
  ICALENDAR_END,
  type IcalendarEvent,
  icalendarEvent,
  icalendarHead,
} from '../../../platform/icalendar.js';
import { inLanguage, languageFor, type Spoken } from '../../../platform/language.js';
import { recordAudit } from '../../audit/audit.service.js';
import { requireProof } from '../../sign-in/proof/email-proof.service.js';
import { withAmount } from '../amount/amount-words.js';
import type { DoseAmount } from '../amount/dose-amount.types.js';
import { shownAmount } from '../amount/shown-amount.service.js';
import { remindersById } from '../reminder/reminder.service.js';
import { leadStart } from '../schedule/lead.js';
import { memberOf } from '../setting/member.service.js';
import type { CreateCalendarFeedInput } from '../setting/setting.inputs.js';
import { CalendarFeed } from '../setting/setting.types.js';
import { type Care, paidEvents, readCare } from './calendar.service.js';
import { type CalendarEvent, DoseEvent, EventStatus } from './event.types.js';

const SECOND = 1000;
const DAY = 24 * 60 * 60 * SECOND;
/**
 * What a feed shows: days behind and ahead; half of that, and so on, when it would be too many
 * events.
 */
const BEHIND = 7 * DAY;
const AHEAD = 60 * DAY;
const MOST_EVENTS = 5_000;
const PRODUCT = '-//Care//Care-management service//EN';
/** What a feed says of a kind of event when it does not name things. */
const NEUTRAL: Spoken<Readonly<Record<string, string>>> = {
  en: { medicine: 'Medicine', appointment: 'Appointment' },
  de: { medicine: 'Medikament', appointment: 'Termin' },
};

/** The secret itself is not kept: 256 random bits need no slow hash. */
const hashOf = (secret: string) => createHash('sha256').update(secret).digest('base64url');

/**
 * Makes the viewer's calendar feed; an address made before is no longer good. Throws EMAIL_UNPROVEN
 * as of `requireProof`.
 */
export async function createCalendarFeed(
  context: RequestContext,
  { titles, alarms }: CreateCalendarFeedInput,
): Promise<CalendarFeed> {
  const secret = randomBytes(32).toString('base64url');
  const shown = { feedTitles: titles === true, feedAlarms: alarms === true };
  const data = { feedHash: hashOf(secret), ...shown, feedMadeAt: context.now() };
  await transact(context, async (inner) => {
    const accountId = inner.viewer.id;
    await requireProof(inner);
    await inner.db.careSetting.upsert({
      where: { accountId },
      create: { accountId, ...data },
      update: data,
    });
    await recordAudit(inner, {
      action: 'calendar_feed.create',
      detail: { titles: data.feedTitles, alarms: data.feedAlarms },
    });
  });
  const url = `${context.siteUrl}/calendar/${secret}.ics`;
  return Object.assign(new CalendarFeed(), {
    url,
    titles: data.feedTitles,
    alarms: data.feedAlarms,
    createdAt: data.feedMadeAt,
  });
}

/** Ends the viewer's calendar feed. Returns whether there was one. */
export async function revokeCalendarFeed(context: RequestContext): Promise<boolean> {
  const { wasRevoked } = await deleteOnce(context, async (inner) => {
    const data = { feedHash: null, feedMadeAt: null };
    const { count } = await inner.db.careSetting.updateMany({
      where: { accountId: inner.viewer.id, feedHash: { not: null } },
      data,
    });
    if (count > 0) await recordAudit(inner, { action: 'calendar_feed.revoke' });
    return { wasRevoked: count > 0 };
  });
  return wasRevoked;
}

/** A calendar as iCalendar text, and the quota that has paid for it. */
export interface PaidFeed {
  readonly text: string;
  readonly quota: Quota;
}

/**
 * Returns the calendar behind a secret; undefined when there is none, or its account is suspended.
 * Each event of the next 60 days stands for itself. The feed pays from a quota of its own, however
 * busy the address is; the address pays for what is no feed. Throws TOO_MANY_REQUESTS.
 */
export async function feedOf(
  context: RequestContext,
  secret: string,
): Promise<PaidFeed | undefined> {
  const setting = await settingBehind(context, secret);
  if (!setting) {
    refuseSpent(await context.quota.arrive());
    return undefined;
  }
  const quota = Quota.ofFeed(context.deps.limits, setting.accountId);
  refuseSpent(await quota.arrive());
  const owner = context.as(new Viewer(setting.accountId, [Role.SUBSCRIBER]), quota);
  const { zone } = await memberOf(owner, setting.accountId);
  const now = owner.now().getTime();
  const care = await readCare(owner, [setting.accountId], { from: now - BEHIND, to: now + AHEAD });
  const events = await nearestEvents(owner, care, zone);
  const language = languageFor(NEUTRAL, setting.account.language.code);
  const look = {
    neutral: inLanguage(NEUTRAL, language),
    stamp: new Date(now),
    host: new URL(context.siteUrl).host,
  };
  const coming = events.filter(({ status }) => status !== EventStatus.WITHHELD);
  const titles = setting.feedTitles ? await titlesOf(owner, coming, language) : [];
  const leads = setting.feedAlarms ? await leadsOf(owner, coming) : [];
  const entries = coming.map((event, i) =>
    icalendarEvent(entry(event, { ...look, title: titles[i], lead: leads[i] })),
  );
  return { text: [icalendarHead('Care', PRODUCT), ...entries, ICALENDAR_END].join(''), quota };
}

function settingBehind({ db }: RequestContext, secret: string) {
  if (!/^[\w-]{43}$/.test(secret)) return undefined;
  const include = { account: { select: { language: { select: { code: true } } } } } as const;
  return db.careSetting.findUnique({
    where: { feedHash: hashOf(secret), account: { suspendedAt: null } },
    include,
  });
}

function refuseSpent(refusal: Refusal | undefined): void {
  if (refusal) throw new DomainError(refusal);
}

/** Returns what events are called where the member lets them be named: doses with their amounts. */
async function titlesOf(
  context: RequestContext,
  events: readonly CalendarEvent[],
  language: string,
): Promise<string[]> {
  const amounts = await Promise.all(
    events.map((event) => (event instanceof DoseEvent ? shownAmount(context, event) : undefined)),
  );
  return events.map(({ title }, i) => title && withAmount(title, saidIn(amounts[i]), language));
}

const saidIn = (shown: DoseAmount | undefined) =>
  shown && { amount: shown.amount, upTo: shown.most, unit: shown.unit };

/**
 * Returns how many seconds before each event it is reminded of; undefined for what is over. A day before is
 * 23 or 25 hours where the clocks shift in between.
 */
async function leadsOf(
  context: RequestContext,
  events: readonly CalendarEvent[],
): Promise<(number | undefined)[]> {
  return Promise.all(
    events.map(async ({ reminderId, status, at }) => {
      const row = await context.loader(remindersById).load(reminderId);
      if (!row || !SOUNDING.has(status)) return undefined;
      return (at - leadStart(at, row.leadSeconds * SECOND, row.zone)) / SECOND;
    }),
  );
}
const SOUNDING: ReadonlySet<EventStatus> = new Set([EventStatus.UPCOMING, EventStatus.DUE]);

const DOSE_LASTS = 15 * 60 * 1000;
const APPOINTMENT_LASTS = 60 * 60 * 1000;

async function nearestEvents(
  context: RequestContext,
  care: Care,
  zone: string,
  part = 1,
): Promise<CalendarEvent[]> {
  const now = context.now().getTime();
  const span = { from: now - BEHIND * part, to: now + AHEAD * part };
  try {
    return await paidEvents(context, care, span, { zone, now, most: MOST_EVENTS, use: 'shown' });
  } catch (error) {
    if (!(error instanceof DomainError) || error.refusal.reason !== 'TOO_MANY_EVENTS') throw error;
    return nearestEvents(context, care, zone, part / 2);
  }
}

/** How events look in a feed. */
interface FeedStyle {
  /** Only where the member lets events be named; empty for what has no name. */
  readonly title: string | undefined;
  readonly neutral: Readonly<Record<string, string>>;
  readonly stamp: Date;
  /** How many seconds before it its alarm sounds; undefined for one without an alarm. */
  readonly lead: number | undefined;
  /** Makes the names of events unique in the world (RFC 5545, 3.8.4.7). */
  readonly host: string;
}

/** Returns an event with times in UTC, which every calendar program shows by its own clocks. */
function entry(
  event: CalendarEvent,
  { title, neutral, stamp, host, lead }: FeedStyle,
): IcalendarEvent {
  const isBusy = event.type === 'appointment';
  return {
    id: `${event.id}@${host}`,
    stamp,
    start: new Date(event.at),
    end: new Date(event.at + (isBusy ? APPOINTMENT_LASTS : DOSE_LASTS)),
    summary: (title && printable(title)) || (neutral[event.type] ?? 'Reminder'),
    description: title !== undefined && event.description ? printable(event.description) : null,
    alarm: lead,
    isBusy,
  };
}

/**
 * Returns a text without control characters, which iCalendar does not allow (RFC 5545, 3.1):
 * programs break lines at some, and refuse all for others.
 */
const printable = (text: string) => text.replace(/(?![\t\r\n])[\p{Cc}\p{Zl}\p{Zp}]/gu, ' ');
