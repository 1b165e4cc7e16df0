import { Prisma } from '../../../generated/prisma/client.js';

const { sql, join } = Prisma;

export const all = (conditions: readonly Prisma.Sql[]) => join(conditions as Prisma.Sql[], ' AND ');
export const any = (conditions: readonly Prisma.Sql[]) =>
  sql`(${join(conditions as Prisma.Sql[], ' OR ')})`;
export const given = <T>(list: readonly T[] | null | undefined): list is readonly T[] =>
  list !== null && list !== undefined && list.length > 0;
const LARGEST_ID = 2 ** 31 - 1;
/** The original platform reads negative ids as positive ones (docs/behaviour.md 3.1). */
export const absolute = (ids: readonly number[]) =>
  ids.map((id) => Math.min(Math.abs(id), LARGEST_ID));
