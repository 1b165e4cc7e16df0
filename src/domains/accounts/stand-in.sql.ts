import { Prisma } from '../../generated/prisma/client.js';
import type { Account } from './account.types.js';

const NAME = 'unknown author';

/** Returns the user name of the stand-in for an author of the original who is gone, by the number there. */
export const standInName = (id: number): string => (id === 0 ? NAME : `${NAME} ${id}`);

/** Whether an account stands in for an author who is gone: it has no role, and nobody signs in to it. */
export const isStandIn = ({ id, username, email, roles }: Account): boolean =>
  username === standInName(id) && email === null && roles.length === 0;

/** Returns SQL of whether the account of an alias is a stand-in. */
export const standsIn = (alias: string): Prisma.Sql =>
  Prisma.raw(`(${alias}.username_key = rtrim(concat('${NAME} ', nullif(${alias}.id, 0)))
    AND ${alias}.email IS NULL AND ${alias}.password_hash IS NULL AND ${alias}.roles = '{}')`);
