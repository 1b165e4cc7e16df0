import { setImmediate } from 'node:timers/promises';
import type { RequestContext } from '../../../core/context.js';
import { DomainError } from '../../../core/errors.js';
import { pointsOfDirection } from '../../../core/quota.js';
import { isRemembered, type Partial, partsRead } from '../schedule/words/partial.js';

/**
 * Returns what of frequencies was read and what was not (`partsRead`), in their order, for
 * `context.loader`. A request pays for each by its length, unless it was asked for lately, and lets
 * other requests go first: a long one takes tens of milliseconds. Throws TOO_MANY_REQUESTS when the
 * quota does not cover them.
 */
export async function partsOf(
  context: RequestContext,
  frequencies: readonly string[],
): Promise<Partial[]> {
  const parts: Partial[] = [];
  for (const frequency of frequencies) {
    if (!isRemembered(frequency)) {
      const spent = await context.quota.add(pointsOfDirection(frequency.length));
      if (spent) throw new DomainError(spent);
      await setImmediate();
    }
    parts.push(partsRead(frequency));
  }
  return parts;
}
