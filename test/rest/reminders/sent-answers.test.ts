import { useService } from '../../support/harness.js';

const B = { as: 'subscriber', edition: 'B' } as const;

describe('`status` of event/medicine', () => {
  const service = useService();
  const DAILY = {
    name: 'Aspirin',
    frequency_type: 'daily',
    start_date: '2026-03-09T08:00:00',
    created_date: '2026-03-09T07:00:00',
  };
  const post = (fields: object, status: unknown) =>
    service().rest('POST', '/v1/event/medicine', { ...B, body: { ...fields, status } });
  const statuses = async (from = '2026-03-09', to = '2026-03-12'): Promise<string[]> => {
    const query = { date_from: from, date_to: to };
    const { body } = await service().rest('GET', '/v1/all_events', { ...B, query });
    return body.map(
      ({ date_time, status }: Record<string, string>) => `${date_time?.slice(8, 13)} ${status}`,
    );
  };

  it('answers the dose that came last, and a retry changes nothing', async () => {
    service().at('2026-03-09T08:05:00Z');
    const made = await post(DAILY, 'taken');
    expect(made.status).toBe(201);
    expect(await statuses()).toStrictEqual([
      ...['09T08 taken', '10T08 upcoming', '11T08 upcoming', '12T08 upcoming'],
    ]);
    const again = await post(DAILY, 'TAKEN');
    expect([again.status, again.body.id], 'a retry changes nothing').toStrictEqual([
      201,
      made.body.id,
    ]);
    service().at('2026-03-10T08:02:00Z');
    const before = { ...DAILY, created_date: '2026-03-09T07:00:01' };
    expect((await post(before, 'skipped')).body.id, 'another reminder').not.toBe(made.body.id);
    expect((await statuses('2026-03-10', '2026-03-10')).sort()).toStrictEqual([
      ...['10T08 due', '10T08 skipped'],
    ]);
  });

  it('answers the first dose, if it comes within 24 hours, and no later one', async () => {
    service().at('2026-03-08T20:00:00Z');
    await post(DAILY, 'unneeded');
    expect((await statuses())[0], 'not needed is skipped to apps').toBe('09T08 skipped');
    service().at('2026-03-08T21:00:00Z');
    const later = { ...DAILY, start_date: '2026-03-11T08:00:00' };
    expect((await post(later, 'taken')).status).toBe(201);
    expect((await statuses('2026-03-11', '2026-03-11')).sort()).toStrictEqual([
      ...['11T08 upcoming', '11T08 upcoming'],
    ]);
  });

  it('does not make skipped what was taken', async () => {
    service().at('2026-03-09T08:05:00Z');
    await post(DAILY, 'taken');
    const refused = await post(DAILY, 'skipped');
    expect([refused.status, refused.body.code]).toStrictEqual([409, 'rest_already_taken']);
    expect((await statuses())[0]).toBe('09T08 taken');
  });

  it('logs a dose as needed once, however often it is sent', async () => {
    service().at('2026-03-09T08:05:00Z');
    const fields = { ...DAILY, frequency_type: 'as needed' };
    for (let i = 0; i < 3; i++) await post(fields, 'taken');
    expect(await statuses()).toStrictEqual(['09T08 taken']);
  });

  it.each([
    ...[undefined, '', 'active', 'missed', 5, true, null, {}, ['taken'], 'x'.repeat(100_000)],
  ])('says nothing when it is %p: all is as without it', async (status) => {
    service().at('2026-03-09T08:05:00Z');
    const plain = await service().rest('POST', '/v1/event/medicine', { ...B, body: DAILY });
    const made = await post(DAILY, status);
    expect([made.status, made.body]).toStrictEqual([201, plain.body]);
    expect((await statuses())[0]).toBe('09T08 due');
  });

  it('is listed nowhere but in OpenAPI, and edition A knows no such route', async () => {
    const { body } = await service().rest('GET', '/v1', B);
    const [endpoint] = body.routes['/v1/event/medicine'].endpoints;
    expect(Object.keys(endpoint.args)).not.toContain('status');
    const given = { as: 'subscriber', body: DAILY } as const;
    expect((await service().rest('POST', '/v1/event/medicine', given)).status).toBe(404);
  });
});
