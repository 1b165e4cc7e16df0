import type { RequestContext } from '../../core/context.js';
import { Prisma } from '../../generated/prisma/client.js';

/**
 * Locks the administrators who are not suspended, and returns their ids, the lowest first. So
 * transactions that demote, suspend or erase administrators at the same time run one after the other;
 * rows that refer to an administrator can be written meanwhile.
 */
export async function lockAdministrators(context: RequestContext): Promise<readonly number[]> {
  // The role is literal, as the index account_administrator has it.
  const administrators = await context.rows<{ id: number }>(Prisma.sql`
    SELECT id FROM account WHERE 'administrator' = ANY(roles) AND suspended_at IS NULL
    ORDER BY id FOR NO KEY UPDATE`);
  return administrators.map(({ id }) => id);
}

/** Returns the addresses of the administrators who are not suspended, with the codes of their languages. */
export const administratorAddresses = (context: RequestContext) =>
  context.rows<{ email: string; language: string }>(Prisma.sql`
    SELECT a.email, l.code AS language FROM account a JOIN language l ON l.id = a.language_id
    WHERE 'administrator' = ANY(a.roles) AND a.suspended_at IS NULL AND a.email IS NOT NULL
    ORDER BY a.id`);
