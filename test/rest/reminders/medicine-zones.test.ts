import { useService } from '../../support/harness.js';
import { B, NOW } from './member.js';

describe('Medicine reminders over REST', () => {
  const service = useService();
  const create = (body: object, more: object = {}) =>
    service().rest('POST', '/v1/medicine_reminder', { ...B, body, ...more });

  it('live in the zone of the profile, else of the Time-Zone header, else of what was learned, else of the site', async () => {
    service().at(NOW);
    const { id } = await service().account('subscriber');
    const zone = async (headers = {}, start_date = '2026-03-11') => {
      const { body } = await create({ frequency_type: 'daily', start_date }, { headers });
      return [body.time_zone, body.time_zone_source, body.next_occurrence];
    };
    expect(await zone()).toStrictEqual(['UTC', 'site', '2026-03-11T08:00:00+00:00']);
    expect(await zone({}, '2026-03-11T09:00:00+05:30')).toStrictEqual([
      '+05:30',
      'offset',
      '2026-03-11T09:00:00+05:30',
    ]);
    expect(await zone()).toStrictEqual(['+05:30', 'learned', '2026-03-11T08:00:00+05:30']);
    expect(await zone({ 'time-zone': 'Europe/Berlin' })).toStrictEqual([
      'Europe/Berlin',
      'header',
      '2026-03-11T08:00:00+01:00',
    ]);
    expect(await zone()).toStrictEqual(['Europe/Berlin', 'learned', '2026-03-11T08:00:00+01:00']);
    expect(await zone({ 'time-zone': 'Nowhere/Land' })).toStrictEqual([
      'Europe/Berlin',
      'learned',
      '2026-03-11T08:00:00+01:00',
    ]);
    await service().database.prisma.account.update({
      where: { id },
      data: { timeZone: 'America/New_York' },
    });
    expect(await zone({ 'time-zone': 'Europe/Berlin' })).toStrictEqual([
      'America/New_York',
      'profile',
      '2026-03-11T08:00:00-04:00',
    ]);
    expect(await zone({}, '2026-03-11T13:00:00Z')).toStrictEqual([
      'America/New_York',
      'offset',
      '2026-03-11T09:00:00-04:00',
    ]);
  });

  it('go by the zone of the site where one that was learned is of another release of the zone data', async () => {
    service().at(NOW);
    const { id: accountId } = await service().account('subscriber');
    await service().database.prisma.careSetting.create({
      data: { accountId, learnedZone: 'Mars/Olympus' },
    });
    const { status, body } = await create({ frequency_type: 'daily', start_date: '2026-03-11' });
    expect([status, body.time_zone, body.time_zone_source]).toStrictEqual([201, 'UTC', 'site']);
    expect((await service().rest('GET', '/v1/events', B)).body[0].date_time).toBe(
      '2026-03-11T08:00:00+00:00',
    );
  });

  it('keep their clock time whatever offset a date of another season has; one about now says where the member is', async () => {
    const autumn = Date.parse('2026-11-20T10:00:00Z');
    service().at(autumn);
    const daily = (start_date: string) => create({ frequency_type: 'daily', start_date });
    const { body: first } = await daily('2026-11-25T08:00:00+01:00');
    const next = async () => {
      const { body } = await service().rest('GET', `/v1/medicine_reminder/${first.id}`, B);
      return [body.next_occurrence, body.time_zone, body.time_zone_source];
    };
    expect(await next()).toStrictEqual(['2026-11-25T08:00:00+01:00', '+01:00', 'offset']);
    const visit = { title: 'July', date_time: '2027-07-01T10:00:00+02:00' };
    await service().rest('POST', '/v1/appointment_reminder', { ...B, body: visit });
    await daily('2027-06-01T08:00:00+02:00');
    expect(await next(), 'nobody has moved').toStrictEqual([
      '2026-11-25T08:00:00+01:00',
      '+01:00',
      'offset',
    ]);
    await daily('2026-11-21T08:00:00+09:00');
    expect(await next(), 'in Tokyo now').toStrictEqual([
      '2026-11-25T08:00:00+09:00',
      '+09:00',
      'learned',
    ]);
  });

  it('whose start has the offset of the zone that the member turns out to live in come at the clock time that was sent', async () => {
    service().at(Date.parse('2026-11-20T10:00:00Z'));
    const { id } = await service().account('subscriber');
    await service().database.prisma.account.update({
      where: { id },
      data: { timeZone: 'America/New_York' },
    });
    const { body } = await create({
      frequency_type: 'daily',
      start_date: '2026-11-25T08:00:00+01:00',
    });
    expect([body.next_occurrence, body.times]).toStrictEqual([
      '2026-11-25T02:00:00-05:00',
      ['02:00'],
    ]);
    const { body: eastern } = await create({
      frequency_type: 'daily',
      start_date: '2026-11-25T08:00:00',
    });
    const move =
      'mutation { updateCareSettings(input: { timeZone: "Europe/Berlin" }) { careSettings { timeZone } } }';
    await service().graphql(move, {}, { as: 'subscriber' });
    const read = async (of: number) =>
      (await service().rest('GET', `/v1/medicine_reminder/${of}`, B)).body;
    const moved = await read(body.id);
    expect([moved.next_occurrence, moved.times]).toStrictEqual([
      '2026-11-25T08:00:00+01:00',
      ['08:00'],
    ]);
    expect((await read(eastern.id)).next_occurrence).toBe('2026-11-25T08:00:00+01:00');
    const { plannedAt } =
      (await service().database.prisma.reminderAlert.findFirst({
        where: { reminderId: body.id },
      })) ?? {};
    expect(plannedAt, 'nothing within two days').toBeUndefined();
  });
});
