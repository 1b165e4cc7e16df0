import { createHash } from 'node:crypto';
import { useService } from '../../support/harness.js';
import { B, NOW } from './member.js';

describe('Medicine reminders over REST', () => {
  const service = useService();
  const create = (body: object, more: object = {}) =>
    service().rest('POST', '/v1/medicine_reminder', { ...B, body, ...more });

  it('are stored as sent and answered with how they were understood', async () => {
    service().at(NOW);
    const { status, body } = await create({
      name: 'Aspirin',
      description: 'after food',
      medicine_type: 'tablet',
      frequency_type: 'Every-Other_Day',
      start_date: '2026-03-10T08:00:00+01:00',
      end_date: '2026-04-01',
      created_date: '2026-03-10 08:29:59',
    });
    expect(status).toBe(201);
    const { id } = await service().account('subscriber');
    expect(body).toStrictEqual({
      id: 1,
      user_id: id,
      name: 'Aspirin',
      description: 'after food',
      medicine_type: 'tablet',
      frequency_type: 'Every-Other_Day',
      start_date: '2026-03-10T08:00:00+01:00',
      end_date: '2026-04-01',
      created_date: '2026-03-10 08:29:59',
      time_zone: '+01:00',
      time_zone_source: 'offset',
      times: ['08:00'],
      times_source: 'start_date',
      schedule_recognized: true,
      schedule_text: 'every 2 days at 08:00',
      amounts: [],
      next_occurrence: '2026-03-12T08:00:00+01:00',
      status: 'active',
    });
  });

  it('are an error at once, not silence, when what is stored of one cannot be read', async () => {
    service().at(NOW);
    const { body } = await create({ frequency_type: 'daily', start_date: '2026-03-11' });
    await service().database.prisma.reminder.update({
      where: { id: body.id },
      data: { zone: 'Nowhere/Land' },
    });
    for (const path of ['/v1/medicine_reminder', `/v1/medicine_reminder/${body.id}`]) {
      const answer = await service().rest('GET', path, B);
      expect(answer.status, path).toBe(500);
    }
    await service().database.prisma.reminder.delete({ where: { id: body.id } });
  });

  it('keep a frequency that is not understood, show it on its start date and never fire', async () => {
    service().at(NOW);
    const { status, body } = await create({
      frequency_type: 'when it hurts',
      start_date: '2026-03-12',
    });
    expect(status).toBe(201);
    expect(body.frequency_type).toBe('when it hurts');
    expect(body.schedule_recognized).toBe(false);
    expect(body.next_occurrence).toBeNull();
    expect(body.status).toBe('unrecognized');
    const events = await service().rest('GET', '/v1/events', { ...B });
    expect(
      events.body.map((event: { date_time: string; status: string }) => [
        event.date_time,
        event.status,
      ]),
    ).toStrictEqual([['2026-03-12T08:00:00+00:00', 'unrecognized']]);
    expect(await service().database.prisma.reminderAlert.count()).toBe(0);
  });

  it('whose frequency is not understood say so to their member, once for each frequency, and name no medicine', async () => {
    service().at(NOW);
    const told = async () => {
      const rows = await service().database.prisma.notification.findMany({
        orderBy: { id: 'asc' },
      });
      return rows.map(({ accountId, data }) => [accountId, JSON.parse(data)]);
    };
    const { id: member } = await service().account('subscriber');
    const { body } = await create(
      { name: 'Secret', frequency_type: '2-3 times a day', user_id: member },
      { as: 'administrator' },
    );
    expect([body.schedule_recognized, body.next_occurrence]).toStrictEqual([false, null]);
    const one = [member, { type: 'reminder_unrecognized', reminder_ids: [body.id] }];
    expect(await told()).toStrictEqual([one]);
    const change = (fields: object) =>
      service().rest('POST', `/v1/medicine_reminder/${body.id}`, { ...B, body: fields });
    await change({ description: 'after food' });
    expect(await told(), 'other fields change nothing of that').toStrictEqual([one]);
    await change({ frequency_type: 'every 4-6 hours' });
    expect(await told()).toStrictEqual([one, one]);
    expect((await change({ frequency_type: '3 times a day' })).body.schedule_recognized).toBe(true);
    expect(await told()).toStrictEqual([one, one]);
    expect((await change({ frequency_type: 'as directed' })).body.schedule_recognized).toBe(false);
    expect(await told()).toStrictEqual([one, one, one]);
    const [{ title = '', body: words = '' } = {}] =
      await service().database.prisma.notification.findMany();
    expect(title + words).not.toMatch(/Secret/);
  });

  it('take everything as optional', async () => {
    service().at(NOW);
    const { status, body } = await create({});
    expect(status).toBe(201);
    expect(body.name).toBe('');
    expect(body.next_occurrence).toBe('2026-03-10T08:00:00+00:00');
    const numbers = await create({ name: 5, start_date: 1773212400, user_id: '0' });
    expect(numbers.body.name).toBe('5');
    expect(numbers.body.next_occurrence).toBe('2026-03-11T07:00:00+00:00');
  });

  it("need a session; somebody else's, and unknown accounts, are 403 alike", async () => {
    const other = await service().account('author');
    const anonymous = await service().rest('POST', '/v1/medicine_reminder', { body: {} });
    expect([anonymous.status, anonymous.body.code]).toStrictEqual([401, 'rest_forbidden']);
    const foreign = await create({ user_id: other.id });
    const unknown = await create({ user_id: 99_999 });
    expect([foreign.status, foreign.body.code]).toStrictEqual([403, 'rest_forbidden']);
    expect(unknown.body).toStrictEqual(foreign.body);
    expect((await create({ user_id: other.id }, { as: 'administrator' })).body.user_id).toBe(
      other.id,
    );
    const audited = await service().database.prisma.auditEvent.findMany();
    expect(audited.map(({ action, subjectId }) => [action, subjectId])).toStrictEqual([
      ['reminder.write', other.id],
    ]);
  });

  it('of others and of another kind do not exist, whatever is done to them', async () => {
    const mine = (await create({ name: 'mine' })).body.id;
    const appointment = (
      await service().rest('POST', '/v1/appointment_reminder', { ...B, body: { title: 'x' } })
    ).body.id;
    for (const [path, as] of [
      [`/v1/medicine_reminder/${mine}`, 'author'],
      [`/v1/appointment_reminder/${mine}`, 'subscriber'],
      [`/v1/medicine_reminder/${appointment}`, 'subscriber'],
      ['/v1/medicine_reminder/4711', 'subscriber'],
      ['/v1/medicine_reminder/99999999999999999999', 'subscriber'],
    ] as const) {
      for (const method of ['GET', 'POST', 'DELETE']) {
        const { status, body } = await service().rest(method, path, {
          edition: 'B',
          as,
          ...(method === 'POST' && { body: {} }),
        });
        expect([status, body.code], `${method} ${path}`).toStrictEqual([
          404,
          'rest_reminder_invalid_id',
        ]);
      }
    }
    expect(
      (await service().rest('GET', `/v1/medicine_reminder/${mine}`, { edition: 'B' })).status,
    ).toBe(401);
    expect(
      (
        await service().rest('GET', `/v1/medicine_reminder/${mine}`, {
          edition: 'A',
          as: 'subscriber',
        })
      ).status,
    ).toBe(404);
  });

  it('are changed in part, and deleted with what they were', async () => {
    service().at(NOW);
    const { id } = (
      await create({ name: 'Aspirin', frequency_type: 'daily', start_date: '2026-03-11' })
    ).body;
    const changed = await service().rest('POST', `/v1/medicine_reminder/${id}`, {
      ...B,
      body: { description: 'with milk', start_date: '2026-03-12T10:00:00' },
    });
    expect(changed.status).toBe(200);
    expect(changed.body.name).toBe('Aspirin');
    expect(changed.body.description).toBe('with milk');
    expect(changed.body.next_occurrence).toBe('2026-03-12T10:00:00+00:00');
    expect((await service().rest('GET', `/v1/medicine_reminder/${id}`, B)).body).toStrictEqual(
      changed.body,
    );
    const deleted = await service().rest('DELETE', `/v1/medicine_reminder/${id}`, {
      ...B,
      edition: 'A',
    });
    expect(deleted.body).toStrictEqual({ deleted: true, previous: changed.body });
    expect((await service().rest('GET', `/v1/medicine_reminder/${id}`, B)).status).toBe(404);
    expect((await service().rest('DELETE', `/v1/medicine_reminder/${id}`, B)).status).toBe(404);
    expect((await service().rest('GET', '/v1/medicine_reminder', B)).body).toStrictEqual([]);
  });

  it('are listed newest first with totals, 100 a page unless said otherwise', async () => {
    for (const name of ['a', 'b', 'c']) await create({ name });
    const all = await service().rest('GET', '/v1/medicine_reminder', B);
    expect(all.body.map(({ name }: { name: string }) => name)).toStrictEqual(['c', 'b', 'a']);
    expect([all.headers.get('x-wp-total'), all.headers.get('x-wp-totalpages')]).toStrictEqual([
      '3',
      '1',
    ]);
    const second = await service().rest('GET', '/v1/medicine_reminder', {
      ...B,
      query: 'per_page=2&page=2',
    });
    expect(second.body.map(({ name }: { name: string }) => name)).toStrictEqual(['a']);
    expect(second.headers.get('x-wp-totalpages')).toBe('2');
    expect(second.headers.get('link') ?? '').toMatch(/rel="prev"/);
    for (const query of ['per_page=0', 'per_page=101', 'per_page=x', 'page=0'])
      expect(
        (await service().rest('GET', '/v1/medicine_reminder', { ...B, query })).status,
        query,
      ).toBe(400);
    expect(
      (await service().rest('GET', '/v1/medicine_reminder', { ...B, query: 'page=9' })).status,
    ).toBe(400);
    expect(
      (await service().rest('GET', '/v1/medicine_reminder', { as: 'author' })).body,
    ).toStrictEqual([]);
  });

  it('sent again by a client without keys are the same reminder, also at the same moment', async () => {
    service().at(NOW);
    await service().account('subscriber');
    const body = {
      name: 'Aspirin',
      frequency_type: 'daily',
      start_date: '2026-03-11',
      created_date: '2026-03-10T08:30:00',
    };
    const answers = await Promise.all([create(body), create(body), create(body), create(body)]);
    for (const answer of answers)
      expect([answer.status, answer.body]).toStrictEqual([201, answers[0]?.body]);
    expect(await service().database.prisma.reminder.count()).toBe(1);
    expect(
      (await create({ ...body, description: '' })).body.id,
      'another field makes another reminder',
    ).not.toBe(1);
    expect(
      (await create({ ...body }, { as: 'author' })).body.id,
      'another account makes another',
    ).not.toBe(1);
    service().at(NOW + 24 * 60 * 60 * 1000 + 1);
    expect((await create(body)).body.id, 'a day later it is meant').not.toBe(1);
    const { created_date: _, ...without } = body;
    expect((await create(without)).body.id, 'without created_date each is meant').not.toBe(
      (await create(without)).body.id,
    );
  });

  it('are known again by a digest of what was sent, the same in every release', async () => {
    service().at(NOW);
    const { id } = await service().account('subscriber');
    const body = {
      name: 'Warfarin',
      frequency_type: 'take 0.05 mg at 08:00',
      start_date: '2026-03-11',
      created_date: '2026-03-10T08:30:00',
    };
    expect((await create(body)).body.frequency_type).toBe('take 0.05 mg at 08:00');
    const sent =
      `["medicine",${id},{"name":"Warfarin","description":null,"medicineType":null,` +
      '"frequencyType":"take 0.05 mg at 08:00","startDate":"2026-03-11","endDate":null,' +
      '"createdDate":"2026-03-10T08:30:00","eventType":null}]';
    const fingerprint = createHash('sha256').update(sent).digest('base64url');
    const { prisma } = service().database;
    expect(await prisma.reminder.findMany({ select: { fingerprint: true } })).toStrictEqual([
      { fingerprint },
    ]);
  });

  it('that were changed since are not the same, and one like they were is made', async () => {
    service().at(NOW);
    const body = {
      name: 'Aspirin',
      frequency_type: 'daily',
      start_date: '2026-03-11',
      created_date: '2026-03-10',
    };
    const { id } = (await create(body)).body;
    await service().rest('POST', `/v1/medicine_reminder/${id}`, {
      ...B,
      body: { name: 'Ibuprofen' },
    });
    const again = await create(body);
    expect([again.status, again.body.name]).toStrictEqual([201, 'Aspirin']);
    expect((await create(body)).body.id).toBe(again.body.id);
  });

  it('under an Idempotency-Key are made once', async () => {
    const headers = { 'idempotency-key': 'k1' };
    const [one, two] = [
      await create({ name: 'x' }, { headers }),
      await create({ name: 'x' }, { headers }),
    ];
    expect(one.body).toStrictEqual(two.body);
    expect((await create({ name: 'y' }, { headers })).status).toBe(422);
    expect(await service().database.prisma.reminder.count()).toBe(1);
  });

  it('are made as calendar events too, with their type', async () => {
    const made = await service().rest('POST', '/v1/event/medicine', { ...B, body: { name: 'x' } });
    expect([made.status, made.body.type]).toStrictEqual([201, 'medicine']);
    expect(
      (await service().rest('POST', '/v1/event/medicine', { ...B, body: { type: 'vitamin' } })).body
        .type,
    ).toBe('vitamin');
    expect(
      (await service().rest('POST', '/v1/event/medicine', { as: 'subscriber', body: {} })).status,
      'edition A has none',
    ).toBe(404);
  });

  it('say where they can be read, in the edition that reads them', async () => {
    const made = (edition: 'A' | 'B', noun: string) =>
      service().rest('POST', `/v1/${noun}`, { as: 'subscriber', edition, body: {} });
    for (const noun of ['medicine_reminder', 'appointment_reminder']) {
      const { headers, body } = await made('B', noun);
      expect(headers.get('location')).toBe(`${service().url}/v3/api/v1/${noun}/${body.id}`);
      expect(
        (await made('A', noun)).headers.get('location'),
        'edition A reads no single one',
      ).toBeNull();
    }
    const event = await made('B', 'event/medicine');
    expect(event.headers.get('location')).toBe(
      `${service().url}/v3/api/v1/medicine_reminder/${event.body.id}`,
    );
    for (const noun of ['medicine_reminder', 'appointment_reminder', 'event/medicine'])
      expect((await made('B', `${noun}?_fields=status`)).headers.get('location'), noun).toMatch(
        /\/v3\/api\/v1\/\w+_reminder\/\d+$/,
      );
  });

  it('say of each parameter what it means', async () => {
    const { body } = await service().rest('OPTIONS', '/v1/medicine_reminder', { edition: 'B' });
    const { args } = body.endpoints.find(({ methods }: { methods: string[] }) =>
      methods.includes('POST'),
    );
    const texts = Object.values(args).map((arg) => (arg as { description?: string }).description);
    expect(new Set(texts).size, 'each its own').toBe(texts.length);
    expect(args.frequency_type.description).toMatch(/RRULE/);
  });

  it('allow what the caller may do', async () => {
    const { id } = (await create({})).body;
    expect(
      (await service().rest('GET', `/v1/medicine_reminder/${id}`, B)).headers.get('allow'),
    ).toBe('GET, POST, DELETE');
    expect((await service().rest('GET', '/v1/medicine_reminder', B)).headers.get('allow')).toBe(
      'POST, GET',
    );
  });
});
