// Appointments whose date or lead cannot be read: the member and the carers are told.
import { makeCarer, postAppointment, postMedicine } from '../../support/factories.js';
import { useService } from '../../support/harness.js';
import { B, NOW } from './member.js';

const GOOD = { title: 'Secret', date_time: '2026-03-12T10:00', remind_before: '30' };
const LANGUAGES = ['en', 'de', 'es', 'fr', 'pt', 'ar'];

const service = useService();

describe('An appointment', () => {
  const told = async () => {
    const rows = await service().database.prisma.notification.findMany({ orderBy: { id: 'asc' } });
    return rows.map(({ accountId, kind, silent, data, title, body }) => ({
      ...{ accountId, kind, silent, title, body },
      ids: JSON.parse(data || '{}').reminder_ids,
    }));
  };
  const change = (id: number, body: object) =>
    service().rest('POST', `/v1/appointment_reminder/${id}`, { ...B, body });

  it.each([
    ['date', { date_time: 'next Tuesday' }],
    ['date', { date_time: '0000-00-00 00:00:00', remind_before: 'soon' }],
    ['date', { date_time: { date: '2026-03-12' } }],
    ['lead', { remind_before: '8 weeks' }],
    ['lead', { remind_before: [10, 60] }],
  ])('tells of a %s that cannot be read, and not what it is: %j', async (which, wrong) => {
    service().at(NOW);
    const { id: memberId } = await service().account('subscriber');
    const { id: carerId } = await service().account('subscriber', 'carer');
    await makeCarer(service(), { memberId, carerId });
    const { id } = await postAppointment(service(), { ...GOOD, ...wrong });
    const rows = await told();
    expect(rows.map(({ accountId, kind, ids }) => [accountId, kind, ids])).toStrictEqual([
      [memberId, 'reminder_unrecognized', [id]],
      [carerId, 'reminder_unrecognized', [id]],
    ]);
    const titles = { date: 'An appointment will not ring', lead: 'Please check an appointment' };
    for (const { title, body } of rows) {
      expect(title).toBe(titles[which as keyof typeof titles]);
      expect(title + body).not.toMatch(/Secret|medicine/);
    }
  });

  it('tells of nothing that can be read, or is not there', async () => {
    service().at(NOW);
    for (const body of [
      GOOD,
      {},
      { title: 'x' },
      { ...GOOD, date_time: '' },
      { remind_before: '' },
    ])
      await postAppointment(service(), body);
    expect(await told()).toStrictEqual([]);
  });

  it('tells once of each text, when it is changed too', async () => {
    service().at(NOW);
    const { id } = await postAppointment(service(), GOOD);
    const counts = [];
    for (const body of [
      { description: 'x' },
      { date_time: 'soon' },
      { title: 'Dentist' },
      { date_time: 'later' },
      { remind_before: 'a moment' },
      { date_time: '2026-03-13T10:00' },
      { description: 'y' },
      { remind_before: '1h' },
    ]) {
      expect((await change(id, body)).status).toBe(200);
      counts.push((await told()).length);
    }
    // The lead is told of as soon as it is what is wrong.
    expect(counts).toStrictEqual([0, 1, 1, 2, 2, 3, 3, 3]);
  });

  it('tells each in the language of whom it tells', async () => {
    service().at(NOW);
    const { id } = await service().account('subscriber');
    const languages = await service().database.prisma.language.findMany();
    for (const code of LANGUAGES) {
      const languageId = languages.find((one) => one.code === code)?.id;
      if (!languageId) continue;
      await service().database.prisma.account.update({ where: { id }, data: { languageId } });
      await postAppointment(service(), { ...GOOD, title: code, date_time: 'soon' });
      await postAppointment(service(), { ...GOOD, title: code, remind_before: 'soon' });
    }
    const texts = (await told()).flatMap(({ title, body }) => [title, body]);
    expect(texts.length).toBeGreaterThan(8);
    expect(new Set(texts).size).toBe(texts.length);
  });
});

it('A medicine that does not ring is told to carers too', async () => {
  const { id: memberId } = await service().account('subscriber');
  const { id: carerId } = await service().account('subscriber', 'carer');
  await makeCarer(service(), { memberId, carerId });
  await postMedicine(service(), { frequency_type: 'daily', start_date: 'tomorrow' });
  const rows = await service().database.prisma.notification.findMany({ orderBy: { id: 'asc' } });
  expect(rows.map(({ accountId, kind }) => [accountId, kind])).toStrictEqual([
    [memberId, 'reminder_unrecognized'],
    [carerId, 'reminder_unrecognized'],
  ]);
});
