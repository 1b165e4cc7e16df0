import { setTimeout as sleep } from 'node:timers/promises';
import { transact } from '../../../src/core/transact.js';
import { updatePreference } from '../../../src/domains/notifications/preference/preference.service.js';
import { errorCode, useService } from '../../support/harness.js';

describe('How somebody wants to be told', () => {
  const service = useService();
  const ALL = 'quietStart quietEnd lockScreenNames renotifyMinutes renotifyTimes missedToCarers';
  const change = (input: object) =>
    service().graphql(
      `mutation($input: UpdateNotificationPreferenceInput!) { updateNotificationPreference(input: $input) { notificationPreference { ${ALL} } } }`,
      { input },
      { as: 'subscriber' },
    );

  it('is discreet unless the member chose otherwise', async () => {
    const { body } = await service().graphql(
      `{ notificationPreference { ${ALL} } }`,
      {},
      { as: 'subscriber' },
    );
    expect(body.data.notificationPreference).toStrictEqual({
      quietStart: null,
      quietEnd: null,
      lockScreenNames: false,
      renotifyMinutes: null,
      renotifyTimes: 0,
      missedToCarers: true,
    });
  });

  it('changes by what is given, and stays otherwise', async () => {
    await change({
      quietStart: '22:00:00',
      quietEnd: '06:30',
      renotifyMinutes: 10,
      renotifyTimes: 3,
    });
    const { body } = await change({
      lockScreenNames: true,
      missedToCarers: false,
      renotifyTimes: null,
    });
    expect(body.data.updateNotificationPreference.notificationPreference).toStrictEqual({
      quietStart: '22:00',
      quietEnd: '06:30',
      lockScreenNames: true,
      renotifyMinutes: 10,
      renotifyTimes: 3,
      missedToCarers: false,
    });
    const none = await change({ quietStart: null, quietEnd: null, renotifyMinutes: null });
    expect(
      none.body.data.updateNotificationPreference.notificationPreference.quietStart,
    ).toBeNull();
    expect(
      none.body.data.updateNotificationPreference.notificationPreference.renotifyMinutes,
    ).toBeNull();
  });

  it('changes by what is given also when two say so at once: neither takes back what the other said', async () => {
    await change({ lockScreenNames: true });
    const other = await service().context('subscriber');
    let second: Promise<unknown> | undefined;
    await transact(await service().context('subscriber'), async (inner) => {
      await updatePreference(inner, { lockScreenNames: false });
      second = updatePreference(other, { renotifyMinutes: 10 });
      await sleep(300);
    });
    await second;
    const { lockScreenNames, renotifyMinutes } =
      await service().database.prisma.notificationPreference.findFirstOrThrow();
    expect({ lockScreenNames, renotifyMinutes }).toStrictEqual({
      lockScreenNames: false,
      renotifyMinutes: 10,
    });
  });

  it('repeats reminders three times where it is said after how long, and not how often', async () => {
    const times = async (input: object) =>
      (await change(input)).body.data.updateNotificationPreference.notificationPreference
        .renotifyTimes;
    expect(await times({ renotifyMinutes: 15 })).toBe(3);
    expect(await times({ renotifyTimes: 1 })).toBe(1);
    expect(await times({ renotifyMinutes: 20 })).toBe(1);
    expect(await times({ renotifyMinutes: 20, renotifyTimes: 0 })).toBe(0);
  });

  it('ends the quiet hours by either end as null, unless the other is given a time', async () => {
    for (const input of [{ quietStart: null }, { quietEnd: null }]) {
      await change({ quietStart: '22:00', quietEnd: '06:30' });
      const { quietStart, quietEnd } = (await change(input)).body.data.updateNotificationPreference
        .notificationPreference;
      expect([quietStart, quietEnd], JSON.stringify(input)).toStrictEqual([null, null]);
    }
    await change({ quietStart: '22:00', quietEnd: '06:30' });
    for (const input of [
      { quietStart: null, quietEnd: '06:30' },
      { quietStart: '22:00', quietEnd: null },
    ])
      expect(errorCode((await change(input)).body)).toBe('QUIET_HOURS_INVALID');
    expect(
      (await change({})).body.data.updateNotificationPreference.notificationPreference.quietEnd,
    ).toBe('06:30');
  });

  it('refuses half of the quiet hours, and what is no time', async () => {
    for (const input of [{ quietStart: '22:00' }, { quietStart: '22:00', quietEnd: '22:00' }])
      expect(errorCode((await change(input)).body)).toBe('QUIET_HOURS_INVALID');
    for (const input of [
      { quietStart: '24:00', quietEnd: '06:00' },
      { renotifyMinutes: 0 },
      { renotifyTimes: 11 },
    ])
      expect(errorCode((await change(input)).body)).toBe('BAD_USER_INPUT');
  });
});
