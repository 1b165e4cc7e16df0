import { makeMedicine } from '../../support/factories.js';
import { type Caller, useService } from '../../support/harness.js';
import { EIGHT, HOUR, MINUTE, rounds } from './rounds.js';

describe('A reminder whose time has come', () => {
  const service = useService();
  const { pushes, begin, prefer, first, act, round, until, told, states, carer } = rounds(service);

  it('is told to one carer after the other, in the order of the member, where the member gives each some time', async () => {
    await begin();
    await carer('anna', 'subscriber', { position: 3 });
    await carer('bert', 'subscriber', { position: 1 });
    await carer('cora', 'subscriber', { position: 2 });
    await prefer({ carersWaitMinutes: 15 });
    await makeMedicine(service());
    await makeMedicine(service(), { name: 'b' });
    await until(EIGHT + 2 * HOUR + 10 * MINUTE);
    expect(told().slice(1)).toStrictEqual([
      '10:00 bert: The subscriber has not answered 2 reminders.',
    ]);
    await act('takeDose', { occurrenceId: await first() });
    // Whoever is next by the order of then, and does not know yet.
    await service().database.prisma.$executeRaw`UPDATE care_relation SET position = 4 - position`;
    await until(EIGHT + 6 * HOUR);
    expect(told().slice(2)).toStrictEqual([
      '10:15 anna: The subscriber has not answered a reminder.',
      '10:30 cora: The subscriber has not answered a reminder.',
    ]);
  });

  it('is told to each carer in turn once, whatever they delete, and whoever comes, goes and comes back meanwhile', async () => {
    await begin();
    const tidy = async (name: 'anna' | 'bert') => {
      const { notifications } = await service().data(
        '{ notifications { nodes { databaseId } } }',
        {},
        name as Caller,
      );
      const ids = notifications.nodes.map(({ databaseId }: { databaseId: number }) => databaseId);
      const query =
        'mutation($input: DeleteNotificationsInput!) { deleteNotifications(input: $input) { ' +
        'deletedNotificationIds } }';
      expect(
        (await service().data(query, { input: { ids } }, name as Caller)).deleteNotifications
          .deletedNotificationIds.length,
      ).toBe(1);
    };
    await carer('anna', 'subscriber', { position: 1 });
    await carer('bert', 'subscriber', { position: 2 });
    await prefer({ carersWaitMinutes: 15 });
    await makeMedicine(service());
    await until(EIGHT + 2 * HOUR);
    await tidy('anna');
    await until(EIGHT + 2 * HOUR + 10 * MINUTE);
    const { id: carerId } = await service().account('subscriber', 'anna');
    await service().database.prisma.careRelation.deleteMany({ where: { carerId } });
    await carer('cora', 'subscriber', { position: 3 });
    await until(EIGHT + 2 * HOUR + 15 * MINUTE);
    await tidy('bert');
    await carer('anna', 'subscriber', { position: 4 });
    await until(EIGHT + 6 * HOUR);
    expect(told().slice(1)).toStrictEqual([
      '10:00 anna: The subscriber has not answered a reminder.',
      '10:15 bert: The subscriber has not answered a reminder.',
      '10:30 cora: The subscriber has not answered a reminder.',
    ]);
  });

  it('is told to no further carer once it was answered', async () => {
    await begin();
    await carer('anna', 'subscriber', { position: 1 });
    await carer('bert', 'subscriber', { position: 2 });
    await prefer({ carersWaitMinutes: 15 });
    await makeMedicine(service());
    await until(EIGHT + 2 * HOUR + 5 * MINUTE);
    await act('takeDose', { occurrenceId: await first() });
    await until(EIGHT + 6 * HOUR);
    expect(told().slice(1)).toStrictEqual([
      '10:00 anna: The subscriber has not answered a reminder.',
    ]);
  });

  it('is told to the next carer after all when the answer was taken back', async () => {
    await begin();
    await carer('anna', 'subscriber', { position: 1 });
    await carer('bert', 'subscriber', { position: 2 });
    await prefer({ carersWaitMinutes: 15 });
    await makeMedicine(service());
    await until(EIGHT + 2 * HOUR + 5 * MINUTE);
    const occurrenceId = await first();
    await act('takeDose', { occurrenceId });
    await act('undoDose', { occurrenceId });
    await until(EIGHT + 6 * HOUR);
    expect(told().slice(1)).toStrictEqual([
      '10:00 anna: The subscriber has not answered a reminder.',
      '10:15 bert: The subscriber has not answered a reminder.',
    ]);
  });

  it('at the end of the grace time is told to every carer at once, once, and to nobody when it was answered', async () => {
    await begin();
    await carer('anna', 'subscriber', { position: 2 });
    await carer('bert', 'subscriber', { right: 'edit', position: 1 });
    await makeMedicine(service());
    await makeMedicine(service(), { name: 'b' });
    await makeMedicine(service(), { name: 'taken' });
    service().at(EIGHT);
    await round();
    await act('takeDose', { occurrenceId: await first() });
    await until(EIGHT + 6 * HOUR);
    const carers = pushes.slice(1);
    expect(told().slice(1).sort()).toStrictEqual([
      '10:00 anna: The subscriber has not answered 2 reminders.',
      '10:00 bert: The subscriber has not answered 2 reminders.',
    ]);
    const { id } = await service().account('subscriber');
    expect([carers[0]?.title, carers[0]?.data.type, carers[0]?.data.member_id]).toStrictEqual([
      'Missed',
      'dose_missed',
      id,
    ]);
    expect([carers[0]?.data.occurrence_ids].flat()).toHaveLength(2);
    const queued = await service().database.prisma.notification.findMany({
      where: { kind: 'missed' },
      orderBy: { id: 'asc' },
    });
    const { id: bert } = await service().account('subscriber', 'bert');
    expect(queued[0]?.accountId, 'in the order of the member').toBe(bert);
    expect(new Set(await states('carers'))).toStrictEqual(
      new Set(['10T10:00 sent', '10T10:00 cancelled']),
    );
  });

  it('put off past the grace time is told to carers when the grace time ends', async () => {
    await begin();
    await carer('anna', 'subscriber');
    await makeMedicine(service());
    service().at(EIGHT - 10 * MINUTE);
    await act('snoozeDose', { occurrenceId: await first(), minutes: 180 });
    await until(EIGHT + 6 * HOUR);
    expect(told()).toStrictEqual([
      '10:00 anna: The subscriber has not answered a reminder.',
      '11:00 phone: It is time for your medicine.',
    ]);
  });

  it('too late to send is told to carers at once, and not again when the grace time ends', async () => {
    await begin();
    await carer('anna', 'subscriber');
    await makeMedicine(service());
    service().at(EIGHT + 40 * MINUTE);
    await round();
    await until(EIGHT + 6 * HOUR);
    expect(told().map((line) => line.slice(5))).toStrictEqual([
      ' anna: A reminder could not be sent to The subscriber in time.',
    ]);
    expect(pushes[0]?.at.slice(0, 4)).toBe('08:4');
  });

  it('too late to send is told to carers once, though it is put off then', async () => {
    await begin();
    await carer('anna', 'subscriber');
    await makeMedicine(service());
    service().at(EIGHT + 40 * MINUTE);
    await until(EIGHT + HOUR);
    await act('snoozeDose', { occurrenceId: await first(), minutes: 10 });
    await until(EIGHT + 6 * HOUR);
    expect(told()).toStrictEqual([
      '08:50 anna: A reminder could not be sent to The subscriber in time.',
      '09:10 phone: It is time for your medicine.',
    ]);
  });

  it('is told to no carer when the member wants it so, the carer is gone, or the reminder is deleted', async () => {
    for (const change of ['preference', 'relation', 'reminder'] as const) {
      await service().clean();
      await begin();
      await carer('anna', 'subscriber');
      const id = await makeMedicine(service());
      service().at(EIGHT);
      await round();
      if (change === 'preference') await prefer({ missedToCarers: false });
      if (change === 'relation') await service().database.prisma.careRelation.deleteMany();
      if (change === 'reminder')
        await service().rest('DELETE', `/v1/medicine_reminder/${id}`, {
          as: 'subscriber',
          edition: 'B',
        });
      await until(EIGHT + 4 * HOUR);
      expect(told(), change).toStrictEqual(['08:00 phone: It is time for your medicine.']);
    }
  });
});
