import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Caller, useService } from '../../support/harness.js';

const NOW = Date.parse('2026-03-10T07:30:00Z');
const DAY = 24 * 60 * 60_000;
const LIST =
  'query($first: PageSize, $after: Cursor) { medicineReminders(first: $first, after: $after) { ' +
  'totalCount nodes { id } edges { cursor node { name } } pageInfo { hasNextPage endCursor } } ' +
  '}';

describe('Reminders over GraphQL', () => {
  const service = useService();
  const ask = async (query: string, variables: object = {}, as: Caller = 'subscriber') =>
    (await service().graphql(query, variables, { as })).body;
  const run = (what: string, fields: string, input: object, as: Caller = 'subscriber') =>
    ask(
      `mutation($input: ${what[0]?.toUpperCase()}${what.slice(1)}Input!) { ${what}(input: $input) { ${fields} } }`,
      { input },
      as,
    );
  const code = (body: { errors?: { extensions: { code: string } }[] }) =>
    body.errors?.[0]?.extensions.code;

  it('refuse what does not fit in the words of the face that was asked', async () => {
    const graphql = async (query: string) => {
      const [{ message, extensions }] = (await service().graphql(query, {}, { as: 'subscriber' }))
        .body.errors;
      return [extensions.param, message];
    };
    const rest = async (method: string, path: string, more: object) => {
      const { body } = await service().rest(method, path, {
        as: 'subscriber',
        edition: 'B',
        ...more,
      });
      return Object.entries(body.data.params)[0];
    };
    const date =
      'must be a date such as 2026-03-01, or a date and time such as 2026-03-01T08:00:00, with ' +
      'or without an offset.';
    const range = 'A range begins and ends with a date such as 2026-03-01, or a date and time.';
    const length =
      'must be minutes such as 30, or 30m, 2h, 1d, or an ISO 8601 duration such as PT30M, of ' +
      'four weeks at most.';
    const create = (input: string) =>
      `mutation { createMedicineReminder(input: { ${input} }) { id } }`;
    assert.deepEqual(await graphql(create('startDate: "soon"')), [
      'startDate',
      `startDate ${date}`,
    ]);
    assert.deepEqual(
      await rest('POST', '/v1/medicine_reminder', { body: { start_date: 'soon' } }),
      ['start_date', `start_date ${date}`],
    );
    assert.deepEqual(await graphql('{ calendar(from: "soon") { to } }'), ['from', range]);
    assert.deepEqual(await rest('GET', '/v1/events', { query: 'date_from=soon' }), [
      'date_from',
      range,
    ]);
    const appointment =
      'mutation { createAppointmentReminder(input: { dateTime: "2026-05-01", remindBefore: ' +
      '"soon" }) { id } }';
    assert.deepEqual(await graphql(appointment), ['remindBefore', `remindBefore ${length}`]);
    const body = { date_time: '2026-05-01', remind_before: 'soon' };
    assert.deepEqual(await rest('POST', '/v1/appointment_reminder', { body }), [
      'remind_before',
      `remind_before ${length}`,
    ]);
  });

  it('are made, read, changed and deleted, medicines and appointments alike', async () => {
    service().now = () => NOW;
    const fields = 'id userId name frequencyType nextOccurrence status version';
    const { createMedicineReminder: made } = (
      await run('createMedicineReminder', fields, {
        name: 'Aspirin',
        frequencyType: 'daily',
        startDate: '2026-03-11',
      })
    ).data;
    assert.deepEqual([made.nextOccurrence, made.version], ['2026-03-11T08:00:00+00:00', 1]);
    const { updateMedicineReminder: changed } = (
      await run('updateMedicineReminder', fields, { id: made.id, name: 'Iron', version: 1 })
    ).data;
    assert.deepEqual(changed, { ...made, name: 'Iron', version: 2 });
    assert.deepEqual(
      (await ask(`query($id: Int!) { medicineReminder(id: $id) { ${fields} } }`, { id: made.id }))
        .data.medicineReminder,
      changed,
    );
    const appointment = (
      await run('createAppointmentReminder', 'id title dateTime remindAt', {
        title: 'Dentist',
        dateTime: '2026-03-11T10:00:00',
        remindBefore: '1h',
      })
    ).data;
    assert.equal(appointment.createAppointmentReminder.remindAt, '2026-03-11T09:00:00+00:00');
    const { id } = appointment.createAppointmentReminder;
    assert.equal(
      (await run('updateAppointmentReminder', 'remindAt', { id, remindBefore: '' })).data
        .updateAppointmentReminder.remindAt,
      '2026-03-11T10:00:00+00:00',
    );
    assert.equal(
      (await ask('{ appointmentReminders { totalCount } }')).data.appointmentReminders.totalCount,
      1,
    );
    const deleteInput = (what: string) =>
      ask(
        `mutation($input: DeleteReminderInput!) { ${what}(input: $input) { deleted previous { id } } }`,
        {
          input: { id: what.includes('Medicine') ? made.id : id },
        },
      );
    assert.deepEqual((await deleteInput('deleteMedicineReminder')).data.deleteMedicineReminder, {
      deleted: true,
      previous: { id: made.id },
    });
    assert.equal(
      (await deleteInput('deleteAppointmentReminder')).data.deleteAppointmentReminder.deleted,
      true,
    );
    assert.equal(code(await deleteInput('deleteMedicineReminder')), 'REMINDER_NOT_FOUND');
  });

  it('are changed only from the version that was read, when one is named', async () => {
    const { id } = (await run('createMedicineReminder', 'id', {})).data.createMedicineReminder;
    const edits = await Promise.all(
      ['a', 'b', 'c'].map((name) =>
        run('updateMedicineReminder', 'name', { id, name, version: 1 }),
      ),
    );
    assert.deepEqual(edits.map(code).sort(), ['CONFLICT', 'CONFLICT', undefined]);
    assert.equal(code(await run('updateMedicineReminder', 'name', { id, name: 'd' })), undefined);
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
      assert.deepEqual([answer.status, answer.body], [200, body]);
    }
    assert.equal(await version(), before);
  });

  it('are paged by positions that hold while others are made and deleted', async () => {
    for (let i = 1; i <= 5; i++) await run('createMedicineReminder', 'id', { name: `m${i}` });
    const first = (await ask(LIST, { first: 2 })).data.medicineReminders;
    assert.deepEqual(
      first.edges.map(({ node }: { node: { name: string } }) => node.name),
      ['m5', 'm4'],
    );
    assert.deepEqual([first.totalCount, first.pageInfo.hasNextPage], [5, true]);
    await run('createMedicineReminder', 'id', { name: 'm6' });
    const second = (await ask(LIST, { first: 3, after: first.pageInfo.endCursor })).data
      .medicineReminders;
    assert.deepEqual(
      second.edges.map(({ node }: { node: { name: string } }) => node.name),
      ['m3', 'm2', 'm1'],
    );
    assert.equal(second.pageInfo.hasNextPage, false);
    assert.equal(code(await ask(LIST, { after: 'x' })), 'CURSOR_INVALID');
  });

  it('are listed in a constant number of statements', async () => {
    const list = () =>
      ask('{ medicineReminders { nodes { id name nextOccurrence status times } } }');
    await run('createMedicineReminder', 'id', { frequencyType: 'daily' });
    const one = await service().statements(list);
    for (let i = 0; i < 10; i++)
      await run('createMedicineReminder', 'id', { frequencyType: 'daily' });
    assert.equal(await service().statements(list), one);
  });

  it('read by somebody else leave a trace; by their member they do not', async () => {
    const { id } = (await run('createMedicineReminder', 'id', {})).data.createMedicineReminder;
    const read =
      'query($id: Int!) { one: medicineReminder(id: $id) { id } two: medicineReminder(id: $id) ' +
      '{ name } }';
    const { id: subjectId } = await service().account('subscriber');
    await ask(read, { id });
    assert.equal(await service().database.prisma.auditEvent.count(), 0);
    await service().opens(subjectId);
    assert.deepEqual((await ask(read, { id }, 'administrator')).data.one, { id });
    const events = await service().database.prisma.auditEvent.findMany();
    assert.ok(events.length >= 1);
    assert.deepEqual([events[0]?.action, events[0]?.subjectId], ['reminder.read', subjectId]);
  });

  it('that hold too much are refused in few words', async () => {
    const query =
      'mutation($name: LongText) { createMedicineReminder(input: { name: $name }) { id } }';
    const { body } = await service().graphql(
      query,
      { name: 'x'.repeat(100_000) },
      { as: 'subscriber' },
    );
    assert.ok(body.errors[0].message.length < 1_000);
    assert.match(
      body.errors[0].message,
      /LongText must be a text of at most 65,536 bytes without NUL\.$/,
    );
  });

  it('are bounded in number, those that are over only in all', async () => {
    service().now = () => NOW;
    const { prisma } = service().database;
    const copies = async (id: number, count: number) => {
      const { id: _, ...row } = await prisma.reminder.findUniqueOrThrow({ where: { id } });
      await prisma.reminder.createMany({ data: Array.from({ length: count }, () => row) });
    };
    const made = async (operation: string, input: object) =>
      (await run(operation, 'id', input)).data[operation].id as number;
    const visit = { title: 'Dentist', dateTime: '2026-03-10T13:00:00', remindBefore: '2d' };
    const over = [
      await made('createAppointmentReminder', visit),
      await made('createMedicineReminder', { frequencyType: 'daily', endDate: '2026-03-11' }),
      await made('createMedicineReminder', { frequencyType: 'once' }),
    ];
    for (const id of over) await copies(id, 499);
    assert.equal(code(await run('createMedicineReminder', 'id', {})), 'TOO_MANY_REMINDERS');
    service().now = () => NOW + 5 * DAY;
    const daily = await made('createMedicineReminder', { frequencyType: 'daily' });
    const statements = async () =>
      service().statements(() => ask('{ calendar { nodes { reminderId } } }'));
    const before = await statements();
    await copies(daily, 499);
    assert.equal(code(await run('createMedicineReminder', 'id', {})), 'TOO_MANY_REMINDERS');
    assert.equal(await statements(), before);
    await prisma.reminder.deleteMany({ where: { frequencyType: 'daily', endDate: null } });
    await copies(await made('createMedicineReminder', {}), 5_000 - 1501);
    assert.equal(
      code(await run('createMedicineReminder', 'id', {})),
      'TOO_MANY_REMINDERS',
      'in all',
    );
  });

  it('that are over are on the calendar of their days, with what was logged of them later', async () => {
    service().now = () => NOW;
    const make = async (operation: string, input: object) =>
      (await run(operation, 'id', input)).data[operation].id as number;
    const ended = await make('createMedicineReminder', {
      name: 'Antibiotic',
      description: 'With food',
      frequencyType: 'daily',
      startDate: '2026-03-10T08:00:00',
      endDate: '2026-03-11',
    });
    const visit = await make('createAppointmentReminder', {
      title: 'Dentist',
      dateTime: '2026-03-11T13:00:00',
    });
    service().now = () => NOW + 30 * DAY;
    await run('logDose', 'id', { reminderId: ended });
    const on = async (from: string, to: string) => {
      const { data } = await ask(
        `{ calendar(from: "${from}", to: "${to}") { nodes { reminderId description status } } }`,
      );
      return data.calendar.nodes.map(
        (node: { reminderId: number; description: string | null; status: string }) =>
          [node.reminderId, node.description, node.status].join(' '),
      );
    };
    const days = [`${ended} With food MISSED`, `${ended} With food MISSED`, `${visit}  PAST`];
    assert.deepEqual((await on('2026-03-10', '2026-03-11')).sort(), days.sort());
    assert.deepEqual(await on('2026-04-09', '2026-04-09'), [`${ended} With food TAKEN`]);
    const { data } = await ask(
      'mutation { updateCareSettings(input: { timeZone: "Asia/Tokyo" }) { timeZone } }',
    );
    assert.equal(data.updateCareSettings.timeZone, 'Asia/Tokyo');
    assert.deepEqual((await on('2026-03-10', '2026-03-11')).sort(), days.sort());
    const revived = await run('updateMedicineReminder', 'nextOccurrence', {
      id: ended,
      endDate: '2026-05-01',
    });
    const { nextOccurrence } = revived.data.updateMedicineReminder;
    assert.equal(
      nextOccurrence,
      '2026-04-10T08:00:00+09:00',
      'by the clocks of where the member is by now',
    );
  });
});

