import { useService } from '../../support/harness.js';
import { token, World } from './life/world.js';

const HOUR = 60 * 60_000;
const MINA = 'mina';

/**
 * What goes out after a plan was changed, found in lives at random (life.test.ts). All instants are
 * in UTC.
 */
describe('A plan that is changed', () => {
  const service = useService();
  let world: World;
  /** The instants of the pushes so far. */
  let told: string[];

  beforeEach(async () => {
    world = new World(service(), 1);
    told = [];
    await world.account(MINA);
    await world.register(MINA, token('phone'));
  });

  const at = (instant: string) => {
    world.now = Date.parse(`${instant}Z`);
  };
  const short = (instant: number) => new Date(instant).toISOString().slice(8, 16);
  const medicine = async (fields: object, headers = {}) => {
    const { id } = await world.create(
      MINA,
      'medicine',
      { frequency_type: 'daily', ...fields },
      headers,
    );
    return id as number;
  };
  const edit = async (id: number, fields: object, headers = {}) =>
    expect(await world.update(MINA, 'medicine', id, fields, headers)).toBeUndefined();
  const fly = (timeZone: string) =>
    world.mutate(
      MINA,
      'updateCareSettings',
      'UpdateCareSettingsInput',
      { timeZone },
      '{ careSettings { timeZone } }',
    );
  const usually = (...lists: string[][]) => {
    const usualTimes = lists.map((times) => ({ times }));
    return world.mutate(
      MINA,
      'updateCareSettings',
      'UpdateCareSettingsInput',
      { usualTimes },
      '{ careSettings { timeZone } }',
    );
  };
  const calendar = (from: string, to: string) =>
    world.calendar(MINA, Date.parse(`${from}Z`), Date.parse(`${to}Z`), true, {});
  const days = async (from: string, to: string) =>
    (await calendar(from, to)).map((event) => short(event.at));
  const answer = async (what: 'take' | 'skip' | 'snooze' | 'undo', instant: string, more = {}) => {
    const due = Date.parse(`${instant}Z`);
    const [event] = await calendar(instant, instant);
    expect(event?.at, `nothing comes at ${instant}`).toBe(due);
    const type = `${what[0]?.toUpperCase()}${what.slice(1)}DoseInput`;
    return world.tried(
      MINA,
      `${what}Dose`,
      type,
      { occurrenceId: event?.id, ...more },
      '{ event { id } }',
    );
  };
  /** Lets the jobs run until an instant; answers when pushes went out. */
  const until = async (instant: string): Promise<string[]> => {
    const end = Date.parse(`${instant}Z`);
    const before = told.length;
    for (
      let next = world.now;
      next <= end;
      next = Math.min(await world.nextPlanned(), world.now + HOUR)
    ) {
      world.now = Math.max(world.now, next);
      for (const { occurrences } of await world.round())
        for (const _ of occurrences) told.push(short(world.now));
    }
    world.now = end;
    return told.slice(before);
  };

  describe('by an edit', () => {
    it('leaves a dose put off that was put off before its time, and comes once', async () => {
      at('2026-03-10T07:00');
      const id = await medicine({ start_date: '2026-03-09T08:00:00' });
      await answer('snooze', '2026-03-10T08:00', { minutes: 45 });
      await edit(id, { end_date: '2026-03-11' });
      expect(await until('2026-03-11T12:00')).toStrictEqual(['10T08:45', '11T08:00']);
    });

    it('comes at its time again when it was put off, moved away and moved back', async () => {
      at('2026-03-10T07:00');
      const id = await medicine({ start_date: '2026-03-09T08:00:00' });
      await answer('snooze', '2026-03-10T08:00', { minutes: 45 });
      await edit(id, { start_date: '2026-03-09T09:00:00' });
      await edit(id, { start_date: '2026-03-09T08:00:00' });
      expect(await until('2026-03-10T20:00')).toStrictEqual(['10T08:00']);
    });

    it('of the end keeps the clock time by which it comes where the member is by now', async () => {
      at('2026-03-10T12:00');
      await fly('Europe/Berlin');
      const id = await medicine({ start_date: '2026-03-09T08:00:00+01:00' });
      await fly('America/New_York');
      await edit(id, { start_date: '2026-03-09T08:00:00+01:00', end_date: '2026-03-12' });
      expect(await until('2026-03-13T12:00'), '08:00 in New York').toStrictEqual([
        '11T12:00',
        '12T12:00',
      ]);
    });

    it('of the end keeps the rhythm of elapsed hours', async () => {
      at('2026-03-10T12:00');
      await fly('Europe/Berlin');
      const id = await medicine({
        frequency_type: 'every_12_hours',
        start_date: '2026-03-10T08:00:00',
      });
      await fly('America/New_York');
      await edit(id, { end_date: '2026-03-11' });
      expect(await until('2026-03-12T12:00')).toStrictEqual(['10T19:00', '11T07:00', '11T19:00']);
    });

    it('of the end keeps the days, and the count, of what has no start date', async () => {
      at('2026-03-10T06:00');
      const other = await medicine({ frequency_type: 'every_other_day' });
      const counted = await medicine({ frequency_type: 'FREQ=DAILY;COUNT=3' });
      await until('2026-03-11T12:00');
      for (const id of [other, counted]) await edit(id, { end_date: '2026-03-20' });
      expect(await until('2026-03-15T12:00')).toStrictEqual(['12T08:00', '12T08:00', '14T08:00']);
    });

    it('of the end loses nothing of the day on which usual times changed', async () => {
      at('2026-03-09T12:00');
      await usually(['20:00']);
      const id = await medicine({ start_date: '2026-03-09' });
      at('2026-03-10T12:00');
      await usually(['08:00']);
      await edit(id, { end_date: '2026-03-12' });
      expect(await until('2026-03-11T12:00')).toStrictEqual(['10T20:00', '11T08:00']);
    });

    it('to a clock time of this minute comes now', async () => {
      at('2026-03-10T07:00:20');
      const id = await medicine({ start_date: '2026-03-09T09:00:00' });
      await edit(id, { start_date: '2026-03-09T07:00:00' });
      expect(await until('2026-03-10T20:00')).toStrictEqual(['10T07:00']);
      expect(await days('2026-03-10T00:00', '2026-03-10T23:00')).toStrictEqual(['10T07:00']);
    });

    it('to the clock time that was the usual one stays there when usual times change', async () => {
      at('2026-03-09T12:00');
      const id = await medicine({ start_date: '2026-03-09' });
      await edit(id, { start_date: '2026-03-09T08:00:00' });
      await usually(['10:00']);
      expect(await until('2026-03-11T12:00')).toStrictEqual(['10T08:00', '11T08:00']);
    });

    it('of the end, after a standstill of the planner, loses nothing', async () => {
      at('2026-03-08T12:00');
      const id = await medicine({ start_date: '2026-03-07T08:00:00' });
      at('2026-03-12T08:10');
      await edit(id, { end_date: '2026-03-20' });
      expect(await until('2026-03-12T20:00')).toStrictEqual(['12T08:10']);
    });

    it('to days that are over misses nothing of them, since nobody was reminded', async () => {
      at('2026-03-01T12:00');
      const needed = await medicine({ start_date: '2026-03-01', frequency_type: 'as_needed' });
      const ahead = await medicine({ start_date: '2026-04-01T08:00:00' });
      const unread = await medicine({
        start_date: '2026-03-01T08:00:00',
        frequency_type: 'when the moon is full',
      });
      at('2026-03-10T12:00');
      for (const id of [needed, unread]) await edit(id, { frequency_type: 'daily' });
      await edit(ahead, { start_date: '2026-03-02T08:00:00' });
      expect(await days('2026-03-01T00:00', '2026-03-11T09:00')).toStrictEqual([
        '11T08:00',
        '11T08:00',
        '11T08:00',
      ]);
    });

    it('to a rule comes at the usual time, not at the minute in which it was made', async () => {
      at('2026-03-10T10:17');
      const [needed, several] = [
        await medicine({ frequency_type: 'as_needed' }),
        await medicine({ frequency_type: 'twice_a_day' }),
      ];
      for (const id of [needed, several])
        await edit(id, { frequency_type: 'FREQ=WEEKLY;BYDAY=WE' });
      expect(await until('2026-03-12T12:00')).toStrictEqual(['11T08:00', '11T08:00']);
    });

    it('in the minute of a dose leaves carers to be told of it', async () => {
      const anna = await world.account('anna');
      at('2026-03-10T07:00');
      const id = await medicine({ start_date: '2026-03-09T08:00:00' });
      await world.care(await world.account(MINA), anna, 'see');
      await world.register('anna', token('anna'));
      await until('2026-03-10T08:00');
      world.now += 1;
      await edit(id, { frequency_type: 'as_needed' });
      expect(await until('2026-03-10T12:00')).toStrictEqual(['10T10:00']);
    });

    it('to words that are not understood leaves what came to be answered for', async () => {
      at('2026-03-09T07:55');
      const id = await medicine({ start_date: '2026-03-09T08:00:00' });
      at('2026-03-10T08:05');
      await edit(id, { frequency_type: 'when the moon is full' });
      expect(await answer('take', '2026-03-10T08:00')).toBeUndefined();
      const events = await calendar('2026-03-09T00:00', '2026-03-11T00:00');
      expect(events.map(({ status }) => status)).toStrictEqual(['missed', 'taken']);
    });

    it('from another zone takes all reminders along, and nothing comes twice', async () => {
      at('2026-03-10T06:00');
      const [id] = [
        await medicine({ start_date: '2026-03-09T08:00:00' }, { 'time-zone': 'Europe/Berlin' }),
        await medicine({ start_date: '2026-03-09T09:30:00' }, { 'time-zone': 'Europe/Berlin' }),
      ];
      await until('2026-03-10T09:00');
      await edit(id, { end_date: '2026-03-20' }, { 'time-zone': 'America/New_York' });
      expect(told).toStrictEqual(['10T07:00', '10T08:30']);
      expect(await until('2026-03-11T16:00'), '08:00 and 09:30 in New York').toStrictEqual([
        '11T12:00',
        '11T13:30',
      ]);
    });
  });

  describe('by a move to another zone', () => {
    it('loses nothing of the day when the member comes back from further east', async () => {
      at('2026-03-10T11:00');
      await fly('America/New_York');
      await medicine({ frequency_type: '3_times_a_day', start_date: '2026-03-09' });
      await fly('Asia/Tokyo');
      await fly('America/New_York');
      const day = ['10T12:00', '10T18:00', '11T00:00', '11T12:00'];
      expect(
        await until('2026-03-11T12:00'),
        'at 08:00, 14:00 and 20:00 in New York',
      ).toStrictEqual(day);
      expect(await days('2026-03-10T11:00', '2026-03-11T13:00')).toStrictEqual(day);
    });

    it('loses nothing of the day when usual times change on it too', async () => {
      at('2026-03-10T11:00');
      await fly('America/New_York');
      await medicine({ frequency_type: '3_times_a_day', start_date: '2026-03-09' });
      await fly('Asia/Tokyo');
      await usually(['08:00'], ['08:00', '20:00'], ['07:00', '13:00', '19:00']);
      const both = ['10T12:00', '10T18:00', '10T22:00', '11T04:00'];
      expect(
        await until('2026-03-11T05:00'),
        '08:00 and 14:00 in New York, 07:00 and 13:00 in Tokyo; 20:00 is two hours from 07:00',
      ).toStrictEqual(both);
    });

    it('does not bring a dose again that was answered before its time', async () => {
      at('2026-03-10T06:00');
      await fly('Europe/Berlin');
      await medicine({ frequency_type: 'twice_a_day', start_date: '2026-03-09' });
      await answer('take', '2026-03-10T07:00');
      await fly('America/New_York');
      expect(await until('2026-03-11T16:00'), 'not at 08:00 in New York, 12:00').toStrictEqual([
        '11T00:00',
        '11T12:00',
      ]);
    });

    it('while clocks show an hour again does not bring what came in it', async () => {
      at('2026-11-01T05:30');
      await fly('America/New_York');
      await medicine({ start_date: '2026-10-30T01:45:00' });
      await until('2026-11-01T06:30');
      await fly('America/Chicago');
      expect(told).toStrictEqual(['01T05:45']);
      expect(await until('2026-11-02T06:00')).toStrictEqual([]);
      expect(await days('2026-11-01T05:00', '2026-11-02T08:00')).toStrictEqual([
        '01T05:45',
        '02T07:45',
      ]);
    });

    it('does not bring again what clocks there leave out on that day', async () => {
      at('2026-03-08T00:00');
      await fly('Europe/Berlin');
      await medicine({ start_date: '2026-03-01T02:30:00' });
      await until('2026-03-08T02:05');
      await fly('America/New_York');
      expect(told, '02:30 in Berlin').toStrictEqual(['08T01:30']);
      expect(
        await until('2026-03-09T08:00'),
        'not at 03:30 in New York, which leaves 02:30 out on the 8th',
      ).toStrictEqual(['09T06:30']);
      await service().clean();
      await world.account(MINA);
      await world.register(MINA, token('phone'));
      at('2026-03-08T00:00');
      await fly('America/New_York');
      await medicine({ start_date: '2026-03-08T02:30:00' });
      await until('2026-03-08T07:05');
      await fly('America/Phoenix');
      expect(await until('2026-03-08T20:00'), '03:30 in New York').toStrictEqual(['08T07:30']);
    });

    it('leaves the end of elapsed hours where it was', async () => {
      at('2026-03-10T18:00');
      await fly('Europe/Berlin');
      await medicine({
        frequency_type: 'FREQ=HOURLY;INTERVAL=6;UNTIL=20260311T140000',
        start_date: '2026-03-10T20:00:00',
      });
      await fly('Asia/Tokyo');
      expect(await until('2026-03-12T12:00')).toStrictEqual([
        '10T19:00',
        '11T01:00',
        '11T07:00',
        '11T13:00',
      ]);
      expect(await days('2026-03-10T18:00', '2026-03-12T12:00')).toStrictEqual(told);
    });

    it('after a standstill of the planner loses nothing', async () => {
      at('2026-03-08T11:00');
      await fly('America/New_York');
      await medicine({ frequency_type: '3_times_a_day', start_date: '2026-03-07' });
      at('2026-03-10T11:30');
      await fly('Asia/Tokyo');
      await world.round();
      expect(
        await until('2026-03-10T20:00'),
        'what was to come by the clocks of New York',
      ).toStrictEqual(['10T12:00', '10T18:00']);
    });

    it('shows once what the clocks of both bring to one instant', async () => {
      at('2026-06-10T11:00');
      await fly('America/New_York');
      await medicine({ frequency_type: 'twice_a_day', start_date: '2026-06-10' });
      await fly('Asia/Singapore');
      expect(await days('2026-06-10T00:00', '2026-06-11T13:00')).toStrictEqual([
        '10T12:00',
        '11T00:00',
        '11T12:00',
      ]);
    });
  });

  describe('by other usual times', () => {
    it('leaves elapsed hours alone that begin later on the day', async () => {
      at('2026-03-09T12:00');
      await usually(['20:00']);
      await medicine({ frequency_type: 'every_8_hours', start_date: '2026-03-10' });
      at('2026-03-10T12:00');
      await usually(['09:00']);
      expect(await until('2026-03-11T13:00')).toStrictEqual(['10T20:00', '11T04:00', '11T12:00']);
    });

    it('does not bring a dose again that was answered before its time', async () => {
      at('2026-03-10T20:00');
      await medicine({ start_date: '2026-03-09' });
      await answer('take', '2026-03-11T08:00');
      await usually(['09:00']);
      expect(await until('2026-03-12T10:00')).toStrictEqual(['12T09:00']);
    });
  });

  describe('of an appointment', () => {
    const invite = async (fields: object) =>
      (await world.create(MINA, 'appointment', fields, {})).id as number;
    const change = async (id: number, fields: object) =>
      expect(await world.update(MINA, 'appointment', id, fields, {})).toBeUndefined();

    it('that was attended is told at its next time', async () => {
      at('2026-03-10T08:00');
      const id = await invite({ date_time: '2026-03-10T09:00:00' });
      await until('2026-03-10T10:00');
      await world.mutate(
        MINA,
        'attendAppointment',
        'AttendAppointmentInput',
        { id },
        '{ event { id } }',
      );
      await change(id, { date_time: '2026-03-12T09:00:00' });
      expect(await until('2026-03-12T10:00')).toStrictEqual(['12T09:00']);
    });

    it('is the next one at home until it is attended, also where it keeps its instant', async () => {
      const next = async () => {
        const { data } = await world.ask(
          MINA,
          '{ memberHome { nextAppointment { startsAt } } }',
          {},
        );
        return (
          data.memberHome.nextAppointment &&
          short(Date.parse(data.memberHome.nextAppointment.startsAt))
        );
      };
      at('2026-03-10T11:00');
      await fly('America/New_York');
      const id = await invite({ date_time: '2026-03-10T09:00:00' });
      await fly('Asia/Tokyo');
      expect(await next()).toBe('10T13:00');
      await world.mutate(
        MINA,
        'attendAppointment',
        'AttendAppointmentInput',
        { id },
        '{ event { id } }',
      );
      expect(await next()).toBeNull();
    });

    it('is bound to the instant of an offset that an edit gives, though it comes then already', async () => {
      at('2026-03-09T12:00');
      await fly('Europe/Berlin');
      const id = await invite({ date_time: '2026-03-12T10:00:00' });
      await change(id, { date_time: '2026-03-12T10:00:00+01:00' });
      await fly('America/New_York');
      expect(await until('2026-03-12T20:00')).toStrictEqual(['12T09:00']);
    });

    it('that keeps its instant on the day of a move, or of other usual times, is told when an edit says how long before', async () => {
      at('2026-03-10T11:00');
      await fly('America/New_York');
      const moved = await invite({ date_time: '2026-03-10T10:00:00', remind_before: '10m' });
      await fly('Asia/Tokyo');
      await change(moved, { remind_before: '30m' });
      expect(await until('2026-03-11T12:00'), 'before 10:00 in New York').toStrictEqual([
        '10T13:30',
      ]);
      await usually(['23:00']);
      const retimed = await invite({ date_time: '2026-03-11', remind_before: '10m' });
      await usually(['08:00']);
      await change(retimed, { remind_before: '30m' });
      expect(await until('2026-03-12T12:00'), 'before 23:00 in Tokyo').toStrictEqual(['11T13:30']);
    });

    it('is told whole days before by the clocks of where the member is, also where an offset gave its instant', async () => {
      at('2026-03-27T12:00');
      await fly('Europe/Berlin');
      await invite({ date_time: '2026-03-29T10:00:00+02:00', remind_before: '1d' });
      await fly('America/New_York');
      expect(await until('2026-03-29T09:00'), 'at 04:00 in New York').toStrictEqual(['28T08:00']);
    });

    it('is not told again because whole days before it end later where the member is', async () => {
      at('2026-10-30T12:00');
      await fly('America/New_York');
      await invite({ date_time: '2026-11-01T12:00:00-05:00', remind_before: '1d' });
      await until('2026-10-31T16:30');
      await fly('Europe/Berlin');
      await until('2026-11-01T18:00');
      expect(told).toStrictEqual(['31T16:00']);
    });

    it('is not told again at once because it is to be told earlier', async () => {
      at('2026-03-10T08:00');
      const id = await invite({ date_time: '2026-03-10T12:00:00', remind_before: '2h' });
      await until('2026-03-10T10:30');
      await change(id, { remind_before: '3h' });
      expect(await until('2026-03-10T11:00')).toStrictEqual([]);
      await change(id, { remind_before: '30m' });
      expect(await until('2026-03-10T12:00')).toStrictEqual(['10T11:30']);
    });
  });

  it('is planned, after a standstill of the planner, without what was put off meanwhile', async () => {
    at('2026-03-08T12:00');
    await medicine({ start_date: '2026-03-07T08:00:00' });
    at('2026-03-10T12:00');
    await answer('snooze', '2026-03-11T08:00', { minutes: 60 });
    expect(await until('2026-03-12T06:00')).toStrictEqual(['11T09:00']);
  });

  it('tells carers of an appointment that began, and was to be told, while the planner stood still', async () => {
    const anna = await world.account('anna');
    at('2026-03-07T05:00');
    await world.care(await world.account(MINA), anna, 'see');
    await world.register('anna', token('anna'));
    await world.create(
      MINA,
      'appointment',
      { date_time: '2026-03-09T12:00:00', remind_before: '1h' },
      {},
    );
    at('2026-03-09T12:55');
    expect(await until('2026-03-09T16:00')).toStrictEqual(['09T12:55']);
  });

  it('is bound to the instant that an offset names, also where clocks show its time twice', async () => {
    at('2026-10-31T20:00');
    await fly('America/New_York');
    await medicine({ frequency_type: 'every_6_hours', start_date: '2026-11-01T01:30:00-05:00' });
    await world.create(MINA, 'appointment', { date_time: '2026-11-01T01:45:00-05:00' }, {});
    await fly('Europe/Berlin');
    await fly('America/New_York');
    expect(await until('2026-11-01T19:00')).toStrictEqual([
      '01T06:30',
      '01T06:45',
      '01T12:30',
      '01T18:30',
    ]);
  });

  it('of elapsed hours that is made at midnight loses none of the day', async () => {
    at('2026-03-10T00:00');
    await medicine({ frequency_type: 'every_8_hours' });
    expect(await until('2026-03-10T20:00')).toStrictEqual(['10T00:00', '10T08:00', '10T16:00']);
  });

  it('is understood by what the request itself says about where the member is', async () => {
    at('2026-03-10T12:00');
    await medicine({ start_date: '2026-03-10T23:00:00', end_date: '2026-03-20T00:00:00+09:00' });
    expect(await until('2026-03-11T15:00'), '23:00 by the clocks of the end').toStrictEqual([
      '10T14:00',
      '11T14:00',
    ]);
    await medicine({ start_date: '2026-03-12T00:30:00Z' });
    await fly('Asia/Tokyo');
    await until('2026-03-12T08:00');
    expect(
      told.slice(2),
      'an instant that was named stays at 09:30 by the same clocks',
    ).toStrictEqual(['12T00:30']);
  });
});
