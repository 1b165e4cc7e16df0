import type { RequestContext } from '../../../core/context.js';
import { Prisma, type Reminder } from '../../../generated/prisma/client.js';
import { dayOf } from '../../../platform/moment.js';
import { instantAt, localAt } from '../../../platform/zone.js';
import { type Planned, scheduleOf, startAtOf } from '../alert/planned.js';
import { byReminder, GRACE } from '../calendar/occurrences.js';
import { expand } from '../schedule/schedule.js';
import { withheldOf } from './withheld.js';

const DAY = 24 * 60 * 60_000;
/** Former plans of longer ago keep nothing apart: half of a year is the longest distance. */
const LOOKED_BACK = 366 * DAY;

/**
 * Finds out which doses of medicines do not come, since another one takes their place, and keeps
 * that with the reminders. For whoever has changed plans, before planning alerts. Returns whether that
 * has changed. At most four statements.
 */
export async function withhold(
  inner: RequestContext,
  ids: readonly number[],
  edited = false,
): Promise<boolean> {
  const now = inner.now().getTime();
  const where = { id: { in: [...ids] }, kind: 'medicine' };
  const rows = await inner.db.reminder.findMany({ where });
  const looked = { reminderId: { in: [...ids] }, toAt: { gt: new Date(now - LOOKED_BACK) } };
  if (rows.length === 0) return false;
  const plans = byReminder(await inner.db.pastPlan.findMany({ where: looked }));
  const changed = rows.filter(({ id, withheld }) => plans.has(id) || withheld.length > 0);
  const distances = new Map<Planned, number>();
  for (const plan of [...changed, ...changed.flatMap(({ id }) => plans.get(id) ?? [])])
    distances.set(plan, leastDistance(plan));
  const since = now - Math.max(GRACE, ...distances.values());
  const answers = await answersOf(inner, rows, since);
  // A plan that nobody has changed before may have doses that were taken before their time.
  const concerned = rows.filter((row) => changed.includes(row) || answers.has(row.id));
  const made = concerned.map((reminder) => ({
    reminder,
    withheld: withheldOf({
      reminder,
      past: plans.get(reminder.id) ?? [],
      answers: answers.get(reminder.id) ?? new Map(),
      distanceOf: (plan) => distances.get(plan) ?? leastDistance(plan),
      now,
      midnight: instantAt(dayOf(localAt(now, reminder.zone)) + DAY, reminder.zone),
      edited,
    }),
  }));
  return keep(inner, made);
}

/**
 * Returns how occurrences of reminders from an instant on were answered, by reminder and instant.
 */
async function answersOf(
  inner: RequestContext,
  reminders: readonly Reminder[],
  since: number,
): Promise<Map<number, Map<number, string>>> {
  const ids = reminders.map(({ id }) => id);
  const doses = await inner.db.dose.findMany({
    where: { reminderId: { in: ids }, plannedAt: { gte: new Date(since) }, extra: false },
    select: { reminderId: true, plannedAt: true, answer: true },
  });
  const answers = new Map<number, Map<number, string>>();
  for (const { reminderId, plannedAt, answer } of doses) {
    const given = answers.get(reminderId as number) ?? new Map<number, string>();
    answers.set(reminderId as number, given.set((plannedAt as Date).getTime(), answer));
  }
  return answers;
}

/** Writes what is withheld now, of the reminders of which that has changed. Returns whether it has. */
async function keep(
  inner: RequestContext,
  made: readonly { reminder: Reminder; withheld: readonly number[] }[],
): Promise<boolean> {
  const changed = made.filter(
    ({ reminder, withheld }) =>
      withheld.join() !== reminder.withheld.map((at) => at.getTime()).join(),
  );
  if (changed.length === 0) return false;
  const texts = changed.map(({ withheld }) =>
    withheld.map((at) => new Date(at).toISOString()).join(' '),
  );
  await inner.db.$executeRaw(Prisma.sql`
    UPDATE reminder SET withheld = string_to_array(made.at, ' ')::timestamptz[]
    FROM unnest(${changed.map(({ reminder }) => reminder.id)}::int[], ${texts}::text[])
      AS made(id, at) WHERE reminder.id = made.id`);
  return true;
}

/** How many occurrences the interval is taken of: those of a day, 24 at most, come round again. */
const SAMPLE = 25;
const END_OF_TIME = Date.UTC(9999, 11, 30);

/**
 * Returns how close to a dose of this plan one of another plan may come, in milliseconds: half of
 * the usual interval, which is the mean of the first occurrences over whole rounds of the clock;
 * less where the plan itself has doses closer to each other. 0 for what comes once.
 */
export function leastDistance(plan: Planned): number {
  const found: { at: number; local: number }[] = [];
  for (const one of expand(scheduleOf(plan), startAtOf(plan) - DAY, END_OF_TIME)) {
    if (found.push(one) === SAMPLE) break;
  }
  const [first] = found;
  if (!first || found.length < 2) return 0;
  const clock = first.local % DAY;
  const rounds = found.flatMap(({ local }, i) => (i > 0 && local % DAY === clock ? [i] : []));
  const last = rounds.at(-1) ?? found.length - 1;
  const mean = ((found[last]?.at ?? first.at) - first.at) / last;
  const gaps = found.slice(1).map(({ at }, i) => at - (found[i]?.at ?? at));
  return Math.min(mean / 2, ...gaps);
}