describe('A start in UTC of a member whose zone is not known', () => {
  const service = useService();
  const now = Date.parse('2026-06-01T10:00:00Z');
  const send = async (path: string, body: object, zone?: string) => {
    service().now = () => now;
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
    assert.deepEqual(await read(id), ['UTC', ['06:30'], '2026-06-02T06:30:00+00:00']);
    await make({}, 'Europe/Berlin');
    assert.deepEqual(await read(id), ['Europe/Berlin', ['08:30'], '2026-06-02T08:30:00+02:00']);
    await make({}, 'America/New_York');
    const [zone, times] = await read(id);
    assert.deepEqual([zone, times], ['America/New_York', ['08:30']], 'and keeps it on a journey');
  });

  it('is no instant any more once another start was given', async () => {
    const { id } = await make(Z);
    await send(`/v1/medicine_reminder/${id}`, { start_date: '2026-06-02T07:00:00' });
    await make({}, 'Europe/Berlin');
    assert.deepEqual((await read(id)).slice(0, 2), ['Europe/Berlin', ['07:00']]);
  });

  it('keeps its local time where the zone was known when it was made', async () => {
    const { id } = await make(Z, 'UTC');
    await make({}, 'Europe/Berlin');
    assert.deepEqual((await read(id)).slice(0, 2), ['Europe/Berlin', ['06:30']]);
  });
});
