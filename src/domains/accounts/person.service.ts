import type { RequestContext } from '../../core/context.js';
import { refuse } from '../../core/errors.js';
import type { Role } from '../../core/roles.js';
import { Prisma } from '../../generated/prisma/client.js';

/** Somebody whose account an administrator changes. */
export interface Person {
  readonly id: number;
  readonly username: string;
  readonly name: string;
  readonly email: string | null;
  readonly emailKey: string | null;
  /** BCP 47. */
  readonly language: string;
  readonly roles: readonly Role[];
  readonly suspendedAt: Date | null;
  readonly remindersStopped: boolean;
  readonly version: number;
}

/**
 * Reads an account and locks it until the transaction ends, so that simultaneous changes see each
 * other. Throws USER_NOT_FOUND.
 */
export async function holdPerson(context: RequestContext, userId: number): Promise<Person> {
  const [person] = await context.rows<Person>(Prisma.sql`
    SELECT a.id, a.username, a.name, a.email, a.email_key AS "emailKey", l.code AS language,
      a.roles, a.suspended_at AS "suspendedAt", a.reminders_stopped AS "remindersStopped",
      a.version
    FROM account a JOIN language l ON l.id = a.language_id
    WHERE a.id = ${userId}::int FOR NO KEY UPDATE OF a`);
  if (!person) throw unknown();
  return person;
}

const unknown = () => refuse('USER_NOT_FOUND', 'There is no such account.', { param: 'userId' });

/** Throws USER_NOT_FOUND for an account that there is not. */
export async function refuseUnknownPerson({ db }: RequestContext, id: number): Promise<void> {
  if (!(await db.account.findUnique({ where: { id }, select: { id: true } }))) throw unknown();
}

/** Throws OWN_ACCOUNT for the viewer's own account. */
export function refuseOwn({ viewer }: RequestContext, userId: number): void {
  if (userId === viewer.id)
    throw refuse('OWN_ACCOUNT', 'Another administrator must do this to your account.', {
      param: 'userId',
    });
}
