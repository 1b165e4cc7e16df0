import type { RequestContext } from '../../../core/context.js';
import { hold } from '../../../core/transact.js';
import { Prisma } from '../../../generated/prisma/client.js';
import { type Moment, offsetZone } from '../../../platform/moment.js';
import { languageFor } from '../../accounts/account-language.service.js';
import {
  headerFor,
  isOffset,
  type ZoneColumns,
  type Zones,
  zoneOf,
  zonesFrom,
} from '../../accounts/member-zone.service.js';
import { feedVersion } from '../../live/feed.service.js';
import { FeedKind } from '../../live/feed.types.js';
import { anchorTimes } from '../schedule/day-times.js';
import type { MemberTimes } from '../schedule/words/anchors.js';

/** What reminders need to know of a member. */
export interface Member extends MemberTimes {
  readonly id: number;
  readonly zones: Zones;
  /** As it was learned from the member's requests; null: nothing was. */
  readonly learnedZone: string | null;
  /** The zone in which the member's times are shown. */
  readonly zone: string;
  /** Version of the calendar's feed when this was read. */
  readonly calendarVersion: number;
  /** The code of the language that the member is written to in. */
  readonly language: string;
  /** Counts the changes of the settings. */
  readonly settingsVersion: number;
  /** Whether a dose of the member was ever answered; until then nothing is known of adherence. */
  readonly answers: boolean;
}

interface MemberRow extends ZoneColumns {
  readonly usualTimes: string[] | null;
  readonly dayTimes: string[] | null;
  readonly calendarVersion: number;
  readonly settingsVersion: number;
  readonly language: string;
  readonly answers: boolean;
}

/** Members by id, for `context.loader`. */
export async function membersById(
  context: RequestContext,
  ids: readonly number[],
): Promise<(Member | undefined)[]> {
  const rows = await context.rows<MemberRow>(Prisma.sql`
    SELECT ${memberColumns} FROM account a LEFT JOIN care_setting s ON s.account_id = a.id
    WHERE a.id = ANY(${[...ids]}::int[])`);
  const found = new Map(rows.map((row) => [row.id, memberFrom(row, context)]));
  return ids.map((id) => found.get(id));
}

const memberColumns = Prisma.sql`a.id, a.time_zone AS "timeZone",
  s.learned_zone AS "learnedZone", s.usual_times AS "usualTimes", s.day_times AS "dayTimes",
  coalesce(s.version, 0) AS "settingsVersion",
  ${feedVersion(FeedKind.CALENDAR, Prisma.sql`a.id`)} AS "calendarVersion",
  ${languageFor(Prisma.sql`a.id`)} AS language,
  EXISTS (SELECT FROM dose d WHERE d.account_id = a.id) AS answers`;

/**
 * Reads a member that is known to exist, for `memberOf`, with what a subquery says of it, one row
 * of columns with other names. One statement.
 */
export async function memberWith<T extends object>(
  context: RequestContext,
  id: number,
  further: Prisma.Sql,
): Promise<T> {
  const [row] = await context.rows<MemberRow & T>(Prisma.sql`
    SELECT ${memberColumns}, further.* FROM account a
      LEFT JOIN care_setting s ON s.account_id = a.id CROSS JOIN (${further}) AS further
    WHERE a.id = ${id}::int`);
  const read = row as MemberRow & T;
  context.loader(membersById).clear(id).prime(id, memberFrom(read, context));
  return read;
}

/** Returns a member that is known to exist. */
export async function memberOf(context: RequestContext, id: number): Promise<Member> {
  return (await context.loader(membersById).load(id)) as Member;
}

/**
 * Holds, until the transaction ends, what reminders need to know of a member. Who makes or changes
 * a reminder holds it before reading that, and who changes the member's zone or usual times before
 * looking for reminders: else one that is being made would be left behind.
 */
export const holdMember = (context: RequestContext, id: number): Promise<void> =>
  hold(context, `member:${id}`);

function memberFrom(row: MemberRow, context: RequestContext): Member {
  const { id, learnedZone, usualTimes, dayTimes, language, answers } = row;
  const { calendarVersion, settingsVersion } = row;
  const zones = zonesFrom(row, context);
  const usual = Object.fromEntries(
    (usualTimes ?? []).flatMap((times, i) => (times ? [[i + 1, times.split(' ')] as const] : [])),
  );
  const anchors = anchorTimes(dayTimes);
  const zone = zoneOf(zones);
  const columns = { id, learnedZone, language, answers, calendarVersion, settingsVersion };
  return { ...columns, zones, zone, usual, anchors };
}

/**
 * An offset tells where somebody is at its date: that it is so now holds for dates about now alone.
 */
const ABOUT_NOW = 48 * 60 * 60 * 1000;

/**
 * Remembers where a member is, from the header of the member's own request, else from an offset in
 * that header or in a date. Of a member about whom nothing is known any date teaches; one that is known otherwise
 * already only a date within 48 hours from now: in winter an appointment of the next summer has
 * another offset, and nobody has moved. Returns whether the zone in which the member lives became
 * another one by it.
 */
export async function learnZone(
  context: RequestContext,
  memberId: number,
  moments: readonly (Moment | undefined)[],
): Promise<boolean> {
  if (context.viewer.id !== memberId) return false;
  const sent = headerFor(context, memberId);
  const header = sent && !isOffset(sent) ? sent : undefined;
  const present = sent && isOffset(sent) ? [{ zone: sent, recent: true }] : [];
  const dated = moments.flatMap((moment) => {
    if (moment?.offset === undefined || moment.universal) return [];
    const away = Math.abs(moment.local - moment.offset * 60_000 - context.now().getTime());
    return { zone: offsetZone(moment.offset), recent: away <= ABOUT_NOW };
  });
  const { learnedZone: known } = await memberOf(context, memberId);
  const taught =
    [...present, ...dated].find(({ recent }) => recent) ?? (known ? undefined : dated[0]);
  const zoneHint = header ?? (known && !isOffset(known) ? undefined : taught?.zone);
  if (!zoneHint || known === zoneHint) return false;
  await context.db.careSetting.upsert({
    where: { accountId: memberId },
    create: { accountId: memberId, learnedZone: zoneHint },
    update: { learnedZone: zoneHint },
  });
  context.clearLoaders();
  const { zones } = await memberOf(context, memberId);
  return zones.known?.source !== 'profile';
}
