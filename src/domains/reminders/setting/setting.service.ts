import type { RequestContext } from '../../../core/context.js';
import { refuse } from '../../../core/errors.js';
import { transact } from '../../../core/transact.js';
import { isZone } from '../../../platform/zone.js';
import { zoneSourceOf } from '../../accounts/member-zone.service.js';
import { resolveMember } from '../../care/care.service.js';
import { recordChange } from '../reminder/change.service.js';
import { moveReminders, retimeReminders } from '../reminder/replan.service.js';
import { isClockTime, usualTimes } from '../schedule/times.js';
import { holdMember, memberOf } from './member.service.js';
import type { UpdateCareSettingsInput, UsualTimesInput } from './setting.inputs.js';
import { CareSettings } from './setting.types.js';

const MOST_A_DAY = 24;
/** So many times a day have usual times of their own. */
const LISTED = [1, 2, 3, 4];

/** How a member is reminded. FORBIDDEN. */
export async function careSettings(
  context: RequestContext,
  memberId: number | null | undefined,
): Promise<CareSettings> {
  return settingsOf(context, await resolveMember(context, memberId, 'see'));
}

async function settingsOf(context: RequestContext, memberId: number): Promise<CareSettings> {
  const { zone, zones, usual } = await memberOf(context, memberId);
  const counts = [...new Set([...LISTED, ...Object.keys(usual).map(Number)])].sort((a, b) => a - b);
  return Object.assign(new CareSettings(), {
    memberId,
    timeZone: zone,
    timeZoneSource: zoneSourceOf(zones),
    usualTimes: counts.map((count) => ({ count, times: usualTimes(count, usual) })),
  });
}

/** Changes how a member is reminded. FORBIDDEN, ZONE_INVALID, TIMES_INVALID. */
export async function updateCareSettings(
  context: RequestContext,
  { memberId, timeZone, usualTimes: times }: UpdateCareSettingsInput,
): Promise<CareSettings> {
  const id = await resolveMember(context, memberId, 'edit');
  if (timeZone && !(isZone(timeZone) && /^[A-Za-z]/.test(timeZone))) {
    throw refuse('ZONE_INVALID', 'A zone has an IANA name, such as Europe/Berlin.', {
      param: 'timeZone',
    });
  }
  const columns = times && columnsOf(times);
  await transact(
    context,
    async (inner) => {
      if (columns) await changeUsualTimes(inner, id, columns);
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
  inner.clearLoaders();
  await moveReminders(inner, await memberOf(inner, accountId));
  await recordChange(inner, accountId, 'care_settings.write');
}

async function changeUsualTimes(
  inner: RequestContext,
  accountId: number,
  usualTimes: string[],
): Promise<void> {
  const data = { usualTimes };
  await holdMember(inner, accountId);
  await inner.db.careSetting.upsert({
    where: { accountId },
    create: { accountId, ...data },
    update: data,
  });
  inner.clearLoaders();
  await retimeReminders(inner, await memberOf(inner, accountId));
  await recordChange(inner, accountId, 'care_settings.write');
}

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
