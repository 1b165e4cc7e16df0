import { makeAppointment, makeMedicine } from '../../support/factories.js';
import { useService } from '../../support/harness.js';
import { EIGHT, HOUR, MINUTE, rounds } from './rounds.js';

describe('A reminder whose time has come', () => {
  const service = useService();
  const { pushes, begin, prefer, first, act, round, until, told, carer } = rounds(service);

  it('is repeated while nobody answers, as often as the member chose, each time as a message of its own', async () => {
    await begin();
    await prefer({ renotifyMinutes: 10, renotifyTimes: 3 });
    await makeMedicine(service());
    await until(EIGHT + 3 * HOUR);
    expect(pushes.map((push) => push.at)).toStrictEqual(['08:00', '08:10', '08:20', '08:30']);
    expect(new Set(pushes.map(({ id }) => id)).size).toBe(4);
    expect(
      new Set(pushes.map(({ data }) => String(data.occurrence_ids))).size,
      'they are about one occurrence',
    ).toBe(1);
  });

  it('is not repeated beyond the grace time, nor for appointments', async () => {
    await begin();
    await prefer({ renotifyMinutes: 50, renotifyTimes: 10 });
    await makeMedicine(service());
    await makeAppointment(service(), { dateTime: '2026-03-10T08:20:00Z' });
    await until(EIGHT + 12 * HOUR);
    expect(pushes.map((push) => push.at)).toStrictEqual(['08:00', '08:20', '08:50', '09:40']);
  });

  it('is repeated no more once the member wants that less often, or not at all', async () => {
    for (const [input, times] of [
      [{ renotifyTimes: 1 }, ['08:00', '08:10']],
      [{ renotifyMinutes: null }, ['08:00', '08:10']],
      [{ renotifyTimes: 2 }, ['08:00', '08:10', '08:20']],
    ] as const) {
      await service().clean();
      await begin();
      await prefer({ renotifyMinutes: 10, renotifyTimes: 3 });
      await makeMedicine(service());
      await until(EIGHT + 10 * MINUTE);
      await prefer(input);
      await until(EIGHT + HOUR);
      expect(
        pushes.map((push) => push.at),
        JSON.stringify(input),
      ).toStrictEqual(times);
    }
  });

  for (const [answer, input] of [
    ['takeDose', {}],
    ['skipDose', {}],
    ['snoozeDose', { minutes: 33 }],
  ] as const) {
    it(`stops being repeated after ${answer}${answer === 'snoozeDose' ? ', and comes once when it was put off to' : ''}`, async () => {
      await begin();
      await prefer({ renotifyMinutes: 10, renotifyTimes: 10 });
      await makeMedicine(service());
      await until(EIGHT + 10 * MINUTE);
      service().at(EIGHT + 12 * MINUTE);
      await act(answer, { occurrenceId: await first(), ...input });
      await until(EIGHT + 4 * HOUR, 3 * MINUTE);
      const again = answer === 'snoozeDose' ? ['08:45'] : [];
      expect(pushes.map((push) => push.at)).toStrictEqual(['08:00', '08:10', ...again]);
    });
  }

  it('goes on being repeated when the answer is taken back', async () => {
    await begin();
    await prefer({ renotifyMinutes: 10, renotifyTimes: 2 });
    await makeMedicine(service());
    service().at(EIGHT);
    await round();
    const occurrenceId = await first();
    await act('takeDose', { occurrenceId });
    await act('undoDose', { occurrenceId });
    await until(EIGHT + HOUR);
    expect(pushes.map((push) => push.at)).toStrictEqual(['08:00', '08:10', '08:20']);
  });

  it('answered before its time and taken back after it goes out at once, is repeated and told to carers; later, only told', async () => {
    for (const [minutes, expected] of [
      [5, ['08:05 phone', '08:15 phone', '10:00 anna']],
      [29, ['08:29 phone', '08:39 phone', '10:00 anna']],
      [31, ['10:00 anna']],
      [125, []],
    ] as const) {
      await service().clean();
      await begin();
      await carer('anna', 'subscriber');
      await prefer({ renotifyMinutes: 10, renotifyTimes: 1 });
      await makeMedicine(service());
      service().at(EIGHT - HOUR);
      const occurrenceId = await first();
      await act('takeDose', { occurrenceId });
      await until(EIGHT);
      service().at(EIGHT + minutes * MINUTE);
      await act('undoDose', { occurrenceId });
      await round();
      await until(EIGHT + 4 * HOUR, MINUTE);
      expect(
        told().map((line) => line.split(':').slice(0, 2).join(':')),
        `${minutes} minutes after its time`,
      ).toStrictEqual(expected);
    }
  });

  it('put off, answered and taken back comes when it was put off to, and not at its own time', async () => {
    await begin();
    await carer('anna', 'subscriber');
    await makeMedicine(service());
    service().at(EIGHT - HOUR);
    const occurrenceId = await first();
    await act('snoozeDose', { occurrenceId, minutes: 45 });
    await act('snoozeDose', { occurrenceId, minutes: 20 });
    service().at(EIGHT - 30 * MINUTE);
    await act('takeDose', { occurrenceId });
    await act('undoDose', { occurrenceId });
    await until(EIGHT + 4 * HOUR);
    expect(told()).toStrictEqual([
      '08:20 phone: It is time for your medicine.',
      '10:00 anna: The subscriber has not answered a reminder.',
    ]);
  });

  it('that was put off comes when it was put off to, also when its plan is edited or its zone moves meanwhile', async () => {
    for (const change of ['edit', 'zone', 'usual times'] as const) {
      await service().clean();
      await begin();
      const id = await makeMedicine(service(), {
        frequencyType: '1_times_a_day',
        startDate: '2026-03-01',
      });
      service().at(EIGHT - 30 * MINUTE);
      await act('snoozeDose', { occurrenceId: await first(), minutes: 45 });
      service().at(EIGHT - 20 * MINUTE);
      const edited = { input: { id, endsOn: '2026-03-20' } };
      const query =
        'mutation($input: UpdateMedicineReminderInput!) { updateMedicineReminder(input: ' +
        '$input) { reminder { id } } }';
      const settings =
        'mutation($input: UpdateCareSettingsInput!) { updateCareSettings(input: $input) { ' +
        'careSettings { timeZone } } }';
      if (change === 'edit') await service().data(query, edited);
      // Both have the same clocks on that day.
      if (change === 'zone')
        await service().data(settings, { input: { timeZone: 'Africa/Abidjan' } });
      if (change === 'usual times')
        await service().data(settings, { input: { usualTimes: [{ times: ['09:00'] }] } });
      await until(EIGHT + 4 * HOUR);
      expect(
        pushes.map((push) => push.at),
        change,
      ).toStrictEqual(['08:45']);
    }
  });

  it('goes on being repeated after a repetition that was found too late', async () => {
    await begin();
    await prefer({ renotifyMinutes: 20, renotifyTimes: 4 });
    await makeMedicine(service());
    service().at(EIGHT);
    await round();
    service().at(EIGHT + 55 * MINUTE);
    await round();
    await until(EIGHT + 4 * HOUR);
    expect(
      pushes.map((push) => push.at),
      'that of 08:20 was 35 minutes late',
    ).toStrictEqual(['08:00', '09:15', '09:35', '09:55']);
  });
});
