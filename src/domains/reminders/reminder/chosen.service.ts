import type { RequestContext } from '../../../core/context.js';
import { Prisma } from '../../../generated/prisma/client.js';

/**
 * Returns what a member's phrase was said to mean before, as the column of the schedule has it. One
 * statement.
 */
export async function chosenBefore(
  inner: RequestContext,
  accountId: number,
  { frequencyType }: { readonly frequencyType?: string | null | undefined },
): Promise<string | undefined> {
  if (!frequencyType?.trim()) return undefined;
  const [row] = await inner.rows<{ schedule: string }>(Prisma.sql`
    SELECT schedule FROM reminder
    WHERE account_id = ${accountId}::int AND kind = 'medicine'
      AND frequency_type = ${frequencyType} AND confirmed_at IS NOT NULL
      AND schedule LIKE '{"meant":%'
    ORDER BY confirmed_at DESC, id DESC LIMIT 1`);
  return row?.schedule;
}
