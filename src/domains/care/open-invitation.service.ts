import type { RequestContext } from '../../core/context.js';

/**
 * Ends the open invitations of a member to somebody whose care ends or is lowered: a code that was sent
 * before would give back what was taken. In the transaction of that change, one statement.
 */
export async function endInvitationsTo(
  context: RequestContext,
  memberId: number,
  carerId: number,
): Promise<void> {
  await context.db.$executeRaw`
    UPDATE care_invitation i SET ended_at = ${context.now().toISOString()}::timestamptz FROM account a
    WHERE a.id = ${carerId}::int AND i.member_id = ${memberId}::int AND i.ended_at IS NULL
      AND i.to_key IN (a.username_key, a.email_key)`;
}
