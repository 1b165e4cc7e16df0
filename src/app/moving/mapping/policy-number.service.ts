import type { RequestContext } from '../../../core/context.js';

/** Returns the highest number of a policy in each language. */
export async function mostNumber({ db }: RequestContext): Promise<Map<number, number>> {
  const rows = await db.policy.groupBy({ by: ['languageId'], _max: { number: true } });
  return new Map(rows.map(({ languageId, _max }) => [languageId, _max.number ?? 0]));
}
