import { handOver } from '../../../src/domains/dispatch/handover.service.js';
import { planDue } from '../../../src/domains/reminders/alert/plan-due.service.js';
import { withAmount } from '../../../src/domains/reminders/amount/amount-words.js';
import { makeMedicine } from '../../support/factories.js';
import { mutation, useService } from '../../support/harness.js';

describe('The amount of a dose is said', () => {
  const service = useService();
  const act = (what: string, input: object, fields = '__typename') =>
    service().data(mutation(what, fields), { input });
  /** One in the morning and two and a half at night, from the 12th a quarter. */
  const begin = async () => {
    service().at('2026-03-10T07:00:00Z');
    const id = await makeMedicine(service(), {
      frequencyType: '2_times_a_day',
      startDate: '2026-03-10',
    });
    const steps = [
      { amount: 1, times: [{ time: '20:00', amount: 2.5 }] },
      { startsOn: '2026-03-12', amount: 0.25 },
    ];
    await act('setDoseAmounts', { id, unit: 'tablet', steps });
    return id;
  };
  const prefer = (lockScreenNames: boolean) =>
    act('updateNotificationPreference', { lockScreenNames });
  /** What the pushes of an instant say. */
  const told = async (at: string): Promise<string[]> => {
    service().at(at);
    const where = { kind: 'reminder', sendAt: new Date(service().now()) };
    await planDue(service().app.deps);
    await handOver(service().app.deps);
    const rows = await service().database.prisma.notification.findMany({ where });
    return rows.map(({ body }) => body);
  };

  it('not at all where its unit does not fit: cut, it would be another one', () => {
    const said = (unit: string) => withAmount('Aspirin', { amount: '2', unit }, 'de');
    expect(said('comprimés dosés à 1000 mg')).toBe('Aspirin');
    expect(said('Tabletten zu 0,125mg')).toBe('Aspirin (2 Tabletten zu 0,125mg)');
  });

  it('of a stock that counts it by another spelling of the same unit', async () => {
    const id = await begin();
    await act('setMedicineStock', { id, amount: 10, unit: 'tablet' });
    await act('setDoseAmounts', { id, unit: ' tablet ', steps: [{ amount: 2 }] });
    await act('logDose', { reminderId: id });
    const { amount } = (await service().database.prisma.medicineStock.findFirst()) ?? {};
    expect(Number(amount)).toBe(8);
  });

  it('by the clock time of the plan that has it, wherever the member is', async () => {
    await act('updateCareSettings', { timeZone: 'America/New_York' });
    service().at('2026-03-09T10:00:00Z');
    const id = await makeMedicine(service(), { startDate: '2026-03-01T08:00:00' });
    const steps = [{ times: [{ time: '08:00', amount: 2 }] }];
    await act('setDoseAmounts', { id, unit: 'tablet', steps });
    await act('setMedicineStock', { id, amount: 10, unit: 'tablet' });
    service().at('2026-03-10T10:00:00Z');
    await prefer(true);
    await act('updateCareSettings', { timeZone: 'Europe/Berlin' });
    const day = { from: '2026-03-10', to: '2026-03-11' };
    const { calendar } = await service().data(
      'query($from: LocalDate, $to: LocalDate) { calendar(from: $from, to: $to) { events { occurrenceId startsAt ... on DoseEvent { amount { value } } } } }',
      day,
    );
    const [dose, next] = calendar.events;
    expect([dose.startsAt, dose.amount]).toStrictEqual(['2026-03-10T12:00:00.000Z', { value: 2 }]);
    expect([next.startsAt, next.amount]).toStrictEqual(['2026-03-11T07:00:00.000Z', { value: 2 }]);
    await act('snoozeDose', { occurrenceId: dose.occurrenceId, minutes: 5 });
    expect(await told('2026-03-10T12:05:00Z')).toStrictEqual([
      'It is time for Aspirin (2 tablet).',
    ]);
    const taken = await act(
      'takeDose',
      { occurrenceId: dose.occurrenceId },
      'event { ... on DoseEvent { amount { value } } }',
    );
    expect(taken.takeDose.event.amount).toStrictEqual({ value: 2 });
    const left = await service().data(
      `{ reminder(id: ${id}) { ... on MedicineReminder { stock { amount } } } }`,
    );
    expect(left.reminder.stock.amount).toBe(8);
  });

  it('by a push, where the member lets names be shown', async () => {
    await begin();
    expect(await told('2026-03-10T08:00:00Z')).toStrictEqual(['It is time for your medicine.']);
    await prefer(true);
    expect(await told('2026-03-10T20:00:00Z')).toStrictEqual([
      'It is time for Aspirin (2.5 tablet).',
    ]);
    await makeMedicine(service(), { name: 'Ibuprofen', startDate: '2026-03-11T20:00:00' });
    expect(await told('2026-03-11T20:00:00Z'), 'of what nobody has said, the name').toStrictEqual([
      'It is time for Aspirin (2.5 tablet) and Ibuprofen.',
    ]);
  });

  it('by a push only when somebody has confirmed what a phrase states', async () => {
    service().at('2026-03-10T07:00:00Z');
    const often = { frequencyType: '2 tablets daily', startDate: '2026-03-10' };
    await makeMedicine(service(), often);
    const id = await makeMedicine(service(), { ...often, name: 'Ibuprofen' });
    await prefer(true);
    await act('confirmDirections', { id });
    expect(await told('2026-03-10T08:00:00Z')).toStrictEqual([
      'It is time for Aspirin and Ibuprofen (2 tablet).',
    ]);
  });

  it('by a push in the language of the member, with a step that has begun', async () => {
    await begin();
    await prefer(true);
    const { id } = await service().account('subscriber');
    const where = { code: 'de' };
    const { id: languageId } = await service().database.prisma.language.findUniqueOrThrow({
      where,
    });
    await service().database.prisma.account.update({ where: { id }, data: { languageId } });
    expect(await told('2026-03-12T08:00:00Z')).toStrictEqual([
      'Es ist Zeit für Aspirin (0,25 tablet).',
    ]);
  });

  it('by the calendar feed, where the member lets names be shown', async () => {
    await begin();
    const feed = async (titles: boolean) => {
      const headers = await service().session('subscriber');
      const { body } = await service().graphql(
        mutation('createCalendarFeed', 'calendarFeed { url }'),
        { input: { titles } },
        { headers },
      );
      const { url } = body.data.createCalendarFeed.calendarFeed;
      const { text } = await service().fetch(new URL(url).pathname, { method: 'GET' });
      return [...new Set(text.match(/(?<=^SUMMARY:).*(?=\r)/gm))].sort();
    };
    expect(await feed(false)).toStrictEqual(['Medicine']);
    expect(await feed(true)).toStrictEqual([
      'Aspirin (0.25 tablet)',
      'Aspirin (1 tablet)',
      'Aspirin (2.5 tablet)',
    ]);
  });

  it('by the adherence: how much of each medicine was taken', async () => {
    const id = await begin();
    const { calendar } = await service().data(
      '{ calendar(from: "2026-03-10", to: "2026-03-10") { events { occurrenceId } } }',
    );
    service().at('2026-03-10T20:00:00Z');
    for (const { occurrenceId } of calendar.events) await act('takeDose', { occurrenceId });
    await act('setDoseAmounts', { id, unit: 'ml', steps: [{ amount: 5 }] });
    service().at('2026-03-11T08:00:00Z');
    const { calendar: next } = await service().data(
      '{ calendar(from: "2026-03-11", to: "2026-03-11") { events { occurrenceId } } }',
    );
    const [{ occurrenceId }] = next.events;
    await act('takeDose', { occurrenceId });
    const { adherence } = await service().data(
      '{ adherence { taken medicines { taken amountsTaken { value unit } } } }',
    );
    expect(adherence).toStrictEqual({
      taken: 3,
      medicines: [
        {
          taken: 3,
          amountsTaken: [
            { value: 3.5, unit: 'tablet' },
            { value: 5, unit: 'ml' },
          ],
        },
      ],
    });
  });
});
