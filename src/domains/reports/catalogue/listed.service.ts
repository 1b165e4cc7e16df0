import type { RequestContext } from '../../../core/context.js';
import { Prisma } from '../../../generated/prisma/client.js';
import type { ReadNames } from './names.js';

/** A dimension whose values are those of a list, and what cells have from other versions of it. */
interface Listed {
  /** Name of the subject. */
  readonly subject: string;
  /** Name of the dimension. */
  readonly name: string;
  readonly values: readonly string[];
  /** Returns whether there is a value that is not named when values are listed. */
  readonly isKnown?: (value: string) => boolean;
  /** How many eligible accounts share a value of cells that counts, at least. Default: none. */
  readonly sharedBy?: number;
}

/**
 * Returns what reads the values of a list and, where others are asked about, those of cells: what
 * was counted stays a value when its kind is deleted or its zone is renamed.
 */
export function listed(of: Listed): ReadNames {
  const all: ReadonlySet<string> = new Set(of.values);
  return async (context, values) => {
    const isKnown = (value: string) => all.has(value) || of.isKnown?.(value) === true;
    const others = values?.filter((value) => !isKnown(value));
    const stored = others?.length === 0 ? [] : await storedValues(context, of, others);
    const named = values ? values.filter(isKnown) : of.values;
    return new Map([...named, ...stored].map((value) => [value, value]));
  };
}

/**
 * Returns what reads names as `read` does, and knows without a name what was counted and is gone since:
 * values of cells that so many eligible accounts share.
 */
export const orGone =
  (read: ReadNames, of: Omit<Listed, 'values' | 'isKnown'>): ReadNames =>
  async (context, values) => {
    const names = await read(context, values);
    const missing = values?.filter((value) => !names.has(value)) ?? [];
    const stored = missing.length === 0 ? [] : await storedValues(context, of, missing);
    return new Map([...names, ...stored.map((value) => [value, null] as const)]);
  };

/** How many values of cells a refusal names at most. */
const MOST_STORED = 100;

async function storedValues(
  context: RequestContext,
  { subject, name, sharedBy = 0 }: Omit<Listed, 'values' | 'isKnown'>,
  values: readonly string[] | undefined,
): Promise<string[]> {
  const among = values ? Prisma.sql`keys[1] = ANY(${[...values]}::text[])` : Prisma.sql`true`;
  const rows = await context.rows<{ value: string }>(Prisma.sql`
    SELECT DISTINCT keys[1] AS value FROM report_cell
    WHERE subject = ${subject} AND grid = ${name} AND keys[1] <> '' AND ${among}
      AND coalesce(eligible, accounts) >= ${sharedBy}::int
    ORDER BY value LIMIT ${MOST_STORED}::int`);
  return rows.map(({ value }) => value);
}
