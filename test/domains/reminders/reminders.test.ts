import {
  makeAppointment,
  makeCarer,
  makeMedicine,
  postAppointment,
  postMedicine,
} from '../../support/factories.js';
import { type Caller, errorCode, mutation, useService } from '../../support/harness.js';

const NOW = Date.parse('2026-03-10T07:30:00Z');
const DAY = 24 * 60 * 60_000;
const LIST =
  'query($first: Int, $after: String, $last: Int, $before: String) { medicineReminders(first: ' +
  '$first, after: $after, last: $last, before: $before) { totalCount nodes { id } ' +
  'edges { cursor node { name } } ' +
  'pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } }';
const DAILY = { name: 'Aspirin', frequency: 'daily' };

type Edge = { readonly node: { readonly name: string } };
const namesOf = ({ edges }: { edges: readonly Edge[] }) => edges.map(({ node }) => node.name);

describe('Reminders over GraphQL', () => {
  const service = useService();
  const run = (what: string, fields: string, input: object, as: Caller = 'subscriber') =>
    service().ask(mutation(what, fields), { input }, as);

  it('refuse what does not fit in the words of the face that was asked', async () => {
    const graphql = async (query: string) => {
      const [{ extensions }] = (await service().graphql(query, {}, { as: 'subscriber' })).body
        .errors;
      return extensions.problems.map(({ path, code }: { path: string[]; code: string }) => [
        path.join('.'),
        code,
      ]);
    };
    const rest = async (method: string, path: string, more: object) => {
      const { body } = await service().rest(method, path, {
        as: 'subscriber',
        edition: 'B',
        ...more,
      });
      return Object.entries(body.data.params)[0];
    };
    const range = 'A range begins and ends with a date such as 2026-03-01, or a date and time.';
    const create = (input: string) =>
      `mutation { createMedicineReminder(input: { name: "x", frequency: "daily", ${input} }) { reminder { id } } }`;
    expect(await graphql(create('startsOn: "2026-03-02", endsOn: "2026-03-01"'))).toStrictEqual([
      ['input.endsOn', 'END_BEFORE_START'],
    ]);
    expect(await graphql(create('startTime: "08:00"'))).toStrictEqual([
      ['input.startsOn', 'DATE_INVALID'],
    ]);
    expect(await graphql(create('startsOn: "1899-12-31"'))).toStrictEqual([
      ['input.startsOn', 'DATE_INVALID'],
    ]);
    const ends = { start_date: '2026-03-02', end_date: '2026-03-01' };
    expect((await rest('POST', '/v1/medicine_reminder', { body: ends }))?.[0]).toBe('end_date');
    expect(
      await graphql('{ calendar(from: "2026-03-02", to: "2026-03-01") { to } }'),
    ).toStrictEqual([['to', 'DATE_INVALID']]);
    expect(
      await graphql('{ calendar(from: "2026-03-02", to: "2027-04-01") { to } }'),
    ).toStrictEqual([['to', 'RANGE_TOO_LONG']]);
    expect(await rest('GET', '/v1/events', { query: 'date_from=soon' })).toStrictEqual([
      'date_from',
      range,
    ]);
    const appointment =
      'mutation { createAppointmentReminder(input: { title: "x", date: "1899-05-01", ' +
      'remindBefore: "P29D" }) { reminder { id } } }';
    expect(await graphql(appointment)).toStrictEqual([
      ['input.date', 'DATE_INVALID'],
      ['input.remindBefore', 'REMIND_BEFORE_INVALID'],
    ]);
  });

  it('are made, read, changed and deleted, medicines and appointments alike', async () => {
    service().at(NOW);
    const fields =
      'id databaseId member { name } name frequency startsOn startTime endsOn times timeZone ' +
      'timesSource timeZoneSource nextOccurrenceAt status version isScheduleRecognized';
    const of = `reminder { ${fields} }`;
    const { reminder: made } = (
      await run('createMedicineReminder', of, { ...DAILY, startsOn: '2026-03-11' })
    ).data.createMedicineReminder;
    expect(made).toMatchObject({
      member: { name: 'The subscriber' },
      ...DAILY,
      ...{ startsOn: '2026-03-11', startTime: null, endsOn: null, times: ['08:00'] },
      ...{ timeZone: 'UTC', timesSource: 'USUAL_TIMES', timeZoneSource: 'SITE' },
      ...{ nextOccurrenceAt: '2026-03-11T08:00:00.000Z', status: 'ACTIVE', version: 1 },
      isScheduleRecognized: true,
    });
    const { reminder: changed } = (
      await run('updateMedicineReminder', of, { id: made.id, name: 'Iron', version: 1 })
    ).data.updateMedicineReminder;
    expect(changed).toStrictEqual({ ...made, name: 'Iron', version: 2 });
    const read = `query($id: ID!, $number: ID!) {
      medicineReminder(id: $id) { ${fields} }
      byNumber: medicineReminder(id: $number) { id }
      reminder(id: $id) { __typename id status }
      node(id: $id) { ... on MedicineReminder { name } }
    }`;
    expect(
      (await service().ask(read, { id: made.id, number: made.databaseId })).data,
    ).toStrictEqual({
      medicineReminder: changed,
      byNumber: { id: made.id },
      reminder: { __typename: 'MedicineReminder', id: made.id, status: 'ACTIVE' },
      node: { name: 'Iron' },
    });
    const visit = 'reminder { id databaseId title startsAt remindBefore remindAt }';
    const { reminder: appointment } = (
      await run('createAppointmentReminder', visit, {
        title: 'Dentist',
        date: '2026-03-11',
        time: '10:00',
        remindBefore: 'PT1H',
      })
    ).data.createAppointmentReminder;
    expect([appointment.startsAt, appointment.remindBefore, appointment.remindAt]).toStrictEqual([
      '2026-03-11T10:00:00.000Z',
      'PT1H',
      '2026-03-11T09:00:00.000Z',
    ]);
    const { id } = appointment;
    expect(
      (await run('updateAppointmentReminder', visit, { id, remindBefore: 'P1DT90M' })).data
        .updateAppointmentReminder.reminder,
    ).toMatchObject({ remindBefore: 'P1DT1H30M', remindAt: '2026-03-10T08:30:00.000Z' });
    expect(
      (await service().ask('{ appointmentReminders { totalCount } }')).data.appointmentReminders
        .totalCount,
    ).toBe(1);
    const deleted = 'deletedReminderId reminder { name: id } memberHome { today { id } }';
    const gone = await run('deleteMedicineReminder', deleted, { id: made.id });
    expect(gone.data.deleteMedicineReminder).toStrictEqual({
      deletedReminderId: made.id,
      reminder: { name: made.id },
      memberHome: { today: [] },
    });
    expect(
      (await run('deleteAppointmentReminder', 'deletedReminderId', { id })).data
        .deleteAppointmentReminder.deletedReminderId,
    ).toBe(id);
    expect(
      errorCode(await run('deleteMedicineReminder', 'deletedReminderId', { id: made.id })),
    ).toBe('REMINDER_NOT_FOUND');
    expect((await service().ask(read, { id: made.id, number: 1 })).data.node).toBeNull();
  });

  it('need a name and a frequency or a schedule, or a title and a date, and ids of their own kind', async () => {
    const problems = async (what: string, input: object) =>
      (await run(what, '__typename', input)).errors[0];
    for (const [what, input, missing] of [
      ['createMedicineReminder', { frequency: 'daily' }, 'name'],
      ['createAppointmentReminder', { date: '2026-03-11' }, 'title'],
      ['createAppointmentReminder', { title: 'x' }, 'date'],
    ] as const) {
      const { message, extensions } = await problems(what, input);
      expect(extensions.code, message).toBe('BAD_USER_INPUT');
      expect(message).toContain(`"${missing}"`);
    }
    expect((await problems('createMedicineReminder', { name: 'x' })).extensions).toMatchObject({
      code: 'SCHEDULE_INVALID',
      problems: [{ path: ['input', 'frequency'], code: 'SCHEDULE_INVALID' }],
    });
    const visit = { title: 'x', date: '2026-03-11' };
    const { id } = (await run('createAppointmentReminder', 'reminder { id }', visit)).data
      .createAppointmentReminder.reminder;
    expect((await problems('deleteMedicineReminder', { id })).extensions).toMatchObject({
      code: 'ID_INVALID',
      problems: [{ path: ['input', 'id'], code: 'ID_INVALID' }],
    });
    expect(errorCode(await service().ask('{ medicineReminder(id: "x") { id } }'))).toBe(
      'ID_INVALID',
    );
  });

  it('show who sees them alone, by their global ids too', async () => {
    const { id } = (await run('createMedicineReminder', 'reminder { id }', DAILY)).data
      .createMedicineReminder.reminder;
    const node = async (as: Caller) =>
      (await service().ask('query($id: ID!) { node(id: $id) { id } }', { id }, as)).data.node;
    expect(await node('subscriber')).toStrictEqual({ id });
    for (const as of ['author', 'administrator', 'anonymous'] as const)
      expect(await node(as), as).toBeNull();
    const { id: memberId } = await service().account('subscriber');
    const { id: carerId } = await service().account('author');
    await makeCarer(service(), { memberId, carerId });
    expect(await node('author')).toStrictEqual({ id });
    expect(
      await service().database.prisma.auditEvent.count({
        where: { actorId: carerId, subjectId: memberId, action: 'reminder.read' },
      }),
    ).toBe(1);
  });

  it('begin at the midnight that is given as a time, with an end or without, and stay there', async () => {
    service().at(NOW);
    const of = 'reminder { id startsOn startTime endsOn endsAt times nextOccurrenceAt }';
    const course = { startsOn: '2026-03-11', startTime: '00:00', endsOn: '2026-03-12' };
    const { reminder } = (await run('createMedicineReminder', of, { ...DAILY, ...course })).data
      .createMedicineReminder;
    expect(reminder).toMatchObject({
      ...course,
      ...{ times: ['00:00'], nextOccurrenceAt: '2026-03-11T00:00:00.000Z' },
    });
    const { id } = reminder;
    const change = async (input: object) =>
      (await run('updateMedicineReminder', of, { id, ...input })).data.updateMedicineReminder
        .reminder;
    const later = { startsOn: '2026-03-12', startTime: '00:00' };
    expect(await change(later)).toMatchObject({ ...later, endsOn: '2026-03-12', times: ['00:00'] });
    expect(await change({ endsOn: '2026-03-14' })).toMatchObject({
      ...later,
      ...{ endsOn: '2026-03-14', endsAt: '2026-03-14T23:59:59.999Z', times: ['00:00'] },
    });
    expect(await change({ endsOn: null })).toMatchObject({ ...later, endsOn: null, endsAt: null });
    expect(
      await change({ startsOn: '2026-03-13', startTime: null, endsOn: '2026-03-13' }),
    ).toMatchObject({
      ...{ startsOn: '2026-03-13', startTime: null, endsOn: '2026-03-13', times: ['08:00'] },
    });
  });

  it('keep of their start what a change leaves out', async () => {
    service().at(NOW);
    const of = 'reminder { startsOn startTime times }';
    const id = await makeMedicine(service(), { startDate: '2026-03-11T09:30:00' });
    const change = async (input: object) =>
      (await run('updateMedicineReminder', of, { id, ...input })).data.updateMedicineReminder
        .reminder;
    const at = (startsOn: string, startTime: string | null, time = startTime) => ({
      ...{ startsOn, startTime, times: [time] },
    });
    expect(await change({ startsOn: '2026-03-12' })).toStrictEqual(at('2026-03-12', '09:30'));
    expect(await change({ startTime: '10:15' })).toStrictEqual(at('2026-03-12', '10:15'));
    expect(await change({ name: 'Iron' })).toStrictEqual(at('2026-03-12', '10:15'));
    expect(await change({ startTime: null })).toStrictEqual(at('2026-03-12', null, '08:00'));
    expect(await change({ startsOn: '2026-03-13' })).toStrictEqual(at('2026-03-13', null, '08:00'));
    const visit = await makeAppointment(service(), { dateTime: '2026-03-11T10:00:00' });
    const move = async (input: object) => {
      const body = await run('updateAppointmentReminder', 'reminder { startsAt }', {
        ...{ id: visit, ...input },
      });
      return errorCode(body) ?? body.data.updateAppointmentReminder.reminder.startsAt;
    };
    expect(await move({ date: '2026-03-12' })).toBe('2026-03-12T10:00:00.000Z');
    expect(await move({ time: '11:00' })).toBe('2026-03-12T11:00:00.000Z');
    expect(await move({ time: null })).toBe('2026-03-12T08:00:00.000Z');
    const { id: undated } = await postAppointment(service(), { title: 'x' });
    const body = await run('updateAppointmentReminder', '__typename', {
      id: undated,
      time: '09:00',
    });
    expect(body.errors[0].extensions.problems).toMatchObject([
      { path: ['input', 'date'], code: 'DATE_INVALID' },
    ]);
  });

  it('come by the clocks of the member, whatever offset they have on the day', async () => {
    service().at(Date.parse('2026-03-20T12:00:00Z'));
    await service().ask(
      'mutation { updateCareSettings(input: { timeZone: "Europe/Berlin" }) { careSettings { timeZone } } }',
    );
    const at = async (date: string) =>
      (
        await run('createAppointmentReminder', 'reminder { startsAt remindAt timeZone }', {
          ...{ title: 'x', date, time: '10:00', remindBefore: 'P1D' },
        })
      ).data.createAppointmentReminder.reminder;
    expect([await at('2026-03-28'), await at('2026-03-29')]).toStrictEqual([
      {
        startsAt: '2026-03-28T09:00:00.000Z',
        remindAt: '2026-03-27T09:00:00.000Z',
        timeZone: 'Europe/Berlin',
      },
      {
        startsAt: '2026-03-29T08:00:00.000Z',
        remindAt: '2026-03-28T09:00:00.000Z',
        timeZone: 'Europe/Berlin',
      },
    ]);
    const on =
      '{ calendar(from: "2026-03-29", to: "2026-03-29") { from to timeZone events { date time timeZone startsAt } } }';
    expect((await service().ask(on)).data.calendar).toStrictEqual({
      ...{ from: '2026-03-29', to: '2026-03-29', timeZone: 'Europe/Berlin' },
      events: [
        {
          ...{ date: '2026-03-29', time: '10:00', timeZone: 'Europe/Berlin' },
          startsAt: '2026-03-29T08:00:00.000Z',
        },
      ],
    });
  });

  it('are changed only from the version that was read, when one is named', async () => {
    const id = await makeMedicine(service());
    const edits = await Promise.all(
      ['a', 'b', 'c'].map((name) =>
        run('updateMedicineReminder', 'reminder { name }', { id, name, version: 1 }),
      ),
    );
    expect(edits.map(errorCode).sort()).toStrictEqual(['CONFLICT', 'CONFLICT', undefined]);
    expect(
      errorCode(await run('updateMedicineReminder', 'reminder { name }', { id, name: 'd' })),
    ).toBeUndefined();
  });

  it('that are changed to what they are stay as they are, version and all', async () => {
    const { body } = await service().rest('POST', '/v1/medicine_reminder', {
      as: 'subscriber',
      body: { name: 'x', frequency_type: 'daily' },
    });
    const version = async () =>
      (await service().database.prisma.reminder.findUniqueOrThrow({ where: { id: body.id } }))
        .version;
    const before = await version();
    for (const changes of [{}, { name: 'x' }]) {
      const answer = await service().rest('POST', `/v1/medicine_reminder/${body.id}`, {
        as: 'subscriber',
        edition: 'B',
        body: changes,
      });
      expect([answer.status, answer.body]).toStrictEqual([200, body]);
    }
    expect(await version()).toBe(before);
  });

  it('are paged by positions that hold while others are made and deleted, both ways', async () => {
    const page = async (args: object) => (await service().ask(LIST, args)).data.medicineReminders;
    for (let i = 1; i <= 5; i++) await makeMedicine(service(), { name: `m${i}` });
    const first = await page({ first: 2 });
    expect(namesOf(first)).toStrictEqual(['m5', 'm4']);
    expect([first.totalCount, first.pageInfo.hasNextPage]).toStrictEqual([5, true]);
    expect(first.pageInfo.hasPreviousPage).toBe(false);
    await makeMedicine(service(), { name: 'm6' });
    const second = await page({ first: 3, after: first.pageInfo.endCursor });
    expect(namesOf(second)).toStrictEqual(['m3', 'm2', 'm1']);
    const { hasNextPage, hasPreviousPage } = second.pageInfo;
    expect([hasNextPage, hasPreviousPage]).toStrictEqual([false, true]);
    const seen: string[] = [];
    for (let before: string | undefined; ; ) {
      const { pageInfo, ...shown } = await page({ last: 4, before });
      seen.unshift(...namesOf(shown));
      if (!pageInfo.hasPreviousPage) break;
      before = pageInfo.startCursor;
    }
    expect(seen).toStrictEqual(['m6', 'm5', 'm4', 'm3', 'm2', 'm1']);
    const { startCursor, endCursor } = first.pageInfo;
    expect(
      namesOf(await page({ after: startCursor, before: second.edges[1].cursor })),
    ).toStrictEqual(['m4', 'm3']);
    for (const [args, code] of [
      [{ after: 'x' }, 'CURSOR_INVALID'],
      [{ first: 1, last: 1 }, 'PAGE_SIZES_BOTH'],
    ] as const)
      expect(errorCode(await service().ask(LIST, args))).toBe(code);
    const others = `{ appointmentReminders(after: "${endCursor}") { totalCount } }`;
    expect(errorCode(await service().ask(others))).toBe('CURSOR_INVALID');
  });

  it('are listed in a constant number of statements', async () => {
    const list = () =>
      service().ask(
        '{ medicineReminders { nodes { id name member { name } nextOccurrenceAt status times } } }',
      );
    await makeMedicine(service());
    const one = await service().statements(list);
    for (let i = 0; i < 10; i++) await makeMedicine(service());
    expect(await service().statements(list)).toBe(one);
    const page = () => service().rest('GET', '/v1/medicine_reminder', { as: 'subscriber' });
    expect(await service().statements(page)).toBe(1);
  });

  it('are made in three statements: the lock, what is known, and all that is written', async () => {
    const make = () => service().statements(() => makeMedicine(service()));
    await make();
    expect(await make()).toBe(3);
  });

  it('read by somebody else leave a trace; by their member they do not', async () => {
    const id = await makeMedicine(service());
    const read =
      'query($id: ID!) { one: medicineReminder(id: $id) { databaseId } two: medicineReminder(id: $id) ' +
      '{ name } }';
    const { id: subjectId } = await service().account('subscriber');
    await service().ask(read, { id });
    expect(await service().database.prisma.auditEvent.count()).toBe(0);
    await service().opens(subjectId);
    expect((await service().ask(read, { id }, 'administrator')).data.one).toStrictEqual({
      databaseId: id,
    });
    const events = await service().database.prisma.auditEvent.findMany();
    expect(events.length).toBeGreaterThanOrEqual(1);
    expect([events[0]?.action, events[0]?.subjectId]).toStrictEqual(['reminder.read', subjectId]);
  });

  it('that hold too much are refused in few words', async () => {
    const query =
      'mutation($name: String!) { createMedicineReminder(input: { name: $name, frequency: ' +
      '"daily" }) { reminder { id } } }';
    const { body } = await service().graphql(
      query,
      { name: 'x'.repeat(100_000) },
      { as: 'subscriber' },
    );
    expect(body.errors[0].message.length).toBeLessThan(1_000);
    expect(body.errors[0].message).toMatch(
      /input\.name must be a text of at most 65,536 bytes without NUL\.$/,
    );
  });

  it('are bounded in number, those that are over only in all', async () => {
    service().at(NOW);
    const { prisma } = service().database;
    const copies = (id: number, count: number) => prisma.$executeRaw`
      INSERT INTO reminder SELECT (jsonb_populate_record(r, jsonb_build_object(
        'id', nextval(pg_get_serial_sequence('reminder', 'id'))))).*
      FROM reminder r, generate_series(1, ${count}::int) WHERE id = ${id}`;
    const refused = async () => errorCode(await run('createMedicineReminder', '__typename', DAILY));
    const visit = { dateTime: '2026-03-10T13:00:00', remindBefore: '2d' };
    const over = [
      await makeAppointment(service(), visit),
      await makeMedicine(service(), { startDate: undefined, endDate: '2026-03-11' }),
      await makeMedicine(service(), { startDate: undefined, frequencyType: 'once' }),
    ];
    for (const id of over) await copies(id, 499);
    expect(await refused()).toBe('TOO_MANY_REMINDERS');
    service().at(NOW + 5 * DAY);
    const daily = await makeMedicine(service(), { startDate: undefined });
    const statements = async () =>
      service().statements(() => service().ask('{ calendar { events { title } } }'));
    const before = await statements();
    await copies(daily, 499);
    expect(await refused()).toBe('TOO_MANY_REMINDERS');
    expect(await statements()).toBe(before);
    await prisma.reminder.deleteMany({ where: { frequencyType: 'daily', endDate: null } });
    const { id } = await postMedicine(service(), { frequency_type: undefined });
    await copies(id, 5_000 - 1501);
    expect(await refused(), 'in all').toBe('TOO_MANY_REMINDERS');
  });

  it('that are over are on the calendar of their days, with what was logged of them later', async () => {
    service().at(NOW);
    const ended = await makeMedicine(service(), {
      name: 'Antibiotic',
      description: 'With food',
      startDate: '2026-03-10T08:00:00',
      endDate: '2026-03-11',
    });
    const visit = await makeAppointment(service(), {
      title: 'Dentist',
      dateTime: '2026-03-11T13:00:00',
    });
    service().at(NOW + 30 * DAY);
    await run('logDose', 'event { id }', { reminderId: ended });
    interface Shown {
      readonly reminder: { readonly databaseId: number };
      readonly description: string | null;
      readonly status: string;
    }
    const on = async (from: string, to: string) => {
      const { data } = await service().ask(
        `{ calendar(from: "${from}", to: "${to}") { events { reminder { databaseId } description status } } }`,
      );
      return data.calendar.events.map(({ reminder, description, status }: Shown) =>
        [reminder.databaseId, description, status].join(' '),
      );
    };
    const days = [`${ended} With food MISSED`, `${ended} With food MISSED`, `${visit}  PAST`];
    expect((await on('2026-03-10', '2026-03-11')).sort()).toStrictEqual(days.sort());
    expect(await on('2026-04-09', '2026-04-09')).toStrictEqual([`${ended} With food TAKEN`]);
    const { data } = await service().ask(
      'mutation { updateCareSettings(input: { timeZone: "Asia/Tokyo" }) { careSettings { timeZone } } }',
    );
    expect(data.updateCareSettings.careSettings.timeZone).toBe('Asia/Tokyo');
    expect((await on('2026-03-10', '2026-03-11')).sort()).toStrictEqual(days.sort());
    const revived = await run('updateMedicineReminder', 'reminder { nextOccurrenceAt }', {
      id: ended,
      endsOn: '2026-05-01',
    });
    const { nextOccurrenceAt } = revived.data.updateMedicineReminder.reminder;
    expect(nextOccurrenceAt, 'by the clocks of where the member is by now').toBe(
      '2026-04-09T23:00:00.000Z',
    );
  });
});

