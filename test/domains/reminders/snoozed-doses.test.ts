import { errorCode, useService } from '../../support/harness.js';
import { DAY, doseCalls, type Event, NOW } from './dose-calls.js';

describe('Doses', () => {
  const service = useService();
  const { calendar, act, daily } = doseCalls(service);

  it('put off come again, once, in the minutes asked for', async () => {
    service().at(NOW);
    await daily();
    const [{ id: occurrenceId }] = (await calendar()) as [Event];
    await act('snoozeDose', { occurrenceId });
    await act('snoozeDose', { occurrenceId, minutes: 30 });
    const rows = await service().database.prisma.reminderAlert.findMany({
      where: { cause: { not: 'carers' }, plannedAt: new Date('2026-03-10T08:00:00Z') },
      orderBy: { dueAt: 'asc' },
    });
    expect(
      rows
        .map(({ dueAt, state }) => `${dueAt.toISOString().slice(11, 16)} ${state}`)
        .filter((row) => row.endsWith('planned')),
    ).toStrictEqual(['08:35 planned']);
    await act('takeDose', { occurrenceId });
    expect(
      await service().database.prisma.reminderAlert.count({
        where: { plannedAt: new Date('2026-03-10T08:00:00Z'), state: 'planned' },
      }),
    ).toBe(0);
    expect(errorCode(await act('snoozeDose', { occurrenceId, minutes: 0 }))).toBe('BAD_USER_INPUT');
  });

  it('put off say until when, until they come again or are answered', async () => {
    service().at(NOW);
    await daily();
    const [{ id: occurrenceId }] = (await calendar()) as [Event];
    const snoozed = async () => {
      const { data } = await service().ask(
        '{ calendar { events { ... on DoseEvent { snoozedUntil } } } }',
      );
      return data.calendar.events
        .slice(0, 3)
        .map((event: { snoozedUntil: string | null }) => event.snoozedUntil);
    };
    const { data } = await service().ask(
      'mutation($input: SnoozeDoseInput!) { snoozeDose(input: $input) { event { status snoozedUntil } } }',
      {
        input: { occurrenceId, minutes: 30 },
      },
    );
    expect(data.snoozeDose.event).toStrictEqual({
      status: 'DUE',
      snoozedUntil: '2026-03-10T08:35:00.000Z',
    });
    expect(await snoozed()).toStrictEqual(['2026-03-10T08:35:00.000Z', null, null]);
    const one = await service().statements(snoozed);
    await act('takeDose', { occurrenceId });
    expect(await snoozed()).toStrictEqual([null, null, null]);
    for (let i = 0; i < 5; i++) await daily();
    expect(await service().statements(snoozed)).toBe(one);
  });

  it('put off say until when though they are missed, and are put off until 24 hours after their time', async () => {
    service().at(NOW - 3 * DAY);
    await daily();
    service().at(NOW);
    const [{ id: early }, { id: last }] = (await calendar('2026-03-09')) as [Event, Event];
    const late = await service().ask(
      'mutation($input: SnoozeDoseInput!) { snoozeDose(input: $input) { event { id } } }',
      {
        input: { occurrenceId: early },
      },
    );
    expect(errorCode(late)).toBe('TOO_LATE');
    expect(late.errors[0].message).toMatch(/24 hours after its time/);
    service().at(Date.parse('2026-03-10T20:00:00Z'));
    const { data } = await service().ask(
      'mutation($input: SnoozeDoseInput!) { snoozeDose(input: $input) { event { status snoozedUntil } } }',
      {
        input: { occurrenceId: last, minutes: 720 },
      },
    );
    const until = '2026-03-11T08:00:00.000Z';
    expect(data.snoozeDose.event).toStrictEqual({ status: 'MISSED', snoozedUntil: until });
    service().at(Date.parse('2026-03-11T07:59:00Z'));
    const { calendar: seen } = (
      await service().ask(
        '{ calendar(from: "2026-03-09") { events { id: occurrenceId ... on DoseEvent { snoozedUntil } } } }',
      )
    ).data;
    expect(seen.events.find(({ id }: Event) => id === last).snoozedUntil).toBe(until);
    service().at(Date.parse('2026-03-10T20:00:01Z'));
    expect(errorCode(await act('snoozeDose', { occurrenceId: last }))).toBe('TOO_LATE');
  });

  it('skipped are not put off, and that says so', async () => {
    service().at(NOW);
    await daily();
    const [{ id: occurrenceId }] = (await calendar()) as [Event];
    await act('skipDose', { occurrenceId });
    const { errors } = await act('snoozeDose', { occurrenceId });
    expect([errors[0].extensions.code, errors[0].message]).toStrictEqual([
      'ALREADY_TAKEN',
      'This dose was already skipped. Take that back first.',
    ]);
  });
});
