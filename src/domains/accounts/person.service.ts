import type { RequestContext } from '../../core/context.js';
import { DomainError, type Refusal, refuse } from '../../core/errors.js';
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
  if (!person) throw personNotFound();
  return person;
}

/** The refusal of an account that there is not, or no longer. */
export const personNotFound = () =>
  refuse('USER_NOT_FOUND', 'There is no such account.', { param: 'userId' });

/** Throws USER_NOT_FOUND for an account that there is not. */
export async function refuseUnknownPerson({ db }: RequestContext, id: number): Promise<void> {
  if (!(await db.account.findUnique({ where: { id }, select: { id: true } })))
    throw personNotFound();
}

/** Throws OWN_ACCOUNT for the viewer's own account. */
export function refuseOwn(context: RequestContext, userId: number): void {
  const refusal = refusalOfOwn(context, { id: userId });
  if (refusal) throw new DomainError(refusal);
}

/** Returns OWN_ACCOUNT for the viewer's own account. */
export const refusalOfOwn = (
  { viewer }: RequestContext,
  { id }: { readonly id: number },
): Refusal | undefined =>
  id === viewer.id
    ? {
        reason: 'OWN_ACCOUNT',
        message: 'Another administrator must do this to your account.',
        param: 'userId',
      }
    : undefined;
