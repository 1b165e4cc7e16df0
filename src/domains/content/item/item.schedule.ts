import type { RequestContext } from '../../../core/context.js';
import type { SiteMoment } from '../../../core/site-time.js';
import { instantOf } from '../../../platform/zone.js';
import { shownTime } from '../clocks.js';
import { ItemStatus } from '../content.enums.js';
import type { ItemChanges } from './item.inputs.js';
import type { ItemRow, StoredStatus } from './item.row.js';

/** Status and date of an item. `floating`: the date is that of the last save. */
export interface Timed {
  readonly status: StoredStatus;
  readonly publishedAt: Date;
  readonly floating: boolean;
}

type DatedRow = Timed & Pick<ItemRow, 'clocks'>;

/** Clocks of phones are ahead by seconds: an item is scheduled from so many milliseconds on. */
const SCHEDULED_FROM = 60_000;

/**
 * Returns status and date after a change. A date that is given holds. Without one, the date of a
 * draft floats with every save until it is published. An item that is to be published a minute
 * later or more is `future`; a `future` item whose time has come is published.
 */
export function schedule(
  context: RequestContext,
  row: DatedRow | undefined,
  changes: ItemChanges,
): Timed {
  const { publishedAt: moment, date, dateGmt, status: asked } = changes;
  const now = context.now();
  const status = asked ?? row?.status ?? ItemStatus.DRAFT;
  const given = dateGiven(context, row, changes);
  const reset = moment === null || date === null || (dateGmt === null && !date);
  const kept = row && !row.floating && !reset ? row.publishedAt : undefined;
  const named = moment ?? (given && instantOf(given, context.site.timeZone));
  const publishedAt = named ?? kept ?? now;
  const unpublished = status === 'draft' || status === 'pending' || status === 'auto-draft';
  const floating = !named && !kept && unpublished;
  if (status !== ItemStatus.PUBLISH && status !== ItemStatus.FUTURE)
    return { status, publishedAt, floating };
  return {
    status:
      publishedAt.getTime() - now.getTime() >= SCHEDULED_FROM
        ? ItemStatus.FUTURE
        : ItemStatus.PUBLISH,
    publishedAt,
    floating: false,
  };
}

/**
 * Returns the date that a change gives by the fields of REST. A client sends back all that it read,
 * so a date that the item shows is none, and `dateGmt` does not count beside it. That of a floating
 * draft alone is one: it has no such date yet.
 */
function dateGiven(
  context: RequestContext,
  row: DatedRow | undefined,
  { date, dateGmt }: ItemChanges,
): SiteMoment | undefined {
  if (date) return row && shows(context, row, date) ? undefined : date;
  if (!dateGmt || (row && !row.floating && shows(context, row, dateGmt))) return undefined;
  return dateGmt;
}

/** Whether a date is the one that an item shows, in whole seconds. */
function shows({ site }: RequestContext, row: DatedRow, moment: SiteMoment): boolean {
  const { publishedAt } = row;
  if (moment.offset === undefined)
    return text(moment.local) === shownTime(row, publishedAt, site.timeZone);
  return text(instantOf(moment, site.timeZone).getTime()) === text(publishedAt.getTime());
}

const text = (milliseconds: number) => new Date(milliseconds).toISOString().slice(0, 19);
