import { Prisma } from '../../../generated/prisma/client.js';

/**
 * Returns the condition that a reminder r has something to show after an instant, in milliseconds:
 * it was not deleted, or it is a medicine of which doses may have been missed until it was.
 */
export const shownAfter = (from: number): Prisma.Sql => Prisma.sql`(r.deleted_at IS NULL
  OR r.kind = 'medicine' AND r.recognized
    AND r.deleted_at > ${new Date(from).toISOString()}::timestamptz)`;
