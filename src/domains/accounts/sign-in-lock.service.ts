import type { RequestContext } from '../../core/context.js';
import { refuse } from '../../core/errors.js';
import { Prisma } from '../../generated/prisma/client.js';

/**
 * Refuses, within a transaction, whoever signed in by a session that has ended or an application
 * password that was revoked, and keeps both from ending until the transaction does. For whatever
 * outlives the caller's token, such as a password or a share: who a request is from is remembered
 * for a second, and in that second somebody who was just locked out must not make a new way in.
 * TOKEN_INVALID, UNAUTHENTICATED.
 */
export async function holdSignIn(context: RequestContext): Promise<void> {
  if (!context.inTransaction) throw new Error('A sign-in is held inside a transaction.');
  const { id, sessionId, applicationPasswordId } = context.viewer;
  if (sessionId) {
    const held = await context.rows(Prisma.sql`
      SELECT 1 AS held FROM session WHERE id = ${sessionId}::uuid AND account_id = ${id} AND ended_at IS NULL FOR SHARE`);
    if (held.length === 0)
      throw refuse('TOKEN_INVALID', 'The access token is not valid. Sign in again.');
  } else if (applicationPasswordId) {
    const held = await context.rows(Prisma.sql`
      SELECT 1 AS held FROM application_password WHERE id = ${applicationPasswordId}::uuid AND account_id = ${id} FOR SHARE`);
    if (held.length === 0)
      throw refuse('UNAUTHENTICATED', 'Sorry, you are not allowed to do that.');
  }
}
