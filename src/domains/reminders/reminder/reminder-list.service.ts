import type { RequestContext } from '../../../core/context.js';
import { refuse } from '../../../core/errors.js';
import { byPart, byWhether, type Filter } from '../../../core/filtering.js';
import { type OrderKey, orderOf, within } from '../../../core/keyset.js';
import {
  byName,
  byNumber,
  byText,
  Direction,
  type Order,
  ordering,
} from '../../../core/ordering.js';
import { type Page, pageOf, type Window, windowOf } from '../../../core/paging.js';
import { POINTS_OF_REMINDER } from '../../../core/quota.js';
import { Prisma } from '../../../generated/prisma/client.js';
import { knowLanguage, languageFor } from '../../accounts/account-language.service.js';
import { auditAccess } from '../../audit/audit.service.js';
import { resolveMember } from '../../care/care.service.js';
import { feedVersion } from '../../live/feed.service.js';
import { FeedKind } from '../../live/feed.types.js';
import type { RemindersArgs } from './reminder.inputs.js';
import type { ReminderKind, ReminderRow } from './reminder.service.js';
import type { Reminder } from './reminder.types.js';
import { reminderColumns } from './reminder-row.sql.js';
import { showReminder } from './shown-reminder.service.js';

const { sql } = Prisma;

const NUMBER = byNumber(sql`id`, ({ id }: ReminderRow) => id);

/** What reminders of a kind may be ordered by. */
const ordersOf = (noun: string, what: string) =>
  ordering<ReminderRow>({
    noun,
    what,
    choices: {
      ID: NUMBER,
      NAME: byName('By name; case and accents are ignored.', sql`name`, ({ name }) => name),
      START: byText(
        'By the first date, by the clocks of its zone.',
        sql`start_local`,
        ({ startLocal }) => startLocal,
      ),
    },
    filters: {
      search: byPart('Whose name holds this.', sql`name`),
      isRecognized: byWhether('Those that were understood, or not.', () => sql`recognized`),
    },
    usual: { field: 'ID', direction: Direction.DESC },
    ties: [NUMBER],
  });

/** By the kind of the reminders. */
export const REMINDER_ORDERS = {
  medicine: ordersOf('MedicineReminder', 'medicine reminders'),
  appointment: ordersOf('AppointmentReminder', 'appointment reminders'),
};

/** How many reminders a page has unless said otherwise. */
const USUAL = 100;

/** A page of reminders. */
export interface ReminderPage extends Page<Reminder> {
  /** Version of the calendar's feed. */
  readonly version: number;
  readonly pageSize: number;
}

/**
 * Returns a page of a member's reminders, newest first; 100 unless said otherwise. Throws
 * FORBIDDEN, CURSOR_INVALID, PAGE_SIZES_BOTH, PAGE_OUT_OF_RANGE.
 */
export async function listReminders(
  context: RequestContext,
  kind: ReminderKind,
  { memberId, page, ...paging }: RemindersArgs,
  orderBy: Order | null | undefined,
  filter: Filter | null | undefined,
): Promise<ReminderPage> {
  const accountId = await resolveMember(context, memberId, 'see');
  const { name, order, keysOf } = REMINDER_ORDERS[kind].of(`${kind}Reminders`, orderBy);
  const matching = REMINDER_ORDERS[kind].matching(context, filter);
  const window = windowOf(paging, name, order, USUAL);
  const { size, backwards, after, before } = window;
  const skip = after || before || backwards ? 0 : ((page ?? 1) - 1) * size;
  const {
    rows,
    totalCount,
    feedVersion: version,
    language,
  } = await readPage(context, accountId, kind, { order, window, skip, matching });
  if (skip > 0 && rows.length === 0 && totalCount > 0) {
    const most = 'the number of pages available';
    throw refuse('PAGE_OUT_OF_RANGE', `The page number requested is larger than ${most}.`);
  }
  knowLanguage(context, accountId, language);
  await auditAccess(context, accountId, 'reminder.read');
  await context.quota.owe(rows.length * POINTS_OF_REMINDER);
  const nodes = await Promise.all(rows.map((row) => showReminder(context, row)));
  const keys = new Map(rows.map((row) => [row.id, keysOf(row)]));
  return {
    ...pageOf(nodes, window, ({ id }) => keys.get(id) ?? [], totalCount),
    version,
    pageSize: size,
  };
}

/** What each row of a page is read with. */
interface Counted {
  readonly totalCount: number;
  readonly feedVersion: number;
  readonly language: string;
  /** Where the reminder stands in the page; null where there is none. */
  readonly place: number | null;
}

/** The part of the list that is read. */
interface Part {
  readonly order: readonly OrderKey[];
  readonly window: Window;
  readonly skip: number;
  readonly matching: Prisma.Sql;
}

/** What is read of a reminder where the page has none. */
type NoReminder = { readonly [Column in keyof ReminderRow]: null };

/** Reads the rows of a page, and one more if there is one, with what they belong to. */
async function readPage(
  context: RequestContext,
  accountId: number,
  kind: ReminderKind,
  { order, window, skip, matching }: Part,
): Promise<Counted & { readonly rows: ReminderRow[] }> {
  const rows = await context.rows<Counted & (ReminderRow | NoReminder)>(sql`
    SELECT counted.*, listed.* FROM (
      SELECT count(*)::int AS "totalCount",
        ${feedVersion(FeedKind.CALENDAR, accountId)} AS "feedVersion",
        ${languageFor(sql`${accountId}::int`)} AS language
      FROM reminder WHERE account_id = ${accountId} AND kind = ${kind} AND deleted_at IS NULL
        AND ${matching}
    ) counted LEFT JOIN (
      SELECT ${reminderColumns}, row_number() OVER (${orderOf(order, window)}) AS place
      FROM reminder
      WHERE account_id = ${accountId} AND kind = ${kind} AND deleted_at IS NULL
        AND ${matching} AND ${within(order, window)}
      ${orderOf(order, window)} LIMIT ${window.size + 1}::int OFFSET ${skip}::bigint
    ) listed ON TRUE ORDER BY listed.place`);
  const isRow = (row: (typeof rows)[number]): row is Counted & ReminderRow => row.id !== null;
  return { ...(rows[0] as Counted), rows: rows.filter(isRow) };
}
