import type { RequestContext } from '../../../core/context.js';
import { instantOf } from '../../../platform/zone.js';
import { ItemStatus } from '../content.enums.js';
import type { ItemChanges } from './item.inputs.js';
import type { StoredStatus } from './item.row.js';

/** Status and date of an item. `floating`: the date is that of the last save. */
export interface Timed {
  readonly status: StoredStatus;
  readonly publishedAt: Date;
  readonly floating: boolean;
}

/**
 * Returns status and date after a change. A date that is given holds. Without one, the date of a
 * draft floats with every save until it is published. An item that is to be published later is
 * `future`; a `future` item whose time has come is published.
 */
export function schedule(
  context: RequestContext,
  row: Timed | undefined,
  { publishedAt: moment, date, dateGmt, status: asked }: ItemChanges,
): Timed {
  const now = context.now();
  const status = asked ?? row?.status ?? ItemStatus.DRAFT;
  const given = date ?? dateGmt;
  const reset = moment === null || date === null || (dateGmt === null && !date);
  const kept = row && !row.floating && !reset ? row.publishedAt : undefined;
  const named = moment ?? (given && instantOf(given, context.site.timeZone));
  const publishedAt = named ?? kept ?? now;
  const unpublished = status === 'draft' || status === 'pending' || status === 'auto-draft';
  const floating = !named && !kept && unpublished;
  if (status !== ItemStatus.PUBLISH && status !== ItemStatus.FUTURE)
    return { status, publishedAt, floating };
  return {
    status: publishedAt > now ? ItemStatus.FUTURE : ItemStatus.PUBLISH,
    publishedAt,
    floating: false,
  };
}
