import type { RequestContext } from '../../../core/context.js';
import { refuse } from '../../../core/errors.js';
import { refuseStale } from '../../../core/row.js';
import { transact } from '../../../core/transact.js';
import { isZone } from '../../../platform/zone.js';
import { zoneSourceOf } from '../../accounts/member-zone.service.js';
import { auditAccess } from '../../audit/audit.service.js';
import { resolveMember } from '../../care/care.service.js';
import { recordChange } from '../reminder/change.service.js';
import { moveReminders, retimeReminders } from '../reminder/replan.service.js';
import { anchorColumn, dayTimesOf, isDayInOrder } from '../schedule/day-times.js';
import { isClockTime, usualTimes } from '../schedule/times.js';
import { holdMember, memberOf } from './member.service.js';
import type { DayTimesInput, UpdateCareSettingsInput, UsualTimesInput } from './setting.inputs.js';
import { CareSettings } from './setting.types.js';

const MOST_A_DAY = 24;
/** So many times a day have usual times of their own. */
const LISTED = [1, 2, 3, 4];

/** Returns how a member is reminded. Throws FORBIDDEN. */
export async function careSettings(
  context: RequestContext,
  memberId: number | null | undefined,
): Promise<CareSettings> {
  return settingsOf(context, await resolveMember(context, memberId, 'see'));
}

async function settingsOf(context: RequestContext, memberId: number): Promise<CareSettings> {
  await auditAccess(context, memberId, 'care_settings.read');
  const member = await memberOf(context, memberId);
  const { zone, zones, usual } = member;
  const counts = [...new Set([...LISTED, ...Object.keys(usual).map(Number)])].sort((a, b) => a - b);
  return Object.assign(new CareSettings(), {
    memberId,
    timeZone: zone,
    timeZoneSource: zoneSourceOf(zones),
    usualTimes: counts.map((count) => ({ count, times: usualTimes(count, usual) })),
    dayTimes: dayTimesOf(member),
    version: member.settingsVersion,
  });
}

/** Changes how a member is reminded. Throws FORBIDDEN, ZONE_INVALID, TIMES_INVALID, CONFLICT. */
export async function updateCareSettings(
  context: RequestContext,
  { memberId, timeZone, usualTimes: times, dayTimes, version }: UpdateCareSettingsInput,
): Promise<CareSettings> {
  const id = await resolveMember(context, memberId, 'edit');
  if (timeZone && !(isZone(timeZone) && /^[A-Za-z]/.test(timeZone))) {
    throw refuse('ZONE_INVALID', 'A zone has an IANA name, such as Europe/Berlin.', {
      param: 'timeZone',
    });
  }
  const columns = {
    ...(times && { usualTimes: columnsOf(times) }),
    ...(dayTimes && { dayTimes: anchorColumn(setIn(dayTimes)) }),
  };
  await transact(
    context,
    async (inner) => {
      await holdMember(inner, id);
      const { settingsVersion } = await memberOf(inner, id);
      refuseStale('settings', { version: settingsVersion }, version);
      if (times || dayTimes) await changeTimes(inner, id, columns);
      if (timeZone) await changeZone(inner, id, timeZone);
      return id;
    },
    { replayable: true },
  );
  return settingsOf(context, id);
}

/**
 * Sets the zone of an account's profile, or forgets it, and lets its reminders follow. Within a
 * transaction; the one place where an account's zone changes.
 */
export async function changeZone(
  inner: RequestContext,
  accountId: number,
  timeZone: string | null,
): Promise<void> {
  await holdMember(inner, accountId);
  await inner.db.account.update({
    where: { id: accountId },
    data: { timeZone },
    select: { id: true },
  });
  await countChange(inner, accountId, {});
  await moveReminders(inner, await memberOf(inner, accountId));
  await recordChange(inner, accountId, 'care_settings.write');
}

/** Changes the columns of the settings, counts it, and has the member read again. */
async function countChange(
  inner: RequestContext,
  accountId: number,
  data: { usualTimes?: string[]; dayTimes?: string[] },
): Promise<void> {
  await inner.db.careSetting.upsert({
    where: { accountId },
    create: { accountId, ...data, version: 1 },
    update: { ...data, version: { increment: 1 } },
  });
  inner.clearLoaders();
}

/** Throws TIMES_INVALID for a day that is not in order, before anything is retimed. */
async function changeTimes(
  inner: RequestContext,
  accountId: number,
  data: { usualTimes?: string[]; dayTimes?: string[] },
): Promise<void> {
  const before = await memberOf(inner, accountId);
  await countChange(inner, accountId, data);
  const member = await memberOf(inner, accountId);
  if (data.dayTimes && !isDayInOrder(member)) throw outOfOrder();
  await retimeReminders(inner, member, before);
  await recordChange(inner, accountId, 'care_settings.write');
}

const outOfOrder = () =>
  refuse(
    'TIMES_INVALID',
    'The times of a day go from waking over breakfast, lunch and dinner to bedtime, no two ' +
      'together. Those that are not given have the usual times.',
    { param: 'dayTimes' },
  );

const setIn = ({ waking: wake, breakfast, lunch, dinner, bedtime }: DayTimesInput) => ({
  ...(wake && { wake }),
  ...(breakfast && { breakfast }),
  ...(lunch && { lunch }),
  ...(dinner && { dinner }),
  ...(bedtime && { bedtime }),
});

/** Usual times as the column holds them: the times for n a day at place n. */
function columnsOf(lists: readonly UsualTimesInput[]): string[] {
  const columns: string[] = [];
  for (const { times } of lists) {
    const inOrder = times.every(
      (time, i) => isClockTime(time) && (i === 0 || time > (times[i - 1] as string)),
    );
    if (times.length === 0 || times.length > MOST_A_DAY || !inOrder || columns[times.length - 1]) {
      throw refuse(
        'TIMES_INVALID',
        'Usual times are 1 to 24 clock times in order, such as 08:00, and one list for each ' +
          'number of times.',
        {
          param: 'usualTimes',
        },
      );
    }
    columns[times.length - 1] = times.join(' ');
  }
  return Array.from(columns, (times) => times ?? '');
}
