import type { Deps } from '../../../src/core/deps.js';
import { handOver } from '../../../src/domains/dispatch/handover.service.js';
import { planDue } from '../../../src/domains/reminders/alert/plan-due.service.js';
import { makeCarer, makeMedicine, postMedicine } from '../../support/factories.js';
import { type Caller, mutation, useService } from '../../support/harness.js';

const HOUR = 60 * 60_000;
const COUNTS = 'taken skipped missed rate';
const ADHERENCE = `{ adherence(from: "2026-03-08", to: "2026-03-10") { isKnown ${COUNTS} days { ${COUNTS} } medicines { ${COUNTS} } } }`;

interface Event {
  id: string;
  status: string;
}

describe('Adherence', () => {
  const service = useService();
  const adherence = async () => (await service().data(ADHERENCE)).adherence;
  const calendar = async (day = '2026-03-10'): Promise<Event[]> =>
    (
      await service().data(
        'query($day: LocalDate) { calendar(from: $day, to: $day) { events { id: occurrenceId status } } }',
        { day },
      )
    ).calendar.events;
  const act = (what: string, input: object) =>
    service().data(mutation(what, '__typename'), { input });
  const begin = async () => {
    service().at('2026-03-08T07:00:00Z');
    const id = await makeMedicine(service(), { startDate: '2026-03-08T08:00:00' });
    service().at('2026-03-10T12:00:00Z');
    return id;
  };

  it('is unknown of a member who has never answered a dose, not 0', async () => {
    await begin();
    const unknown = { taken: 0, skipped: 0, missed: 1, rate: null };
    expect(await adherence()).toStrictEqual({
      ...unknown,
      isKnown: false,
      missed: 3,
      days: [unknown, unknown, unknown],
      medicines: [{ ...unknown, missed: 3 }],
    });
    const [{ id: occurrenceId } = { id: '' }] = await calendar();
    const taken = await service().data(
      mutation('takeDose', 'adherence { isKnown rate } day { doses { rate } }'),
      { input: { occurrenceId } },
    );
    expect(taken.takeDose.adherence).toStrictEqual({ isKnown: true, rate: 1 / 3 });
    expect(taken.takeDose.day.doses.rate).toBe(1);
    expect((await adherence()).days.map(({ rate }: { rate: number }) => rate)).toStrictEqual([
      0, 0, 1,
    ]);
    await act('undoDose', { occurrenceId });
    expect((await adherence()).isKnown, 'the only answer was taken back').toBe(false);
  });

  it('is that of one medicine, by its present name, whatever it was called before', async () => {
    const id = await begin();
    const [{ id: occurrenceId } = { id: '' }] = await calendar('2026-03-08');
    await act('takeDose', { occurrenceId });
    await act('updateMedicineReminder', { id, name: 'Another' });
    const { body } = await service().rest('GET', '/v1/report/statistics', { as: 'subscriber' });
    expect(
      body.reminders.map(({ name, taken, missed }: Record<string, unknown>) => [
        name,
        taken,
        missed,
      ]),
    ).toStrictEqual([['Another', 1, 2]]);
    const query =
      'query($from: LocalDate!, $to: LocalDate!) { adherence(from: $from, to: $to) { medicines { name taken } } }';
    const range = { from: '2026-03-08', to: '2026-03-10' };
    expect((await service().data(query, range)).adherence.medicines).toStrictEqual([
      { name: 'Another', taken: 1 },
    ]);
  });

  it('does not get better when a reminder is deleted: what was missed until then stays', async () => {
    const id = await begin();
    const [{ id: occurrenceId } = { id: '' }] = await calendar('2026-03-09');
    await act('takeDose', { occurrenceId });
    await makeMedicine(service(), { name: 'b', startDate: '2026-03-10T11:00:00' });
    const before = await adherence();
    expect([before.taken, before.missed]).toStrictEqual([1, 2]);
    await act('deleteMedicineReminder', { id });
    const counts = async () => {
      const { taken, missed } = await adherence();
      return [taken, missed];
    };
    expect(await counts()).toStrictEqual([1, 2]);
    expect((await calendar()).map(({ status }) => status)).toStrictEqual(['MISSED', 'DUE']);
    service().at('2026-03-11T12:00:00Z');
    expect(await counts(), 'nothing of it is missed later').toStrictEqual([1, 2]);
    expect(await calendar('2026-03-12')).toHaveLength(1);
    const { body } = await service().rest('GET', '/v1/events', { as: 'subscriber' });
    expect(new Set(body.map(({ reminder_id }: { reminder_id: number }) => reminder_id))).toEqual(
      new Set([id + 1]),
    );
  });

  it('counts nothing that was still to be answered when its reminder was deleted', async () => {
    const id = await begin();
    await act('takeDose', { occurrenceId: (await calendar('2026-03-09'))[0]?.id });
    service().at('2026-03-11T09:59:59Z');
    await act('deleteMedicineReminder', { id });
    service().at('2026-03-12T12:00:00Z');
    expect(await calendar('2026-03-11')).toStrictEqual([]);
    const whole = await service().data(
      '{ adherence(from: "2026-03-08", to: "2026-03-12") { missed } }',
    );
    expect(whole.adherence.missed).toBe(2);
  });

  it('stands in the REST calendar: what was answered says so', async () => {
    await begin();
    const events = (await calendar('2026-03-09')).concat(await calendar());
    await act('takeDose', { occurrenceId: events[0]?.id });
    await act('skipDose', { occurrenceId: events[1]?.id });
    const { body } = await service().rest('GET', '/v1/all_events', {
      as: 'subscriber',
      edition: 'B',
      query: { date_from: '2026-03-08', date_to: '2026-03-10' },
    });
    expect(body.map(({ status }: Event) => status)).toStrictEqual(['missed', 'taken', 'skipped']);
  });
});

