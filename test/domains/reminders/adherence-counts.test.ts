import { makeMedicine } from '../../support/factories.js';
import { errorCode, useService } from '../../support/harness.js';
import { ADHERENCE, DAY, doseCalls, NOW } from './dose-calls.js';

describe('Doses', () => {
  const service = useService();
  const { calendar, act, daily } = doseCalls(service);

  it('make the adherence: taken of taken, skipped and missed, by day and by medicine', async () => {
    service().at(NOW - 3 * DAY);
    const id = await daily();
    const other = await makeMedicine(service(), {
      name: 'Iron',
      frequencyType: 'daily',
      startDate: '2026-03-09T09:00:00',
    });
    service().at(NOW);
    const events = await calendar('2026-03-08', '2026-03-10');
    await act('takeDose', { occurrenceId: events[0]?.id });
    await act('skipDose', { occurrenceId: events[1]?.id });
    const { adherence } = (await service().ask(ADHERENCE, { from: '2026-03-08', to: '2026-03-10' }))
      .data;
    expect(adherence).toStrictEqual({
      taken: 1,
      skipped: 1,
      missed: 3,
      rate: 0.2,
      asNeeded: 0,
      days: [
        { date: '2026-03-08', taken: 1, skipped: 1, missed: 0, rate: 0.5 },
        { date: '2026-03-09', taken: 0, skipped: 0, missed: 3, rate: 0 },
      ],
      medicines: [
        {
          reminder: { databaseId: id },
          name: 'Aspirin',
          taken: 1,
          skipped: 1,
          missed: 2,
          rate: 0.25,
        },
        {
          reminder: { databaseId: other },
          name: 'Iron',
          taken: 0,
          skipped: 0,
          missed: 1,
          rate: 0,
        },
      ],
    });
    expect(
      (await service().ask(ADHERENCE, { from: '2026-03-08', to: '2026-03-10', reminderId: other }))
        .data.adherence.missed,
    ).toBe(1);
    await service().ask(
      'mutation($input: DeleteMedicineReminderInput!) { deleteMedicineReminder(input: $input) { ' +
        'deletedReminderId } }',
      { input: { id } },
    );
    const after = (await service().ask(ADHERENCE, { from: '2026-03-08', to: '2026-03-10' })).data
      .adherence;
    expect(
      [after.taken, after.skipped, after.missed],
      'of a deleted reminder counts what was logged, and what was missed',
    ).toStrictEqual([1, 1, 3]);
    const alone = (
      await service().ask(ADHERENCE, { from: '2026-03-08', to: '2026-03-10', reminderId: id })
    ).data.adherence;
    expect(
      [alone.taken, alone.skipped, alone.missed],
      'and it is asked for alone as well',
    ).toStrictEqual([1, 1, 2]);
  });

  it('make no adherence of a medicine that the member does not have', async () => {
    service().at(NOW);
    const id = await daily();
    const { body } = await service().rest('POST', '/v1/appointment_reminder', {
      as: 'author',
      body: { title: 'x' },
    });
    expect(errorCode(await service().ask(ADHERENCE, { reminderId: id }))).toBeUndefined();
    expect(errorCode(await service().ask(ADHERENCE, { reminderId: id }, 'author'))).toBe(
      'REMINDER_NOT_FOUND',
    );
    expect(errorCode(await service().ask(ADHERENCE, { reminderId: body.id }, 'author'))).toBe(
      'REMINDER_NOT_FOUND',
    );
    for (const reminderId of [9999, 0])
      expect(errorCode(await service().ask(ADHERENCE, { reminderId }))).toBe('REMINDER_NOT_FOUND');
    expect(errorCode(await service().ask(ADHERENCE, { reminderId: -1 }))).toBe('ID_INVALID');
  });
});
