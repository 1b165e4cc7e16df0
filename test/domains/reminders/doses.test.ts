import {
  makeAppointment,
  makeMedicine,
  postAppointment,
  postMedicine,
} from '../../support/factories.js';
import {
  type Caller,
  errorCode,
  mutation,
  type RoleName,
  useService,
} from '../../support/harness.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const NOW = Date.parse('2026-03-10T08:05:00Z');
const EVENT =
  'id: occurrenceId __typename title startsAt status ... on DoseEvent { answeredAt note }';
const CALENDAR = `query($from: LocalDate, $to: LocalDate, $memberId: ID) { calendar(from: $from, to: $to, memberId: $memberId) { events { ${EVENT} } } }`;
const COUNTS = 'taken skipped missed rate';
const ADHERENCE = `query($from: LocalDate, $to: LocalDate, $memberId: ID, $reminderId: ID) { adherence(from: $from, to: $to, memberId: $memberId, reminderId: $reminderId) { ${COUNTS} asNeeded days { date ${COUNTS} } medicines { reminder { databaseId } name ${COUNTS} } } }`;

interface Event {
  id: string;
  title: string;
  startsAt: string;
  status: string;
  answeredAt: string | null;
}

describe('Doses', () => {
  const service = useService();
  const calendar = async (from = '2026-03-10', to = from): Promise<Event[]> =>
    (await service().ask(CALENDAR, { from, to })).data.calendar.events;
  /** Answers for a dose; the body of the answer with the event alone. */
  const act = async (what: string, input: object, as: Caller = 'subscriber', headers = {}) => {
    const query = mutation(what, `event { ${EVENT} }`);
    const { data, ...others } = await service().ask(query, { input }, { as, headers });
    return { ...others, data: { [what]: data?.[what]?.event ?? null } };
  };
  const daily = () =>
    makeMedicine(service(), { frequencyType: '2_times_a_day', startDate: '2026-03-08' });
  const statuses = async (from?: string, to?: string) =>
    (await calendar(from, to)).map(({ startsAt, status }) => `${startsAt.slice(5, 16)} ${status}`);

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

  it('are taken on time, late and early, and the plan says so at once', async () => {
    service().at(NOW);
    await daily();
    const [due, evening] = (await calendar()) as [Event, Event];
    const [missed] = (await calendar('2026-03-08')) as [Event];
    expect((await act('takeDose', { occurrenceId: due.id })).data.takeDose.status).toBe('TAKEN');
    const late = await act('takeDose', {
      occurrenceId: missed.id,
      at: '2026-03-08T13:00:00Z',
      note: 'forgot',
    });
    expect(late.data.takeDose).toStrictEqual({
      ...missed,
      status: 'TAKEN',
      answeredAt: '2026-03-08T13:00:00.000Z',
      note: 'forgot',
    });
    expect((await act('takeDose', { occurrenceId: evening.id })).data.takeDose.status).toBe(
      'TAKEN',
    );
    expect(await statuses()).toStrictEqual(['03-10T08:00 TAKEN', '03-10T20:00 TAKEN']);
    const planned = await service().database.prisma.reminderAlert.findMany({
      where: { state: 'planned' },
    });
    expect(
      planned.every(({ dueAt }) => dueAt.getTime() > NOW + 13 * HOUR),
      'what was taken early does not fire',
    ).toBe(true);
  });

  it('are refused a second time, unless forced, which is logged apart', async () => {
    service().at(NOW);
    await daily();
    const [{ id: occurrenceId }] = (await calendar()) as [Event];
    await act('takeDose', { occurrenceId });
    expect(errorCode(await act('takeDose', { occurrenceId }))).toBe('ALREADY_TAKEN');
    expect(errorCode(await act('skipDose', { occurrenceId }))).toBe('ALREADY_TAKEN');
    expect(errorCode(await act('snoozeDose', { occurrenceId }))).toBe('ALREADY_TAKEN');
    const extra = (await act('takeDose', { occurrenceId, force: true })).data.takeDose;
    expect(extra.id).not.toBe(occurrenceId);
    const { taken, asNeeded } = (
      await service().ask(ADHERENCE, { from: '2026-03-10', to: '2026-03-10' })
    ).data.adherence;
    expect([taken, asNeeded]).toStrictEqual([1, 1]);
  });

  it('taken by two at the same moment are taken once', async () => {
    service().at(NOW);
    await daily();
    const [{ id: occurrenceId }] = (await calendar()) as [Event];
    const answers = await Promise.all([1, 2, 3, 4].map(() => act('takeDose', { occurrenceId })));
    expect(answers.map(errorCode).sort()).toStrictEqual([
      'ALREADY_TAKEN',
      'ALREADY_TAKEN',
      'ALREADY_TAKEN',
      undefined,
    ]);
    expect(await service().database.prisma.dose.count()).toBe(1);
  });

  it('say with the answer how the day, the week and the home screen stand after it', async () => {
    service().at(NOW - DAY);
    await daily();
    service().at(NOW);
    const [due, evening] = (await calendar()) as [Event, Event];
    const changed = `event { ${EVENT} } day { date timeZone doses { taken skipped missed } events { status } }
      adherence { taken } memberHome { today { status } week { taken skipped } }`;
    const answer = async (what: string, occurrenceId: string) =>
      (await service().ask(mutation(what, changed), { input: { occurrenceId } })).data[what];
    const { event, ...after } = await answer('takeDose', due.id);
    expect(event.status).toBe('TAKEN');
    expect(after).toStrictEqual({
      day: {
        ...{ date: '2026-03-10', timeZone: 'UTC' },
        doses: { taken: 1, skipped: 0, missed: 0 },
        events: [{ status: 'TAKEN' }, { status: 'UPCOMING' }],
      },
      adherence: { taken: 1 },
      memberHome: {
        today: [{ status: 'TAKEN' }, { status: 'UPCOMING' }],
        week: { taken: 1, skipped: 0 },
      },
    });
    const skipped = await answer('skipDose', evening.id);
    expect([skipped.day.doses, skipped.memberHome.week]).toStrictEqual([
      { taken: 1, skipped: 1, missed: 0 },
      { taken: 1, skipped: 1 },
    ]);
    const undone = await answer('undoDose', due.id);
    expect([undone.event.status, undone.day.doses.taken, undone.adherence.taken]).toStrictEqual([
      'DUE',
      0,
      0,
    ]);
    const twice = `mutation($one: ID!, $other: ID!) {
      a: takeDose(input: { occurrenceId: $one }) { memberHome { week { taken } } }
      b: undoDose(input: { occurrenceId: $one }) { memberHome { week { taken } } }
      c: takeDose(input: { occurrenceId: $other }) { day { doses { taken } } }
    }`;
    expect((await service().ask(twice, { one: due.id, other: evening.id })).data).toStrictEqual({
      a: { memberHome: { week: { taken: 1 } } },
      b: { memberHome: { week: { taken: 0 } } },
      c: { day: { doses: { taken: 1 } } },
    });
  });

  it('that stood on their own leave their day and no event when they are taken back', async () => {
    service().at(NOW);
    const reminderId = await makeMedicine(service(), { frequencyType: 'as_needed' });
    const at = '2026-03-09T07:00:00Z';
    const { id: occurrenceId } = (await act('logDose', { reminderId, at })).data.logDose;
    const query = mutation('undoDose', 'event { id } day { date events { id } }');
    expect((await service().ask(query, { input: { occurrenceId } })).data.undoDose).toStrictEqual({
      event: null,
      day: { date: '2026-03-09', events: [] },
    });
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

  it('repeated under an Idempotency-Key answer the same', async () => {
    service().at(NOW);
    await daily();
    const [{ id: occurrenceId }] = (await calendar()) as [Event];
    const twice = [1, 2].map(
      () => () => act('takeDose', { occurrenceId }, 'subscriber', { 'idempotency-key': 'a' }),
    );
    const [first, second] = [await twice[0]?.(), await twice[1]?.()];
    expect(second).toStrictEqual(first);
  });

  it('skipped can still be taken; both can be taken back, and what is to come then fires again', async () => {
    service().at(NOW);
    await daily();
    const [, { id: occurrenceId }] = (await calendar()) as [Event, Event];
    const planned = () =>
      service().database.prisma.reminderAlert.count({
        where: { state: 'planned', dueAt: new Date('2026-03-10T20:00:00Z') },
      });
    expect((await act('skipDose', { occurrenceId, note: 'fasting' })).data.skipDose.status).toBe(
      'SKIPPED',
    );
    expect(await planned()).toBe(0);
    expect((await act('takeDose', { occurrenceId })).data.takeDose.note).toBe('fasting');
    expect((await act('undoDose', { occurrenceId })).data.undoDose.status).toBe('UPCOMING');
    expect(await planned()).toBe(1);
    expect(errorCode(await act('undoDose', { occurrenceId }))).toBe('NOTHING_LOGGED');
  });

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

  it('of a plan that is no more can be taken back: they are gone then', async () => {
    service().at(NOW);
    const id = await daily();
    const [, { id: occurrenceId }] = (await calendar()) as [Event, Event];
    await act('takeDose', { occurrenceId });
    const edit =
      'mutation($input: UpdateMedicineReminderInput!) { updateMedicineReminder(input: $input) ' +
      '{ reminder { id } } }';
    await service().ask(edit, {
      input: { id, frequency: 'daily', startsOn: '2026-03-10', startTime: '19:00' },
    });
    expect(await statuses()).toStrictEqual([
      '03-10T08:00 DUE',
      '03-10T19:00 UPCOMING',
      '03-10T20:00 TAKEN',
    ]);
    expect(await act('undoDose', { occurrenceId })).toStrictEqual({ data: { undoDose: null } });
    expect(await statuses()).toStrictEqual(['03-10T08:00 DUE', '03-10T19:00 UPCOMING']);
    expect(errorCode(await act('undoDose', { occurrenceId }))).toBe('NOTHING_LOGGED');
  });

  it('keep name and time of what was taken, whatever becomes of the reminder', async () => {
    service().at(NOW);
    const id = await daily();
    const [first, second] = (await calendar()) as [Event, Event];
    await act('takeDose', { occurrenceId: first.id });
    await act('takeDose', { occurrenceId: second.id });
    const update =
      'mutation($input: UpdateMedicineReminderInput!) { updateMedicineReminder(input: $input) ' +
      '{ reminder { id } } }';
    await service().ask(update, {
      input: {
        id,
        name: 'Ibuprofen',
        frequency: 'daily',
        startsOn: '2026-03-08',
        startTime: '12:00',
      },
    });
    const edited = await calendar();
    expect(
      edited.map(({ title, startsAt, status }) => [title, startsAt.slice(11, 16), status]),
    ).toStrictEqual([
      ['Aspirin', '08:00', 'TAKEN'],
      ['Ibuprofen', '12:00', 'UPCOMING'],
      ['Aspirin', '20:00', 'TAKEN'],
    ]);
    await service().ask(
      'mutation($input: DeleteMedicineReminderInput!) { deleteMedicineReminder(input: $input) { ' +
        'deletedReminderId } }',
      { input: { id } },
    );
    expect(await statuses()).toStrictEqual(['03-10T08:00 TAKEN', '03-10T20:00 TAKEN']);
    expect(errorCode(await act('takeDose', { occurrenceId: first.id }))).toBe(
      'OCCURRENCE_NOT_FOUND',
    );
  });

  it('exist only where a plan has them, and are answered for neither a day ahead nor in the future', async () => {
    service().at(NOW);
    await daily();
    const [, tomorrow] = (await calendar('2026-03-11')) as [Event, Event];
    expect(errorCode(await act('takeDose', { occurrenceId: tomorrow.id }))).toBe('TOO_EARLY');
    const [{ id }] = (await calendar()) as [Event];
    expect(errorCode(await act('takeDose', { occurrenceId: id, at: new Date(NOW + HOUR) }))).toBe(
      'TIME_INVALID',
    );
    expect(errorCode(await act('takeDose', { occurrenceId: id, at: new Date('0001-01-01') }))).toBe(
      'BAD_USER_INPUT',
    );
    expect(errorCode(await act('takeDose', { occurrenceId: '' }))).toBe('ID_INVALID');
    for (const occurrenceId of [
      'x',
      '1-0',
      `${id}0`,
      'dose-1',
      'dose.1',
      'dose.0',
      'dose.2147483648',
      '-',
      'zzzzzz-zzzzzzzz',
      '1--1',
    ])
      expect(errorCode(await act('takeDose', { occurrenceId })), occurrenceId).toBe(
        'OCCURRENCE_NOT_FOUND',
      );
  });

  it('of others do not exist; administrators answer once they broke the glass, and leave a trace', async () => {
    service().at(NOW);
    await daily();
    const [{ id: occurrenceId }] = (await calendar()) as [Event];
    expect(errorCode(await act('takeDose', { occurrenceId }, 'author'))).toBe(
      'OCCURRENCE_NOT_FOUND',
    );
    expect(errorCode(await act('takeDose', { occurrenceId }, 'anonymous'))).toBe('UNAUTHENTICATED');
    expect(errorCode(await act('takeDose', { occurrenceId }, 'administrator'))).toBe(
      'OCCURRENCE_NOT_FOUND',
    );
    const { id: subjectId } = await service().account('subscriber');
    await service().opens(subjectId);
    expect((await act('takeDose', { occurrenceId }, 'administrator')).data.takeDose.status).toBe(
      'TAKEN',
    );
    expect(
      await service().database.prisma.auditEvent.count({
        where: { action: 'dose.write', subjectId },
      }),
    ).toBe(1);
    const { id: memberId } = await service().account('subscriber');
    for (const query of [CALENDAR, ADHERENCE])
      expect(errorCode(await service().ask(query, { memberId }, 'author'))).toBe('FORBIDDEN');
    await service().ask(CALENDAR, { memberId }, 'administrator');
    expect(
      await service().database.prisma.auditEvent.count({
        where: { action: 'reminder.read', subjectId },
      }),
    ).toBe(1);
  });

  it('taken as needed are logged apart', async () => {
    service().at(NOW);
    const reminderId = await makeMedicine(service(), { name: 'Drops', frequencyType: 'as_needed' });
    const { id, status } = (
      await act('logDose', { reminderId, at: '2026-03-10T07:00:00Z', note: 'n' })
    ).data.logDose;
    expect(status).toBe('TAKEN');
    expect(await statuses()).toStrictEqual(['03-10T07:00 TAKEN']);
    const { taken, asNeeded, rate } = (await service().ask(ADHERENCE)).data.adherence;
    expect([taken, asNeeded, rate]).toStrictEqual([0, 1, null]);
    expect((await act('undoDose', { occurrenceId: id })).data.undoDose).toBeNull();
    expect(await statuses()).toStrictEqual([]);
    expect(errorCode(await act('logDose', { reminderId }, 'author'))).toBe('REMINDER_NOT_FOUND');
  });

  it('taken as needed have a name that no occurrence of anybody has, and it answers for nothing else', async () => {
    service().at(NOW);
    const reminderId = await makeMedicine(service(), { name: 'Drops', frequencyType: 'as_needed' });
    // `dose` is 638654 in base 36, and 101580 an hour of 1971.
    await service().account('author');
    await service().database.query(
      "SELECT setval('reminder_id_seq', 638653), setval('dose_id_seq', 101579)",
    );
    const hourly = { name: 'Secret', frequencyType: 'hourly', startDate: '1971-12-01T00:00:00Z' };
    expect(await makeMedicine(service(), hourly, 'author')).toBe(638654);
    const { id } = (await act('logDose', { reminderId })).data.logDose;
    for (const occurrenceId of [id, 'dose-101580'])
      for (const what of ['snoozeDose', 'takeDose', 'skipDose'])
        expect(errorCode(await act(what, { occurrenceId })), `${what} ${occurrenceId}`).toBe(
          'OCCURRENCE_NOT_FOUND',
        );
    expect(errorCode(await act('undoDose', { occurrenceId: 'dose-101580' }))).toBe(
      'OCCURRENCE_NOT_FOUND',
    );
    expect(await service().database.prisma.dose.count()).toBe(1);
    expect(await act('undoDose', { occurrenceId: id })).toStrictEqual({ data: { undoDose: null } });
  });

  it('that answer for an occurrence are taken back by its name, never by their number: it comes again then', async () => {
    service().at(NOW);
    const id = await daily();
    const [, { id: occurrenceId }] = (await calendar()) as [Event, Event];
    await act('takeDose', { occurrenceId });
    const dose = await service().database.prisma.dose.findFirstOrThrow();
    expect(errorCode(await act('undoDose', { occurrenceId: `dose.${dose.id}` }))).toBe(
      'OCCURRENCE_NOT_FOUND',
    );
    expect(await statuses()).toStrictEqual(['03-10T08:00 DUE', '03-10T20:00 TAKEN']);
    const extra = (await act('takeDose', { occurrenceId, force: true })).data.takeDose;
    expect(await act('undoDose', { occurrenceId: extra.id })).toStrictEqual({
      data: { undoDose: null },
    });
    const edit =
      'mutation($input: UpdateMedicineReminderInput!) { updateMedicineReminder(input: $input) ' +
      '{ reminder { id } } }';
    await service().ask(edit, {
      input: { id, frequency: 'daily', startsOn: '2026-03-10', startTime: '19:00' },
    });
    expect(await act('undoDose', { occurrenceId: `dose.${dose.id}` })).toStrictEqual({
      data: { undoDose: null },
    });
    expect(await statuses()).toStrictEqual(['03-10T08:00 DUE', '03-10T19:00 UPCOMING']);
  });

  it('make the adherence: taken of taken, skipped and missed, by day and by medicine', async () => {
    service().at(NOW - 3 * DAY);
    const id = await daily();
    const other = await makeMedicine(service(), {
      name: 'Iron',
      frequencyType: 'daily',
      startDate: '2026-03-09T09:00:00',
    });
    service().at(NOW);
    const events = await calendar('2026-03-08', '2026-03-10');
    await act('takeDose', { occurrenceId: events[0]?.id });
    await act('skipDose', { occurrenceId: events[1]?.id });
    const { adherence } = (await service().ask(ADHERENCE, { from: '2026-03-08', to: '2026-03-10' }))
      .data;
    expect(adherence).toStrictEqual({
      taken: 1,
      skipped: 1,
      missed: 3,
      rate: 0.2,
      asNeeded: 0,
      days: [
        { date: '2026-03-08', taken: 1, skipped: 1, missed: 0, rate: 0.5 },
        { date: '2026-03-09', taken: 0, skipped: 0, missed: 3, rate: 0 },
      ],
      medicines: [
        {
          reminder: { databaseId: id },
          name: 'Aspirin',
          taken: 1,
          skipped: 1,
          missed: 2,
          rate: 0.25,
        },
        {
          reminder: { databaseId: other },
          name: 'Iron',
          taken: 0,
          skipped: 0,
          missed: 1,
          rate: 0,
        },
      ],
    });
    expect(
      (await service().ask(ADHERENCE, { from: '2026-03-08', to: '2026-03-10', reminderId: other }))
        .data.adherence.missed,
    ).toBe(1);
    await service().ask(
      'mutation($input: DeleteMedicineReminderInput!) { deleteMedicineReminder(input: $input) { ' +
        'deletedReminderId } }',
      { input: { id } },
    );
    const after = (await service().ask(ADHERENCE, { from: '2026-03-08', to: '2026-03-10' })).data
      .adherence;
    expect(
      [after.taken, after.skipped, after.missed],
      'of a deleted reminder counts what was logged',
    ).toStrictEqual([1, 1, 1]);
    const alone = (
      await service().ask(ADHERENCE, { from: '2026-03-08', to: '2026-03-10', reminderId: id })
    ).data.adherence;
    expect(
      [alone.taken, alone.skipped, alone.missed],
      'and it is asked for alone as well',
    ).toStrictEqual([1, 1, 0]);
  });

  it('make no adherence of a medicine that the member does not have', async () => {
    service().at(NOW);
    const id = await daily();
    const { body } = await service().rest('POST', '/v1/appointment_reminder', {
      as: 'author',
      body: { title: 'x' },
    });
    expect(errorCode(await service().ask(ADHERENCE, { reminderId: id }))).toBeUndefined();
    expect(errorCode(await service().ask(ADHERENCE, { reminderId: id }, 'author'))).toBe(
      'REMINDER_NOT_FOUND',
    );
    expect(errorCode(await service().ask(ADHERENCE, { reminderId: body.id }, 'author'))).toBe(
      'REMINDER_NOT_FOUND',
    );
    for (const reminderId of [9999, 0])
      expect(errorCode(await service().ask(ADHERENCE, { reminderId }))).toBe('REMINDER_NOT_FOUND');
    expect(errorCode(await service().ask(ADHERENCE, { reminderId: -1 }))).toBe('ID_INVALID');
  });
});

describe('The home screen', () => {
  const service = useService();
  const HOME = `{ member { name } timeZone today { title status } nextAppointment { title startsAt } week { ${COUNTS} } }`;

  it('shows today, the next appointment and the week of a member, in a constant number of statements', async () => {
    service().at(NOW);
    const home = () => service().graphql(`{ memberHome ${HOME} }`, {}, { as: 'subscriber' });
    service().at(NOW - 6 * DAY);
    await postMedicine(service(), { name: 'Aspirin', start_date: '2026-03-05T08:00:00' });
    service().at(NOW);
    await postAppointment(service(), { title: 'Dentist', date_time: '2026-05-10T09:00:00' });
    const { body } = await home();
    expect(body.data.memberHome).toStrictEqual({
      member: { name: 'The subscriber' },
      timeZone: 'UTC',
      today: [{ title: 'Aspirin', status: 'DUE' }],
      nextAppointment: { title: 'Dentist', startsAt: '2026-05-10T09:00:00.000Z' },
      week: { taken: 0, skipped: 0, missed: 5, rate: 0 },
    });
    const one = await service().statements(home);
    for (let i = 0; i < 10; i++) await postMedicine(service(), { start_date: '2026-03-05' });
    expect(await service().statements(home)).toBe(one);
    expect(one, `${one}`).toBeLessThanOrEqual(6);
  });

  it('is the same for a member beside others, however far apart their clocks are', async () => {
    const days = (count: number) => NOW + count * DAY;
    const far = { subscriber: 'Pacific/Kiritimati', author: 'America/Los_Angeles' } as const;
    const takes = async (as: Caller) => {
      const { events } = (await service().graphql('{ calendar { events { id } } }', {}, { as }))
        .body.data.calendar;
      const take =
        'mutation($id: ID!) { takeDose(input: { occurrenceId: $id }) { event { status } } }';
      for (const { id } of events.slice(0, 2)) await service().graphql(take, { id }, { as });
    };
    const ids: number[] = [];
    for (const [as, zone] of Object.entries(far) as [RoleName, string][]) {
      service().at(days(-8));
      ids.push((await service().account(as)).id);
      await service().graphql(
        'mutation($zone: TimeZone!) { updateCareSettings(input: { timeZone: $zone }) { careSettings { timeZone } } }',
        { zone },
        { as },
      );
      await postMedicine(
        service(),
        { name: as, frequency_type: '4_times_a_day', start_date: '2026-03-01' },
        { as },
      );
      for (const day of [-8, -7, -6, -1, 0]) {
        service().at(days(day));
        await takes(as);
      }
    }
    for (const id of ids) await service().opens(id);
    const ask = async (memberIds: number[]) => {
      const query = `query($memberIds: [ID!]!) { memberHomes(memberIds: $memberIds) ${HOME} }`;
      return (await service().graphql(query, { memberIds }, { as: 'administrator' })).body.data
        .memberHomes;
    };
    const alone = [...(await ask(ids.slice(0, 1))), ...(await ask(ids.slice(1)))];
    expect(alone.every(({ week }) => week.taken > 2)).toBe(true);
    expect(await ask(ids)).toStrictEqual(alone);
  });

  it('shows a carer all members at once, and nobody whom the carer may not see', async () => {
    service().at(NOW);
    const ids = [
      (await service().account('subscriber')).id,
      (await service().account('author')).id,
    ];
    await postMedicine(
      service(),
      { name: 'Iron', start_date: '2026-03-10T09:00:00' },
      { as: 'author' },
    );
    const homes = (memberIds: number[], as: Caller) =>
      service().graphql(
        `query($memberIds: [ID!]!) { memberHomes(memberIds: $memberIds) ${HOME} }`,
        { memberIds },
        { as },
      );
    for (const id of ids) await service().opens(id);
    const { body } = await homes(ids, 'administrator');
    expect(
      body.data.memberHomes.map((home: { member: { name: string }; today: unknown[] }) => [
        home.member.name,
        home.today.length,
      ]),
    ).toStrictEqual([
      ['The subscriber', 0],
      ['The author', 1],
    ]);
    expect(errorCode((await homes(ids, 'subscriber')).body)).toBe('FORBIDDEN');
    expect(errorCode((await homes([4711], 'administrator')).body)).toBe('FORBIDDEN');
    expect(errorCode((await homes(Array(101).fill(ids[0]), 'administrator')).body)).toBe(
      'TOO_MANY_MEMBERS',
    );
  });
});

describe('Appointments', () => {
  const service = useService();

  it('are attended when somebody says so', async () => {
    service().at(NOW);
    const { body } = await service().rest('POST', '/v1/appointment_reminder', {
      as: 'subscriber',
      body: { title: 'x', date_time: '2026-03-10T07:00:00Z' },
    });
    const events = async () =>
      (
        await service().rest('GET', '/v1/all_events', {
          as: 'subscriber',
          edition: 'B',
          query: 'date_from=2026-03-10&date_to=2026-03-10',
        })
      ).body[0].status;
    expect(await events()).toBe('due');
    const attend = (attended: boolean) =>
      service().graphql(
        'mutation($input: AttendAppointmentInput!) { attendAppointment(input: $input) { event { status } } }',
        { input: { id: body.id, attended } },
        { as: 'subscriber' },
      );
    expect((await attend(true)).body.data.attendAppointment.event.status).toBe('ATTENDED');
    expect(await events()).toBe('attended');
    expect((await attend(false)).body.data.attendAppointment.event.status).toBe('DUE');
    service().at(NOW + DAY);
    expect(await events(), 'nobody knows whether it was attended').toBe('past');
  });

  it('are due for two hours from their time on, on the calendar and by themselves', async () => {
    const start = Date.parse('2026-03-10T07:00:00Z');
    service().at(start - 1);
    const { body } = await service().rest('POST', '/v1/appointment_reminder', {
      as: 'subscriber',
      body: { title: 'x', date_time: '2026-03-10T07:00:00Z' },
    });
    const seen = async (now: number) => {
      service().at(now);
      const query = `{ appointmentReminder(id: ${body.id}) { status } calendar(from: "2026-03-10", to: "2026-03-10") { events { status } } }`;
      const { data } = (await service().graphql(query, {}, { as: 'subscriber' })).body;
      return [data.appointmentReminder.status, data.calendar.events[0].status];
    };
    expect(await seen(start - 1)).toStrictEqual(['UPCOMING', 'UPCOMING']);
    expect(await seen(start)).toStrictEqual(['DUE', 'DUE']);
    expect(await seen(start + 2 * HOUR - 1)).toStrictEqual(['DUE', 'DUE']);
    expect(await seen(start + 2 * HOUR)).toStrictEqual(['PAST', 'PAST']);
  });

  it('are attended from a day before their time on, and with a date', async () => {
    service().at(NOW);
    const attend = async (date_time: string | undefined) => {
      const { body } = await service().rest('POST', '/v1/appointment_reminder', {
        as: 'subscriber',
        body: { title: 'x', date_time },
      });
      const query =
        'mutation($id: ID!) { attendAppointment(input: { id: $id }) { reminder { status } } }';
      const answer = (await service().graphql(query, { id: body.id }, { as: 'subscriber' })).body;
      return errorCode(answer) ?? answer.data.attendAppointment.reminder.status;
    };
    expect(await attend('2026-03-11T08:05:00Z')).toBe('ATTENDED');
    expect(await attend('2026-03-11T08:06:00Z')).toBe('TOO_EARLY');
    expect(await attend(undefined)).toBe('UNSCHEDULED');
  });
});
