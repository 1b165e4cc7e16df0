import type { RequestContext } from '../../core/context.js';
import { refuse } from '../../core/errors.js';
import { Prisma } from '../../generated/prisma/client.js';

/**
 * Throws, within a transaction, when the viewer's session has ended or the viewer's application
 * password was revoked or its account suspended; otherwise prevents both until the transaction ends.
 * Use it for everything that outlives the caller's token, such as a password or a share. The viewer
 * of a token is cached for a second; a caller whose access was just ended must not create new access
 * in that second. Throws TOKEN_INVALID or UNAUTHENTICATED.
 */
export async function holdSignIn(context: RequestContext): Promise<void> {
  if (!context.inTransaction) throw new Error('A sign-in is held inside a transaction.');
  const { id, sessionId, applicationPasswordId } = context.viewer;
  if (sessionId) {
    const locked = await context.rows(Prisma.sql`
      SELECT 1 AS locked FROM session WHERE id = ${sessionId}::uuid AND account_id = ${id}
        AND ended_at IS NULL FOR SHARE`);
    if (locked.length === 0)
      throw refuse('TOKEN_INVALID', 'The access token is not valid. Sign in again.');
  } else if (applicationPasswordId) {
    const locked = await context.rows(Prisma.sql`
      SELECT 1 AS locked FROM application_password p JOIN account a ON a.id = p.account_id
        WHERE p.id = ${applicationPasswordId}::uuid AND a.id = ${id} AND a.suspended_at IS NULL
        FOR SHARE OF p`);
    if (locked.length === 0)
      throw refuse('UNAUTHENTICATED', 'Sorry, you are not allowed to do that.');
  }
}
