import { Prisma } from '../../../generated/prisma/client.js';

/** The condition that pushes go to a row `v` of `device`. */
export const ACTIVE = Prisma.sql`v.dead_at IS NULL AND v.suspended_at IS NULL`;
