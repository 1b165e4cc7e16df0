import { useService } from '../support/harness.js';
import { expoToken } from '../support/provider.js';

const service = useService();
const B = { edition: 'B' } as const;

describe('A parameter of a route whose names the specification leaves open', () => {
  it('is read in camel case too: of a medicine reminder', async () => {
    const body = {
      name: 'Iron',
      medicineType: 'tablet',
      frequencyType: 'daily',
      startDate: '2026-03-10',
      endDate: '2026-03-12',
      createdDate: 'today',
    };
    const sent = { ...B, as: 'subscriber', body } as const;
    const expected = {
      medicine_type: 'tablet',
      frequency_type: 'daily',
      start_date: '2026-03-10',
      end_date: '2026-03-12',
      created_date: 'today',
    };
    const made = await service().rest('POST', '/v1/medicine_reminder', sent);
    expect(made.body).toMatchObject(expected);
    expect((await service().rest('POST', '/v1/event/medicine', sent)).body).toMatchObject(expected);
    const change = { ...B, as: 'subscriber', body: { frequencyType: 'twice daily' } } as const;
    const path = `/v1/medicine_reminder/${made.body.id}`;
    expect((await service().rest('POST', path, change)).body.frequency_type).toBe('twice daily');
  });

  it('is read in camel case too: of an appointment, its list, its days', async () => {
    const as = 'subscriber';
    const body = { title: 'Visit', dateTime: '2026-03-10 09:00', remindBefore: '1 hour' };
    const made = await service().rest('POST', '/v1/appointment_reminder', { ...B, as, body });
    expect(made.body).toMatchObject({ date_time: '2026-03-10 09:00', remind_before: '1 hour' });
    const query = { dateFrom: '2026-03-10', dateTo: '2026-03-11' };
    const days = await service().rest('GET', '/v1/all_events', { ...B, as, query });
    expect([days.status, JSON.stringify(days.body)]).toStrictEqual([
      200,
      expect.stringContaining('Visit'),
    ]);
    await service().rest('POST', '/v1/medicine_reminder', { as, body: { name: 'One' } });
    await service().rest('POST', '/v1/medicine_reminder', { as, body: { name: 'Two' } });
    const list = await service().rest('GET', '/v1/medicine_reminder', {
      as,
      query: { perPage: '1' },
    });
    expect(list.headers.get('x-wp-totalpages')).toBe('2');
  });

  it('is read in camel case too: of a push, as JSON and as a form', async () => {
    const pushToken = expoToken('x');
    const as = 'subscriber';
    const registered = await service().rest('POST', '/v1/notify', { as, body: { pushToken } });
    expect(registered.body.registered).toBe(true);
    const raw = `title=x&pushToken=${encodeURIComponent(pushToken)}`;
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    for (const sent of [{ body: { title: 'x', pushToken } }, { raw, headers }])
      expect(
        (await service().rest('POST', '/v1/push_notification', { ...B, as, ...sent })).body.queued,
      ).toBe(1);
  });

  it('counts by its documented name where both are sent', async () => {
    const body = { name: 'Iron', frequency_type: 'daily', frequencyType: 'weekly' };
    const made = await service().rest('POST', '/v1/medicine_reminder', { as: 'subscriber', body });
    expect(made.body.frequency_type).toBe('daily');
  });

  it('has no other name where the specification declares its types', async () => {
    await service().post({ title: 'One', status: 'publish' }, 'author');
    await service().post({ title: 'Two', status: 'publish' }, 'author');
    const list = await service().rest('GET', '/v1/posts', { query: { perPage: '1' } });
    expect(list.body).toHaveLength(2);
  });
});
