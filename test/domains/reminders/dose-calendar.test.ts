import { makeAppointment, makeMedicine } from '../../support/factories.js';
import { type Caller, errorCode, mutation, useService } from '../../support/harness.js';
import { ADHERENCE, COUNTS, DAY, doseCalls, type Event, HOUR, MINUTE, NOW } from './dose-calls.js';

describe('Doses', () => {
  const service = useService();
  const { calendar, act, daily, statuses } = doseCalls(service);

  it('are upcoming, due for two hours, then missed', async () => {
    service().at(NOW - DAY);
    await daily();
    service().at(NOW);
    expect(await statuses()).toStrictEqual(['03-10T08:00 DUE', '03-10T20:00 UPCOMING']);
    service().at(NOW - 5 * MINUTE + 2 * HOUR - 1);
    expect(await statuses()).toStrictEqual(['03-10T08:00 DUE', '03-10T20:00 UPCOMING']);
    service().at(NOW - 5 * MINUTE + 2 * HOUR);
    expect(await statuses()).toStrictEqual(['03-10T08:00 MISSED', '03-10T20:00 UPCOMING']);
  });

  it('taken once more stand on the day on which they were taken', async () => {
    service().at(Date.parse('2026-03-10T23:30:00Z'));
    await makeMedicine(service(), { startDate: '2026-03-10T23:30:00' });
    const [event] = await calendar();
    await act('takeDose', { occurrenceId: event?.id });
    service().at(Date.parse('2026-03-11T00:10:00Z'));
    await act('takeDose', { occurrenceId: event?.id, force: true });
    expect(await statuses('2026-03-10')).toStrictEqual(['03-10T23:30 TAKEN']);
    expect(await statuses('2026-03-11')).toStrictEqual([
      '03-11T00:10 TAKEN',
      '03-11T23:30 UPCOMING',
    ]);
  });

  it('of before their reminder was made are not missed, and can still be taken', async () => {
    service().at(NOW);
    await daily();
    expect(await statuses('2026-03-09', '2026-03-10')).toStrictEqual([
      '03-09T08:00 PAST',
      '03-09T20:00 PAST',
      '03-10T08:00 DUE',
      '03-10T20:00 UPCOMING',
    ]);
    service().at(NOW + 16 * HOUR);
    expect(await statuses()).toStrictEqual(['03-10T08:00 PAST', '03-10T20:00 MISSED']);
    const [first] = (await calendar('2026-03-09')) as [Event];
    expect((await act('takeDose', { occurrenceId: first.id })).data.takeDose.status).toBe('TAKEN');
    const { taken, missed } = (
      await service().ask(ADHERENCE, { from: '2026-03-08', to: '2026-03-10' })
    ).data.adherence;
    expect([taken, missed]).toStrictEqual([1, 1]);
  });

  it('say from when on they are missed', async () => {
    service().at(NOW - DAY);
    await daily();
    const missedAt = async () =>
      (
        await service().ask(
          '{ calendar(from: "2026-03-10", to: "2026-03-10") { events { ... on DoseEvent { missedAt } } } }',
        )
      ).data.calendar.events[0].missedAt;
    service().at(NOW);
    expect(await missedAt()).toBe('2026-03-10T10:00:00.000Z');
    const [due] = (await calendar()) as [Event];
    await act('takeDose', { occurrenceId: due.id });
    expect(await missedAt()).toBeNull();
  });

  it('and appointments are read again by their global ids, by who may see them', async () => {
    service().at(NOW);
    const reminderId = await daily();
    await makeAppointment(service(), { title: 'Dentist', dateTime: '2026-03-10T12:00:00' });
    await act('logDose', { reminderId, at: '2026-03-10T07:00:00Z' });
    const fields = '__typename id occurrenceId title startsAt status reminder { databaseId }';
    const shown = (await service().ask(`{ calendar(to: "2026-03-10") { events { ${fields} } } }`))
      .data.calendar.events;
    expect(shown.map(({ __typename }: { __typename: string }) => __typename)).toStrictEqual([
      'DoseEvent',
      'DoseEvent',
      'AppointmentEvent',
      'DoseEvent',
    ]);
    const ids = shown.map(({ id }: { id: string }) => id);
    const nodes = async (as: Caller) =>
      (
        await service().ask(
          `query($ids: [ID!]!) { nodes(ids: $ids) { ... on CalendarEvent { ${fields} } } }`,
          { ids },
          as,
        )
      ).data.nodes;
    expect(await nodes('subscriber')).toStrictEqual(shown);
    expect(await nodes('author')).toStrictEqual(ids.map(() => null));
    expect(await nodes('anonymous')).toStrictEqual(ids.map(() => null));
    const { data } = await service().ask(mutation('takeDose', 'event { id status }'), {
      input: { occurrenceId: ids[1] },
    });
    expect(data.takeDose.event).toStrictEqual({ id: ids[1], status: 'TAKEN' });
    expect(errorCode(await act('takeDose', { occurrenceId: ids[2] }))).toBe('ID_INVALID');
    const one = await service().statements(() => nodes('subscriber'));
    ids.push(...ids.slice(0, 2));
    expect(await service().statements(() => nodes('subscriber'))).toBe(one);
  });

  it('stand on the calendar by day too, with what became of them, also on days without any', async () => {
    service().at(NOW - 3 * DAY);
    await daily();
    service().at(NOW);
    const [{ id: occurrenceId }] = (await calendar('2026-03-09')) as [Event];
    await act('takeDose', { occurrenceId });
    const query = `query($from: LocalDate, $to: LocalDate) { calendar(from: $from, to: $to) { days { date doses { ${COUNTS} } events { startsAt status } } events { id } } }`;
    const { data } = await service().ask(query, { from: '2026-03-07', to: '2026-03-10' });
    const { days, events } = data.calendar;
    expect(
      days.map(
        ({
          date,
          doses,
          events,
        }: {
          date: string;
          doses: Record<string, number>;
          events: Event[];
        }) => [
          date,
          doses.taken,
          doses.missed,
          doses.rate,
          events.map(({ startsAt, status }) => `${startsAt.slice(11, 16)} ${status}`),
        ],
      ),
    ).toStrictEqual([
      ['2026-03-07', 0, 0, null, []],
      ['2026-03-08', 0, 2, 0, ['08:00 MISSED', '20:00 MISSED']],
      ['2026-03-09', 1, 1, 0.5, ['08:00 TAKEN', '20:00 MISSED']],
      ['2026-03-10', 0, 0, null, ['08:00 DUE', '20:00 UPCOMING']],
    ]);
    expect(events.length).toBe(6);
  });

  it('of a day that the clocks shift, or of a zone far away, stand on the day of the member', async () => {
    for (const [zone, day] of [
      ['America/New_York', '2026-03-08'],
      ['Pacific/Kiritimati', '2026-03-08'],
      ['America/Santiago', '2026-09-06'],
    ] as const) {
      await service().clean();
      service().at(Date.parse(`${day}T12:00:00Z`));
      await service().ask(
        'mutation($zone: TimeZone!) { updateCareSettings(input: { timeZone: $zone }) { careSettings { timeZone } } }',
        { zone },
      );
      await makeMedicine(service(), {
        name: 'x',
        frequencyType: 'FREQ=DAILY;BYHOUR=0,23;BYMINUTE=30',
        startDate: '2026-01-01T00:30:00',
      });
      const { data } = await service().ask(
        'query($day: LocalDate) { calendar(from: $day, to: $day) { days { date events { startsAt } ' +
          '} } }',
        {
          day,
        },
      );
      expect(
        data.calendar.days.map(({ date, events }: { date: string; events: Event[] }) => [
          date,
          events.length,
        ]),
        zone,
      ).toStrictEqual([[day, 2]]);
    }
  });
});
