import { makeMedicine } from '../../support/factories.js';
import { errorCode, mutation, useService } from '../../support/harness.js';
import {
  ADHERENCE,
  CALENDAR,
  DAY,
  doseCalls,
  EVENT,
  type Event,
  HOUR,
  MINUTE,
  NOW,
} from './dose-calls.js';

describe('Doses', () => {
  const service = useService();
  const { calendar, act, daily, statuses } = doseCalls(service);

  it('are taken on time, late and early, and the plan says so at once', async () => {
    service().at(NOW);
    await daily();
    const [due, evening] = (await calendar()) as [Event, Event];
    const [missed] = (await calendar('2026-03-08')) as [Event];
    expect((await act('takeDose', { occurrenceId: due.id })).data.takeDose.status).toBe('TAKEN');
    const late = await act('takeDose', {
      occurrenceId: missed.id,
      at: '2026-03-08T13:00:00Z',
      note: 'forgot',
    });
    expect(late.data.takeDose).toStrictEqual({
      ...missed,
      status: 'TAKEN',
      answeredAt: '2026-03-08T13:00:00.000Z',
      note: 'forgot',
    });
    expect((await act('takeDose', { occurrenceId: evening.id })).data.takeDose.status).toBe(
      'TAKEN',
    );
    expect(await statuses()).toStrictEqual(['03-10T08:00 TAKEN', '03-10T20:00 TAKEN']);
    const planned = await service().database.prisma.reminderAlert.findMany({
      where: { state: 'planned' },
    });
    expect(
      planned.every(({ dueAt }) => dueAt.getTime() > NOW + 13 * HOUR),
      'what was taken early does not fire',
    ).toBe(true);
  });

  it('are refused a second time, unless forced, which is logged apart', async () => {
    service().at(NOW);
    await daily();
    const [{ id: occurrenceId }] = (await calendar()) as [Event];
    await act('takeDose', { occurrenceId });
    expect(errorCode(await act('takeDose', { occurrenceId }))).toBe('ALREADY_TAKEN');
    expect(errorCode(await act('skipDose', { occurrenceId }))).toBe('ALREADY_TAKEN');
    expect(errorCode(await act('snoozeDose', { occurrenceId }))).toBe('ALREADY_TAKEN');
    const extra = (await act('takeDose', { occurrenceId, force: true })).data.takeDose;
    expect(extra.id).not.toBe(occurrenceId);
    const { taken, asNeeded } = (
      await service().ask(ADHERENCE, { from: '2026-03-10', to: '2026-03-10' })
    ).data.adherence;
    expect([taken, asNeeded]).toStrictEqual([1, 1]);
  });

  it('taken by two at the same moment are taken once', async () => {
    service().at(NOW);
    await daily();
    const [{ id: occurrenceId }] = (await calendar()) as [Event];
    const answers = await Promise.all([1, 2, 3, 4].map(() => act('takeDose', { occurrenceId })));
    expect(answers.map(errorCode).sort()).toStrictEqual([
      'ALREADY_TAKEN',
      'ALREADY_TAKEN',
      'ALREADY_TAKEN',
      undefined,
    ]);
    expect(await service().database.prisma.dose.count()).toBe(1);
  });

  it('say with the answer how the day, the week and the home screen stand after it', async () => {
    service().at(NOW - DAY);
    await daily();
    service().at(NOW);
    const [due, evening] = (await calendar()) as [Event, Event];
    const changed = `event { ${EVENT} } day { date timeZone doses { taken skipped missed } events { status } }
      adherence { taken } memberHome { today { status } week { taken skipped } }`;
    const answer = async (what: string, occurrenceId: string) =>
      (await service().ask(mutation(what, changed), { input: { occurrenceId } })).data[what];
    const { event, ...after } = await answer('takeDose', due.id);
    expect(event.status).toBe('TAKEN');
    expect(after).toStrictEqual({
      day: {
        ...{ date: '2026-03-10', timeZone: 'UTC' },
        doses: { taken: 1, skipped: 0, missed: 0 },
        events: [{ status: 'TAKEN' }, { status: 'UPCOMING' }],
      },
      adherence: { taken: 1 },
      memberHome: {
        today: [{ status: 'TAKEN' }, { status: 'UPCOMING' }],
        week: { taken: 1, skipped: 0 },
      },
    });
    const skipped = await answer('skipDose', evening.id);
    expect([skipped.day.doses, skipped.memberHome.week]).toStrictEqual([
      { taken: 1, skipped: 1, missed: 0 },
      { taken: 1, skipped: 1 },
    ]);
    const undone = await answer('undoDose', due.id);
    expect([undone.event.status, undone.day.doses.taken, undone.adherence.taken]).toStrictEqual([
      'DUE',
      0,
      0,
    ]);
    const twice = `mutation($one: ID!, $other: ID!) {
      a: takeDose(input: { occurrenceId: $one }) { memberHome { week { taken } } }
      b: undoDose(input: { occurrenceId: $one }) { memberHome { week { taken } } }
      c: takeDose(input: { occurrenceId: $other }) { day { doses { taken } } }
    }`;
    expect((await service().ask(twice, { one: due.id, other: evening.id })).data).toStrictEqual({
      a: { memberHome: { week: { taken: 1 } } },
      b: { memberHome: { week: { taken: 0 } } },
      c: { day: { doses: { taken: 1 } } },
    });
  });

  it('that stood on their own leave their day and no event when they are taken back', async () => {
    service().at(NOW);
    const reminderId = await makeMedicine(service(), { frequencyType: 'as_needed' });
    const at = '2026-03-09T07:00:00Z';
    const { id: occurrenceId } = (await act('logDose', { reminderId, at })).data.logDose;
    const query = mutation('undoDose', 'event { id } day { date events { id } }');
    expect((await service().ask(query, { input: { occurrenceId } })).data.undoDose).toStrictEqual({
      event: null,
      day: { date: '2026-03-09', events: [] },
    });
  });

  it('repeated under an Idempotency-Key answer the same', async () => {
    service().at(NOW);
    await daily();
    const [{ id: occurrenceId }] = (await calendar()) as [Event];
    const twice = [1, 2].map(
      () => () => act('takeDose', { occurrenceId }, 'subscriber', { 'idempotency-key': 'a' }),
    );
    const [first, second] = [await twice[0]?.(), await twice[1]?.()];
    expect(second).toStrictEqual(first);
  });

  it('skipped can still be taken; both can be taken back, and what is to come then fires again', async () => {
    service().at(NOW);
    await daily();
    const [, { id: occurrenceId }] = (await calendar()) as [Event, Event];
    const planned = () =>
      service().database.prisma.reminderAlert.count({
        where: { state: 'planned', dueAt: new Date('2026-03-10T20:00:00Z') },
      });
    expect((await act('skipDose', { occurrenceId, note: 'fasting' })).data.skipDose.status).toBe(
      'SKIPPED',
    );
    expect(await planned()).toBe(0);
    expect((await act('takeDose', { occurrenceId })).data.takeDose.note).toBe('fasting');
    expect((await act('undoDose', { occurrenceId })).data.undoDose.status).toBe('UPCOMING');
    expect(await planned()).toBe(1);
    expect(errorCode(await act('undoDose', { occurrenceId }))).toBe('NOTHING_LOGGED');
  });

  it('of a plan that is no more can be taken back: they are gone then', async () => {
    service().at(NOW);
    const id = await daily();
    const [, { id: occurrenceId }] = (await calendar()) as [Event, Event];
    await act('takeDose', { occurrenceId });
    const edit =
      'mutation($input: UpdateMedicineReminderInput!) { updateMedicineReminder(input: $input) ' +
      '{ reminder { id } } }';
    await service().ask(edit, {
      input: { id, frequency: 'daily', startsOn: '2026-03-10', startTime: '19:00' },
    });
    expect(await statuses(), 'one a day now, and it was taken').toStrictEqual([
      '03-10T08:00 WITHHELD',
      '03-10T19:00 WITHHELD',
      '03-10T20:00 TAKEN',
    ]);
    expect(await act('undoDose', { occurrenceId })).toStrictEqual({ data: { undoDose: null } });
    expect(await statuses()).toStrictEqual(['03-10T08:00 WITHHELD', '03-10T19:00 UPCOMING']);
    expect(errorCode(await act('undoDose', { occurrenceId }))).toBe('NOTHING_LOGGED');
  });

  it('keep name and time of what was taken, whatever becomes of the reminder', async () => {
    service().at(NOW);
    const id = await daily();
    const [first, second] = (await calendar()) as [Event, Event];
    await act('takeDose', { occurrenceId: first.id });
    await act('takeDose', { occurrenceId: second.id });
    const update =
      'mutation($input: UpdateMedicineReminderInput!) { updateMedicineReminder(input: $input) ' +
      '{ reminder { id } } }';
    await service().ask(update, {
      input: {
        id,
        name: 'Ibuprofen',
        frequency: 'daily',
        startsOn: '2026-03-08',
        startTime: '12:00',
      },
    });
    const edited = await calendar();
    expect(
      edited.map(({ title, startsAt, status }) => [title, startsAt.slice(11, 16), status]),
    ).toStrictEqual([
      ['Aspirin', '08:00', 'TAKEN'],
      ['Ibuprofen', '12:00', 'WITHHELD'],
      ['Aspirin', '20:00', 'TAKEN'],
    ]);
    await service().ask(
      'mutation($input: DeleteMedicineReminderInput!) { deleteMedicineReminder(input: $input) { ' +
        'deletedReminderId } }',
      { input: { id } },
    );
    expect(await statuses()).toStrictEqual(['03-10T08:00 TAKEN', '03-10T20:00 TAKEN']);
    expect(errorCode(await act('takeDose', { occurrenceId: first.id }))).toBe(
      'OCCURRENCE_NOT_FOUND',
    );
  });

  it('exist only where a plan has them, and are answered for neither a day ahead nor in the future', async () => {
    service().at(NOW);
    await daily();
    const [, tomorrow] = (await calendar('2026-03-11')) as [Event, Event];
    expect(errorCode(await act('takeDose', { occurrenceId: tomorrow.id }))).toBe('TOO_EARLY');
    const [{ id }] = (await calendar()) as [Event];
    expect(errorCode(await act('takeDose', { occurrenceId: id, at: new Date(NOW + HOUR) }))).toBe(
      'TIME_INVALID',
    );
    expect(errorCode(await act('takeDose', { occurrenceId: id, at: new Date('0001-01-01') }))).toBe(
      'BAD_USER_INPUT',
    );
    expect(errorCode(await act('takeDose', { occurrenceId: '' }))).toBe('ID_INVALID');
    for (const occurrenceId of [
      'x',
      '1-0',
      `${id}0`,
      'dose-1',
      'dose.1',
      'dose.0',
      'dose.2147483648',
      '-',
      'zzzzzz-zzzzzzzz',
      '1--1',
    ])
      expect(errorCode(await act('takeDose', { occurrenceId })), occurrenceId).toBe(
        'OCCURRENCE_NOT_FOUND',
      );
  });

  it('of others do not exist; administrators answer once they broke the glass, and leave a trace', async () => {
    service().at(NOW);
    await daily();
    const [{ id: occurrenceId }] = (await calendar()) as [Event];
    expect(errorCode(await act('takeDose', { occurrenceId }, 'author'))).toBe(
      'OCCURRENCE_NOT_FOUND',
    );
    expect(errorCode(await act('takeDose', { occurrenceId }, 'anonymous'))).toBe('UNAUTHENTICATED');
    expect(errorCode(await act('takeDose', { occurrenceId }, 'administrator'))).toBe(
      'OCCURRENCE_NOT_FOUND',
    );
    const { id: subjectId } = await service().account('subscriber');
    await service().opens(subjectId);
    expect((await act('takeDose', { occurrenceId }, 'administrator')).data.takeDose.status).toBe(
      'TAKEN',
    );
    expect(
      await service().database.prisma.auditEvent.count({
        where: { action: 'dose.write', subjectId },
      }),
    ).toBe(1);
    const { id: memberId } = await service().account('subscriber');
    for (const query of [CALENDAR, ADHERENCE])
      expect(errorCode(await service().ask(query, { memberId }, 'author'))).toBe('FORBIDDEN');
    await service().ask(CALENDAR, { memberId }, 'administrator');
    expect(
      await service().database.prisma.auditEvent.count({
        where: { action: 'reminder.read', subjectId },
      }),
    ).toBe(1);
  });

  it('taken as needed are logged apart', async () => {
    service().at(NOW);
    const reminderId = await makeMedicine(service(), { name: 'Drops', frequencyType: 'as_needed' });
    const { id, status } = (
      await act('logDose', { reminderId, at: '2026-03-10T07:00:00Z', note: 'n' })
    ).data.logDose;
    expect(status).toBe('TAKEN');
    expect(await statuses()).toStrictEqual(['03-10T07:00 TAKEN']);
    const { taken, asNeeded, rate } = (await service().ask(ADHERENCE)).data.adherence;
    expect([taken, asNeeded, rate]).toStrictEqual([0, 1, null]);
    expect((await act('undoDose', { occurrenceId: id })).data.undoDose).toBeNull();
    expect(await statuses()).toStrictEqual([]);
    expect(errorCode(await act('logDose', { reminderId }, 'author'))).toBe('REMINDER_NOT_FOUND');
  });

  it('taken as needed are one where two sign-ins log them within a minute', async () => {
    service().at(NOW);
    const reminderId = await makeMedicine(service(), { name: 'Drops', frequencyType: 'as_needed' });
    const devices = await Promise.all([1, 2].map(() => service().session('subscriber')));
    const log = (i: number, at?: string) =>
      act('logDose', { reminderId, at }, 'subscriber', devices[i]);
    const ids = await Promise.all([0, 1, 1, 0].map(async (i) => (await log(i)).data.logDose?.id));
    expect(new Set(ids).size).toBeLessThanOrEqual(2);
    service().at(NOW + 5 * MINUTE);
    const [first, second] = [await log(0), await log(1)];
    expect(second.data.logDose.id, 'the other device finds it').toBe(first.data.logDose.id);
    const again = await log(0);
    expect(again.data.logDose.id, 'the same device takes another').not.toBe(first.data.logDose.id);
    service().at(NOW + 5 * MINUTE + 61_000);
    const later = await log(1);
    expect([first.data.logDose.id, again.data.logDose.id]).not.toContain(later.data.logDose.id);
  });

  it('taken as needed have a name that no occurrence of anybody has, and it answers for nothing else', async () => {
    service().at(NOW);
    const reminderId = await makeMedicine(service(), { name: 'Drops', frequencyType: 'as_needed' });
    // `dose` is 638654 in base 36, and 101580 an hour of 1971.
    await service().account('author');
    await service().database.query(
      "SELECT setval('reminder_id_seq', 638653), setval('dose_id_seq', 101579)",
    );
    const hourly = { name: 'Secret', frequencyType: 'hourly', startDate: '1971-12-01T00:00:00Z' };
    expect(await makeMedicine(service(), hourly, 'author')).toBe(638654);
    const { id } = (await act('logDose', { reminderId })).data.logDose;
    for (const occurrenceId of [id, 'dose-101580'])
      for (const what of ['snoozeDose', 'takeDose', 'skipDose'])
        expect(errorCode(await act(what, { occurrenceId })), `${what} ${occurrenceId}`).toBe(
          'OCCURRENCE_NOT_FOUND',
        );
    expect(errorCode(await act('undoDose', { occurrenceId: 'dose-101580' }))).toBe(
      'OCCURRENCE_NOT_FOUND',
    );
    expect(await service().database.prisma.dose.count()).toBe(1);
    expect(await act('undoDose', { occurrenceId: id })).toStrictEqual({ data: { undoDose: null } });
  });

  it('that answer for an occurrence are taken back by its name, never by their number: it comes again then', async () => {
    service().at(NOW);
    const id = await daily();
    const [, { id: occurrenceId }] = (await calendar()) as [Event, Event];
    await act('takeDose', { occurrenceId });
    const dose = await service().database.prisma.dose.findFirstOrThrow();
    expect(errorCode(await act('undoDose', { occurrenceId: `dose.${dose.id}` }))).toBe(
      'OCCURRENCE_NOT_FOUND',
    );
    expect(await statuses()).toStrictEqual(['03-10T08:00 DUE', '03-10T20:00 TAKEN']);
    const extra = (await act('takeDose', { occurrenceId, force: true })).data.takeDose;
    expect(await act('undoDose', { occurrenceId: extra.id })).toStrictEqual({
      data: { undoDose: null },
    });
    const edit =
      'mutation($input: UpdateMedicineReminderInput!) { updateMedicineReminder(input: $input) ' +
      '{ reminder { id } } }';
    await service().ask(edit, {
      input: { id, frequency: 'daily', startsOn: '2026-03-10', startTime: '19:00' },
    });
    expect(await act('undoDose', { occurrenceId: `dose.${dose.id}` })).toStrictEqual({
      data: { undoDose: null },
    });
    expect(await statuses()).toStrictEqual(['03-10T08:00 WITHHELD', '03-10T19:00 UPCOMING']);
  });
});
