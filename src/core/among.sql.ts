import { Prisma } from '../generated/prisma/client.js';

/**
 * Returns the condition that a column of type int is one of some values. One value is so common
 * that it has its own statement, whose plan PostgreSQL caches.
 */
export const isAmong = (column: Prisma.Sql, values: readonly number[]): Prisma.Sql =>
  values.length === 1
    ? Prisma.sql`${column} = ${values[0]}`
    : Prisma.sql`${column} = ANY(${values}::int[])`;
