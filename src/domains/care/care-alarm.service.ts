import type { RequestContext } from '../../core/context.js';
import { Role } from '../../core/roles.js';
import { queueMail } from '../mail/mail.service.js';

const HOUR = 60 * 60 * 1000;

/**
 * How often one account opens the care of members in a span of so many milliseconds: at the
 * `unusual`-th time administrators are told, and `most` is the bound of breaking the glass.
 */
export const LIMITS = [
  { within: HOUR, most: 10, unusual: 5 },
  { within: 24 * HOUR, most: 30, unusual: 15 },
] as const;
/** The longest of these spans in milliseconds, and the highest of these bounds. */
export const LONGEST = Math.max(...LIMITS.map(({ within }) => within));
export const MOST = Math.max(...LIMITS.map(({ most }) => most));

/** How many of these times lie within the last so many milliseconds. */
export const countWithin = ({ deps }: RequestContext, times: readonly Date[], within: number) =>
  times.filter((time) => time.getTime() > deps.clock() - within).length;

/** Mails every administrator what the viewer did, and how often (`count`), within a transaction. */
export async function tellAdministrators(
  context: RequestContext,
  template: 'break_glass_alarm' | 'care_assignment_alarm',
  count: number,
): Promise<void> {
  const { db, viewer } = context;
  const where = { id: viewer.id };
  const { name } = await db.account.findUniqueOrThrow({ where, select: { name: true } });
  const administrators = await db.account.findMany({
    where: { roles: { has: Role.ADMINISTRATOR }, email: { not: null } },
    select: { email: true, language: { select: { code: true } } },
    orderBy: { id: 'asc' },
  });
  const values = { name, count: String(count), at: context.now().toISOString() };
  for (const { email, language } of administrators) {
    await queueMail(context, { to: email as string, template, language: language.code, values });
  }
}
