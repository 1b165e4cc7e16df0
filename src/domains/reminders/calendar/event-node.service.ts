import type { RequestContext } from '../../../core/context.js';
import { auditAccess } from '../../audit/audit.service.js';
import { parseEventId } from '../alert/occurrence-id.js';
import { dosesById } from '../dose/occurrence.service.js';
import { remindersById } from '../reminder/reminder.service.js';
import { visible } from '../reminder/shown-reminder.service.js';
import { memberOf } from '../setting/member.service.js';
import { type Care, eventsOf, readCare } from './calendar.service.js';
import type { CalendarEvent } from './event.types.js';

/** An event that is asked for: whose it is, and when, in milliseconds. */
interface RequestedEvent {
  readonly key: string;
  readonly accountId: number;
  readonly at: number;
}

/**
 * Returns a reader of the events of a class that the viewer may see, by the ids of their
 * occurrences. A constant number of statements for those of one member.
 */
export const eventsOfKind =
  (Kind: abstract new (...parts: never[]) => CalendarEvent) =>
  async (context: RequestContext, keys: readonly string[]): Promise<CalendarEvent[]> => {
    if (!context.viewer.id) return [];
    const asked = await Promise.all(keys.map((key) => askedFor(context, key)));
    const seen = await visible(
      context,
      asked.filter((one) => one !== undefined),
    );
    const members = [...new Set(seen.map(({ accountId }) => accountId))];
    await auditAccess(context, members, 'reminder.read');
    const found: CalendarEvent[] = [];
    for (const id of members) {
      const own = seen.filter(({ accountId }) => accountId === id);
      found.push(...(await eventsAt(context, id, own)));
    }
    return found.filter((event) => event instanceof Kind);
  };

async function askedFor(context: RequestContext, key: string): Promise<RequestedEvent | undefined> {
  const named = parseEventId(key);
  if (!named) return undefined;
  if ('doseId' in named) {
    const dose = await context.loader(dosesById).load(named.doseId);
    return dose && { key, accountId: dose.accountId, at: dose.at.getTime() };
  }
  const row = await context.loader(remindersById).load(named.reminderId);
  return row && { key, accountId: row.accountId, at: named.at };
}

/** Returns the events of a member that are asked for, as the calendar shows them. */
async function eventsAt(
  context: RequestContext,
  memberId: number,
  asked: readonly RequestedEvent[],
): Promise<CalendarEvent[]> {
  const instants = asked.map(({ at }) => at);
  const span = { from: Math.min(...instants), to: Math.max(...instants) + 1 };
  const [{ zone }, care] = [
    await memberOf(context, memberId),
    await readCare(context, [memberId], span),
  ];
  const now = context.now().getTime();
  const shown = (at: number): CalendarEvent[] =>
    eventsOf(care satisfies Care, { from: at, to: at + 1 }, { zone, now });
  return asked.flatMap(({ key, at }) => shown(at).filter(({ id }) => id === key));
}
