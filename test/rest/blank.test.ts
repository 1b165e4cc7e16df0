import { useService } from '../support/harness.js';

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

describe('An empty text in an optional parameter without a type', () => {
  const service = useService();
  /** Sends parameters as a JSON body, as a form, and in the query. */
  async function everyWay(path: string, sent: Record<string, string>, status: number) {
    const fields = new URLSearchParams(sent).toString();
    const as = 'subscriber' as const;
    const ways = [{ body: sent }, { raw: fields, headers: FORM }, { query: fields }];
    const bodies = [];
    for (const way of ways) {
      const answer = await service().rest('POST', path, { as, edition: 'B', ...way });
      expect(answer.status, `${JSON.stringify(way)}: ${answer.text}`).toBe(status);
      bodies.push(answer.body);
    }
    return bodies;
  }

  it('is absent when a reminder is made', async () => {
    const { id } = await service().account('subscriber');
    const medicine = {
      name: 'Aspirin',
      frequency_type: '',
      start_date: '',
      end_date: '',
      created_date: '',
      user_id: '',
    };
    for (const body of await everyWay('/v1/medicine_reminder', medicine, 201))
      expect([body.user_id, body.status, body.schedule_recognized]).toStrictEqual([
        id,
        'active',
        true,
      ]);
    const appointment = {
      title: 'Dentist',
      date_time: '2026-03-12T15:00:00+01:00',
      remind_before: '',
      user_id: '',
    };
    for (const body of await everyWay('/v1/appointment_reminder', appointment, 201))
      expect(body.user_id).toBe(id);
    for (const body of await everyWay('/v1/event/medicine', { name: 'x', type: '' }, 201))
      expect(body.type).toBe('medicine');
    const made = { as: 'subscriber', body: appointment } as const;
    expect((await service().rest('POST', '/v1/appointment_reminder', made)).body.user_id).toBe(id);
  });

  it('is absent in a message and in who it is for', async () => {
    const message = {
      title: 'T',
      body: '',
      data: '',
      push_token: '',
      user_id: '',
      user_ids: '',
      send_at: '',
    };
    for (const body of await everyWay('/v1/notify', message, 202))
      expect(typeof body.id).toBe('number');
  });

  it('is absent where somebody signs in or up', async () => {
    const refused = async (path: string, sent: Record<string, string>, edition: 'A' | 'B' = 'A') =>
      (await service().rest('POST', path, { edition, body: sent })).body.data;
    const nothing = await refused('/v1/signup', { language: '1' });
    expect(
      await refused('/v1/signup', { language: '1', email: '', name: '', password: '' }),
    ).toStrictEqual(nothing);
    expect(Object.keys(nothing.params)).toStrictEqual(['email']);
    const signedUp = await service().rest('POST', '/v1/signup', {
      body: { email: 'a@example.com', name: '', password: '', language: 1 },
    });
    expect([signedUp.status, signedUp.body.user?.name]).toStrictEqual([201, 'a']);
  });

  it('is absent in a list', async () => {
    const list = async (query: string) =>
      (await service().rest('GET', '/v1/medicine_reminder', { as: 'subscriber', query })).status;
    expect(await list('per_page=&page=')).toBe(200);
    expect(await list('per_page=0')).toBe(400);
    const events = await service().rest('GET', '/v1/events', {
      as: 'subscriber',
      query: 'date_from=&date_to=',
    });
    expect(events.status).toBe(200);
  });

  it('takes a text away where one is kept, and is refused where there is a type', async () => {
    const as = 'subscriber' as const;
    const body = { name: 'A', description: 'd', start_date: '2026-03-01', end_date: '2026-03-05' };
    const { id } = (await service().rest('POST', '/v1/medicine_reminder', { as, body })).body;
    const changed = await service().rest('POST', `/v1/medicine_reminder/${id}`, {
      as,
      edition: 'B',
      body: { description: '', end_date: '' },
    });
    expect([changed.status, changed.body.description, changed.body.end_date]).toStrictEqual([
      200,
      '',
      '',
    ]);
    expect(
      (await service().rest('POST', '/v1/guest', { edition: 'B', body: { language: '' } })).status,
    ).toBe(400);
    expect((await service().rest('GET', '/v1/posts', { query: 'per_page=' })).status).toBe(400);
  });
});