describe('Carers of a member who has never answered', () => {
  const service = useService();
  const TOLD = '{ notifications { nodes { kind title body data } } }';
  const told = async (name: string) =>
    (await service().data(TOLD, {}, name as Caller)).notifications.nodes;
  const carer = async (name: string) => {
    const { id: carerId } = await service().account('subscriber', name);
    const { id: memberId } = await service().account('subscriber');
    await makeCarer(service(), { memberId, carerId });
    return memberId;
  };
  const until = async (deps: Deps, end: string) => {
    for (let now = service().now(); now <= Date.parse(end); now += HOUR) {
      service().at(now);
      await planDue(deps);
      await handOver(deps);
    }
  };

  it('learn that once, and of no miss until there is an answer', async () => {
    const { deps } = service().app;
    service().at('2026-03-08T07:00:00Z');
    const member_id = await carer('anna');
    await postMedicine(service(), { name: 'a', start_date: '2026-03-08T08:00:00' });
    await until(deps, '2026-03-10T12:00:00Z');
    const once = {
      kind: 'NO_ANSWERS',
      title: 'No answers yet',
      body: expect.stringContaining('The subscriber has never answered a reminder'),
      data: { type: 'no_answers', member_id },
    };
    expect(await told('anna')).toStrictEqual([once]);
    await carer('bert');
    await until(deps, '2026-03-11T12:00:00Z');
    expect([await told('anna'), await told('bert')]).toStrictEqual([[once], [once]]);
    const { calendar } = await service().data('{ calendar { events { id: occurrenceId } } }');
    await service().data(mutation('takeDose', '__typename'), {
      input: { occurrenceId: calendar.events[0].id },
    });
    await until(deps, '2026-03-12T12:00:00Z');
    const kinds = (await told('anna')).map(({ kind }: { kind: string }) => kind);
    expect(kinds).toStrictEqual(['MISSED', 'NO_ANSWERS']);
  });

  it('learn nothing of it where the member wants no carer told', async () => {
    const { deps } = service().app;
    service().at('2026-03-08T07:00:00Z');
    await carer('anna');
    await service().data(mutation('updateNotificationPreference', '__typename'), {
      input: { missedToCarers: false },
    });
    await postMedicine(service(), { start_date: '2026-03-08T08:00:00' });
    await until(deps, '2026-03-08T12:00:00Z');
    expect(await told('anna')).toStrictEqual([]);
  });
});