describe('A start in UTC of a member whose zone is not known', () => {
  const service = useService();
  const now = Date.parse('2026-06-01T10:00:00Z');
  const send = async (path: string, body: object, zone?: string) => {
    service().at(now);
    const headers: Record<string, string> = zone ? { 'time-zone': zone } : {};
    const sent = { edition: 'B', as: 'subscriber', body, headers } as const;
    return (await service().rest('POST', path, sent)).body;
  };
  const make = (body: object, zone?: string) =>
    send('/v1/medicine_reminder', { name: 'a', frequency_type: 'daily', ...body }, zone);
  const read = async (id: number) => {
    const { body } = await service().rest('GET', `/v1/medicine_reminder/${id}`, {
      edition: 'B',
      as: 'subscriber',
    });
    return [body.time_zone, body.times, body.next_occurrence];
  };
  const Z = { start_date: '2026-06-02T06:30:00Z' };

  it('is an instant: it comes at its local time once the zone is known', async () => {
    const { id } = await make(Z);
    expect(await read(id)).toStrictEqual(['UTC', ['06:30'], '2026-06-02T06:30:00+00:00']);
    await make({}, 'Europe/Berlin');
    expect(await read(id)).toStrictEqual(['Europe/Berlin', ['08:30'], '2026-06-02T08:30:00+02:00']);
    await make({}, 'America/New_York');
    const [zone, times] = await read(id);
    expect([zone, times], 'and keeps it on a journey').toStrictEqual([
      'America/New_York',
      ['08:30'],
    ]);
  });

  it('is no instant any more once another start was given', async () => {
    const { id } = await make(Z);
    await send(`/v1/medicine_reminder/${id}`, { start_date: '2026-06-02T07:00:00' });
    await make({}, 'Europe/Berlin');
    expect((await read(id)).slice(0, 2)).toStrictEqual(['Europe/Berlin', ['07:00']]);
  });

  it('keeps its local time where the zone was known when it was made', async () => {
    const { id } = await make(Z, 'UTC');
    await make({}, 'Europe/Berlin');
    expect((await read(id)).slice(0, 2)).toStrictEqual(['Europe/Berlin', ['06:30']]);
  });
});
