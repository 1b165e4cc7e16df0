import type { RequestContext } from '../../core/context.js';
import { localText } from '../../platform/moment.js';
import { localAt } from '../../platform/zone.js';
import { accountsById } from '../accounts/account.service.js';
import { languagesOfAccounts } from '../accounts/account-language.service.js';
import { paidEvents, readCare } from '../reminders/calendar/calendar.service.js';
import { spanOf } from '../reminders/calendar/span.js';
import { memberOf } from '../reminders/setting/member.service.js';
import { LATENESS, punctualityOf } from './catalogue/punctuality.js';
import { reminderAgeOf } from './catalogue/reminder-age.js';
import { bucketsWith, exactName } from './catalogue/spread.js';
import { factsOf } from './dose-fact.js';
import type { Cell } from './fold.js';
import { type Period, weekdayOf } from './period.js';

const DAY = 24 * 60 * 60 * 1000;
const MOST_COUNTED = 50_000;

/** Today by the clocks of the viewer. */
export async function ownToday(context: RequestContext): Promise<string> {
  const { zone } = await memberOf(context, context.viewer.id);
  return localText(localAt(context.now().getTime(), zone)).slice(0, 10);
}

/**
 * Returns what became of the viewer's own doses, each as a cell of its own, exactly. Throws
 * RANGE_TOO_LONG beyond 366 days.
 */
export async function ownCells(context: RequestContext, { from, to }: Period): Promise<Cell[]> {
  const { id } = context.viewer;
  const member = await memberOf(context, id);
  const now = context.now().getTime();
  const span = spanOf(member, now, from, to);
  const [care, language] = await Promise.all([readCare(context, [id], span), languageOf(context)]);
  // An answer may come before its time, so the day ahead is looked at too.
  const until = { ...span, to: Math.min(span.to, now + DAY) };
  const events = await paidEvents(context, care, until, {
    zone: member.zone,
    now,
    most: MOST_COUNTED,
    use: 'counted',
  });
  return factsOf(events, care).map(
    ({ at: _, day: date, outcome, lateMinutes, reminderDays, ...values }) => ({
      date,
      values: {
        ...values,
        language,
        weekday: weekdayOf(date),
        punctuality: punctualityOf(outcome, lateMinutes),
        reminderAge: reminderAgeOf(reminderDays),
      },
      numbers: () => ({
        sums: Object.fromEntries(
          [
            outcome,
            ...bucketsWith(LATENESS, lateMinutes),
            ...(lateMinutes === null ? [] : [exactName(LATENESS, lateMinutes)]),
          ].map((name) => [name, { value: 1, bound: 0 }]),
        ),
      }),
    }),
  );
}

/** Returns the tag of the viewer's language. */
async function languageOf(context: RequestContext): Promise<string | null> {
  const account = await context.loader(accountsById).load(context.viewer.id);
  const language = account && (await context.loader(languagesOfAccounts).load(account.languageId));
  return language?.code ?? null;
}
