import { type Caller, errorCode, mutation, useService } from '../../support/harness.js';

const NOW = Date.parse('2026-03-10T07:30:00Z');
const DAY = 24 * 60 * 60_000;
const LIST =
  'query($first: Int, $after: String) { medicineReminders(first: $first, after: $after) { ' +
  'totalCount nodes { id } edges { cursor node { name } } pageInfo { hasNextPage endCursor } } ' +
  '}';

describe('Reminders over GraphQL', () => {
  const service = useService();
  const run = (what: string, fields: string, input: object, as: Caller = 'subscriber') =>
    service().ask(mutation(what, fields), { input }, as);

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
    expect(await graphql(create('startDate: "soon"'))).toStrictEqual([
      'startDate',
      `startDate ${date}`,
    ]);
    expect(
      await rest('POST', '/v1/medicine_reminder', { body: { start_date: 'soon' } }),
    ).toStrictEqual(['start_date', `start_date ${date}`]);
    expect(await graphql('{ calendar(from: "soon") { to } }')).toStrictEqual(['from', range]);
    expect(await rest('GET', '/v1/events', { query: 'date_from=soon' })).toStrictEqual([
      'date_from',
      range,
    ]);
    const appointment =
      'mutation { createAppointmentReminder(input: { dateTime: "2026-05-01", remindBefore: ' +
      '"soon" }) { id } }';
    expect(await graphql(appointment)).toStrictEqual(['remindBefore', `remindBefore ${length}`]);
    const body = { date_time: '2026-05-01', remind_before: 'soon' };
    expect(await rest('POST', '/v1/appointment_reminder', { body })).toStrictEqual([
      'remind_before',
      `remind_before ${length}`,
    ]);
  });

  it('are made, read, changed and deleted, medicines and appointments alike', async () => {
    service().at(NOW);
    const fields = 'id userId name frequencyType nextOccurrence status version';
    const { createMedicineReminder: made } = (
      await run('createMedicineReminder', fields, {
        name: 'Aspirin',
        frequencyType: 'daily',
        startDate: '2026-03-11',
      })
    ).data;
    expect([made.nextOccurrence, made.version]).toStrictEqual(['2026-03-11T08:00:00+00:00', 1]);
    const { updateMedicineReminder: changed } = (
      await run('updateMedicineReminder', fields, { id: made.id, name: 'Iron', version: 1 })
    ).data;
    expect(changed).toStrictEqual({ ...made, name: 'Iron', version: 2 });
    expect(
      (
        await service().ask(`query($id: Int!) { medicineReminder(id: $id) { ${fields} } }`, {
          id: made.id,
        })
      ).data.medicineReminder,
    ).toStrictEqual(changed);
    const appointment = (
      await run('createAppointmentReminder', 'id title dateTime remindAt', {
        title: 'Dentist',
        dateTime: '2026-03-11T10:00:00',
        remindBefore: '1h',
      })
    ).data;
    expect(appointment.createAppointmentReminder.remindAt).toBe('2026-03-11T09:00:00+00:00');
    const { id } = appointment.createAppointmentReminder;
    expect(
      (await run('updateAppointmentReminder', 'remindAt', { id, remindBefore: '' })).data
        .updateAppointmentReminder.remindAt,
    ).toBe('2026-03-11T10:00:00+00:00');
    expect(
      (await service().ask('{ appointmentReminders { totalCount } }')).data.appointmentReminders
        .totalCount,
    ).toBe(1);
    const deleteInput = (what: string) =>
      service().ask(
        `mutation($input: DeleteReminderInput!) { ${what}(input: $input) { deleted previous { id } } }`,
        {
          input: { id: what.includes('Medicine') ? made.id : id },
        },
      );
    expect((await deleteInput('deleteMedicineReminder')).data.deleteMedicineReminder).toStrictEqual(
      {
        deleted: true,
        previous: { id: made.id },
      },
    );
    expect(
      (await deleteInput('deleteAppointmentReminder')).data.deleteAppointmentReminder.deleted,
    ).toBe(true);
    expect(errorCode(await deleteInput('deleteMedicineReminder'))).toBe('REMINDER_NOT_FOUND');
  });

  it('are changed only from the version that was read, when one is named', async () => {
    const { id } = (await run('createMedicineReminder', 'id', {})).data.createMedicineReminder;
    const edits = await Promise.all(
      ['a', 'b', 'c'].map((name) =>
        run('updateMedicineReminder', 'name', { id, name, version: 1 }),
      ),
    );
    expect(edits.map(errorCode).sort()).toStrictEqual(['CONFLICT', 'CONFLICT', undefined]);
    expect(
      errorCode(await run('updateMedicineReminder', 'name', { id, name: 'd' })),
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

  it('are paged by positions that hold while others are made and deleted', async () => {
    for (let i = 1; i <= 5; i++) await run('createMedicineReminder', 'id', { name: `m${i}` });
    const first = (await service().ask(LIST, { first: 2 })).data.medicineReminders;
    expect(first.edges.map(({ node }: { node: { name: string } }) => node.name)).toStrictEqual([
      'm5',
      'm4',
    ]);
    expect([first.totalCount, first.pageInfo.hasNextPage]).toStrictEqual([5, true]);
    await run('createMedicineReminder', 'id', { name: 'm6' });
    const second = (await service().ask(LIST, { first: 3, after: first.pageInfo.endCursor })).data
      .medicineReminders;
    expect(second.edges.map(({ node }: { node: { name: string } }) => node.name)).toStrictEqual([
      'm3',
      'm2',
      'm1',
    ]);
    expect(second.pageInfo.hasNextPage).toBe(false);
    expect(errorCode(await service().ask(LIST, { after: 'x' }))).toBe('CURSOR_INVALID');
  });

  it('are listed in a constant number of statements', async () => {
    const list = () =>
      service().ask('{ medicineReminders { nodes { id name nextOccurrence status times } } }');
    await run('createMedicineReminder', 'id', { frequencyType: 'daily' });
    const one = await service().statements(list);
    for (let i = 0; i < 10; i++)
      await run('createMedicineReminder', 'id', { frequencyType: 'daily' });
    expect(await service().statements(list)).toBe(one);
  });

  it('read by somebody else leave a trace; by their member they do not', async () => {
    const { id } = (await run('createMedicineReminder', 'id', {})).data.createMedicineReminder;
    const read =
      'query($id: Int!) { one: medicineReminder(id: $id) { id } two: medicineReminder(id: $id) ' +
      '{ name } }';
    const { id: subjectId } = await service().account('subscriber');
    await service().ask(read, { id });
    expect(await service().database.prisma.auditEvent.count()).toBe(0);
    await service().opens(subjectId);
    expect((await service().ask(read, { id }, 'administrator')).data.one).toStrictEqual({ id });
    const events = await service().database.prisma.auditEvent.findMany();
    expect(events.length).toBeGreaterThanOrEqual(1);
    expect([events[0]?.action, events[0]?.subjectId]).toStrictEqual(['reminder.read', subjectId]);
  });

  it('that hold too much are refused in few words', async () => {
    const query =
      'mutation($name: String) { createMedicineReminder(input: { name: $name }) { id } }';
    const { body } = await service().graphql(
      query,
      { name: 'x'.repeat(100_000) },
      { as: 'subscriber' },
    );
    expect(body.errors[0].message.length).toBeLessThan(1_000);
    expect(body.errors[0].message).toMatch(
      /LongText must be a text of at most 65,536 bytes without NUL\.$/,
    );
  });

  it('are bounded in number, those that are over only in all', async () => {
    service().at(NOW);
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
    expect(errorCode(await run('createMedicineReminder', 'id', {}))).toBe('TOO_MANY_REMINDERS');
    service().at(NOW + 5 * DAY);
    const daily = await made('createMedicineReminder', { frequencyType: 'daily' });
    const statements = async () =>
      service().statements(() => service().ask('{ calendar { nodes { reminderId } } }'));
    const before = await statements();
    await copies(daily, 499);
    expect(errorCode(await run('createMedicineReminder', 'id', {}))).toBe('TOO_MANY_REMINDERS');
    expect(await statements()).toBe(before);
    await prisma.reminder.deleteMany({ where: { frequencyType: 'daily', endDate: null } });
    await copies(await made('createMedicineReminder', {}), 5_000 - 1501);
    expect(errorCode(await run('createMedicineReminder', 'id', {})), 'in all').toBe(
      'TOO_MANY_REMINDERS',
    );
  });

  it('that are over are on the calendar of their days, with what was logged of them later', async () => {
    service().at(NOW);
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
    service().at(NOW + 30 * DAY);
    await run('logDose', 'id', { reminderId: ended });
    const on = async (from: string, to: string) => {
      const { data } = await service().ask(
        `{ calendar(from: "${from}", to: "${to}") { nodes { reminderId description status } } }`,
      );
      return data.calendar.nodes.map(
        (node: { reminderId: number; description: string | null; status: string }) =>
          [node.reminderId, node.description, node.status].join(' '),
      );
    };
    const days = [`${ended} With food MISSED`, `${ended} With food MISSED`, `${visit}  PAST`];
    expect((await on('2026-03-10', '2026-03-11')).sort()).toStrictEqual(days.sort());
    expect(await on('2026-04-09', '2026-04-09')).toStrictEqual([`${ended} With food TAKEN`]);
    const { data } = await service().ask(
      'mutation { updateCareSettings(input: { timeZone: "Asia/Tokyo" }) { timeZone } }',
    );
    expect(data.updateCareSettings.timeZone).toBe('Asia/Tokyo');
    expect((await on('2026-03-10', '2026-03-11')).sort()).toStrictEqual(days.sort());
    const revived = await run('updateMedicineReminder', 'nextOccurrence', {
      id: ended,
      endDate: '2026-05-01',
    });
    const { nextOccurrence } = revived.data.updateMedicineReminder;
    expect(nextOccurrence, 'by the clocks of where the member is by now').toBe(
      '2026-04-10T08:00:00+09:00',
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
