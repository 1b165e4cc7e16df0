import type { Deps } from '../../../src/core/deps.js';
import { handOver } from '../../../src/domains/dispatch/handover.service.js';
import { settleUndelivered } from '../../../src/domains/dispatch/undelivered.service.js';
import { DeliveryWorker } from '../../../src/domains/notifications/delivery/delivery.worker.js';
import { claimDue } from '../../../src/domains/notifications/delivery/delivery-claim.service.js';
import { planDue } from '../../../src/domains/reminders/alert/plan-due.service.js';
import type { Database } from '../../../src/platform/database/database.js';
import { ConnectionError } from '../../../src/platform/database/database-errors.js';
import type {
  Outcome,
  PushMessage,
  PushTransport,
} from '../../../src/platform/push/push-transport.js';
import {
  makeAnswer,
  makeAppointment,
  makeCarer,
  makeDevice,
  makeMedicine,
  makeMember,
} from '../../support/factories.js';
import { type Caller, mutation, type RoleName, useService } from '../../support/harness.js';
import { expoName } from '../../support/provider.js';
import { standIn } from '../../support/stand-in.js';
import { roundsAt } from './agenda.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** Before everything that is planned here: the evening before. */
const EVENING = Date.parse('2026-03-09T20:00:00Z');
const EIGHT = Date.parse('2026-03-10T08:00:00Z');
const going = new AbortController().signal;

/** A database whose connection is lost when a transaction has done its work, before it commits. */
function dyingAtCommit(database: Database): Database {
  return standIn(database, {
    transaction: (work) =>
      database.transaction(async (db) => {
        await work(db);
        throw new ConnectionError('killed');
      }),
  });
}

describe('While pushes cannot be delivered, a reminder', () => {
  const service = useService();
  const pushes: {
    at: string;
    token: string;
    body: string;
    id: string;
    data: Record<string, unknown>;
  }[] = [];
  /** What the provider says to a token. */
  let answer: (token: string) => Outcome;
  let deps: Deps;

  const DELIVERED: Outcome = { kind: 'delivered' };
  const AWAY: Outcome = { kind: 'retry', code: '503' };
  const clock = () => new Date(service().now()).toISOString().slice(11, 16);
  /** A member with a phone, whose provider is away, at a clock that stands still. */
  const begin = async () => {
    service().at(EVENING);
    pushes.length = 0;
    answer = () => AWAY;
    const send = async (messages: readonly PushMessage[]): Promise<Outcome[]> =>
      messages.map(({ token, body, id, data }) => {
        const outcome = answer(token);
        if (outcome.kind === 'delivered')
          pushes.push({ at: clock(), token, body, id, data: { ...data } });
        return outcome;
      });
    const transport: PushTransport = { name: 'recorder', batch: 100, concurrency: 1, send };
    deps = { ...service().app.deps, push: { ...service().app.deps.push, expo: transport } };
    await makeDevice(service());
  };
  const act = (what: string, input: object) =>
    service().data(mutation(what, '__typename'), { input });
  const prefer = (input: object) =>
    service().data(
      'mutation($input: UpdateNotificationPreferenceInput!) { updateNotificationPreference(input: ' +
        '$input) { notificationPreference { quietStart } } }',
      {
        input,
      },
    );
  const occurrences = async (): Promise<string[]> => {
    const { calendar } = await service().data(
      'query($from: LocalDate) { calendar(from: $from, to: $from) { events { occurrenceId } } }',
      {
        from: '2026-03-10',
      },
    );
    return calendar.events.map(({ occurrenceId }: { occurrenceId: string }) => occurrenceId);
  };
  const first = async () => (await occurrences())[0];
  const carer = async (name: string, role: RoleName) => {
    const { id: carerId } = await service().account(role, name);
    const { id: memberId } = await service().account('subscriber');
    await makeAnswer(service(), memberId);
    await makeCarer(service(), { memberId, carerId });
    await makeDevice(service(), name, name as Caller);
  };
  /** What one round of the jobs does. */
  const round = async () => {
    await planDue(deps);
    await handOver(deps);
    await new DeliveryWorker(deps, 'expo').run(going);
    await settleUndelivered(deps);
  };
  /** Lets the jobs run every minute, and after an hour every ten, until an instant. */
  const until = async (end: number) => {
    if (service().now() < EIGHT - MINUTE) service().at(EIGHT - MINUTE);
    const step = (now: number) => (now < EIGHT + HOUR ? MINUTE : 10 * MINUTE);
    const instants: number[] = [];
    for (let now = service().now() + MINUTE; now <= end; now += step(now)) instants.push(now);
    await roundsAt(instants, service().database, async (now) => {
      service().at(now);
      await round();
    });
  };
  const recover = async (end: number) => {
    answer = () => DELIVERED;
    await until(end);
  };
  const told = () => pushes.map(({ at, token, body }) => `${at} ${expoName(token)}: ${body}`);
  /** When, and which device; not what. */
  const toldWhom = () => pushes.map(({ at, token }) => `${at} ${expoName(token)}`);
  const deliveries = async () =>
    (await service().database.prisma.delivery.findMany({ orderBy: { id: 'asc' } })).map(
      ({ state }) => state,
    );

  for (const [name, what] of [
    ['taken', 'takeDose'],
    ['skipped', 'skipDose'],
  ] as const) {
    it(`whose dose is ${name} meanwhile goes out no more, nor do its repetitions`, async () => {
      await begin();
      await prefer({ renotifyMinutes: 10, renotifyTimes: 3 });
      await makeMedicine(service());
      await until(EIGHT + 12 * MINUTE);
      await act(what, { occurrenceId: await first() });
      await recover(EIGHT + HOUR);
      expect(told()).toStrictEqual([]);
      const { notifications } = await service().data('{ notifications { nodes { kind } } }');
      expect(notifications.nodes.length, 'what came stays in the list').toBe(2);
    });
  }

  it('that is deleted meanwhile goes out no more', async () => {
    await begin();
    const id = await makeMedicine(service());
    await until(EIGHT + 2 * MINUTE);
    await service().rest('DELETE', `/v1/medicine_reminder/${id}`, { as: 'subscriber' });
    await recover(EIGHT + HOUR);
    expect(told()).toStrictEqual([]);
  });

  it('that is put off meanwhile comes when it was put off to, once', async () => {
    await begin();
    await makeMedicine(service());
    await until(EIGHT + 2 * MINUTE);
    await act('snoozeDose', { occurrenceId: await first(), minutes: 20 });
    await recover(EIGHT + HOUR);
    expect(told()).toStrictEqual(['08:22 phone: It is time for your medicine.']);
  });

  it('of an appointment that is attended, or put at another time, goes out no more; put back it does', async () => {
    for (const [change, expected] of [
      ['attended', []],
      ['moved', ['09:00']],
      ['moved and moved back', ['08:03']],
    ] as const) {
      await service().clean();
      await begin();
      const id = await makeAppointment(service(), {
        dateTime: '2026-03-10T12:00:00',
        remindBefore: '4h',
      });
      await until(EIGHT + 2 * MINUTE);
      if (change === 'attended') await act('attendAppointment', { id });
      else await act('updateAppointmentReminder', { id, date: '2026-03-10', time: '13:00' });
      if (change === 'moved and moved back')
        await act('updateAppointmentReminder', { id, date: '2026-03-10', time: '12:00' });
      await recover(EIGHT + 2 * HOUR);
      expect(
        pushes.map(({ at }) => at),
        change,
      ).toStrictEqual(expected);
    }
  });

  it('about several medicines goes out while one of them is open', async () => {
    await begin();
    await makeMedicine(service());
    await makeMedicine(service(), { name: 'Ibuprofen' });
    await until(EIGHT + 2 * MINUTE);
    const [one, other] = await occurrences();
    await act('takeDose', { occurrenceId: one });
    await recover(EIGHT + 10 * MINUTE);
    expect(told().length).toStrictEqual(1);
    await service().clean();
    await begin();
    await makeMedicine(service());
    await makeMedicine(service(), { name: 'Ibuprofen' });
    await until(EIGHT + 2 * MINUTE);
    for (const occurrenceId of [one, other]) await act('takeDose', { occurrenceId });
    await recover(EIGHT + 10 * MINUTE);
    expect(told()).toStrictEqual([]);
  });

  it.each([
    ['answered', (occurrenceId: string) => act('takeDose', { occurrenceId })],
    ['renamed', (_: string, id: number) => act('updateMedicineReminder', { id, name: 'Other' })],
    [
      'given another amount',
      (_: string, id: number) =>
        act('setDoseAmounts', { id, unit: 'tablets', steps: [{ amount: 1 }] }),
    ],
    ['deleted', (_: string, id: number) => act('deleteMedicineReminder', { id })],
    ['put off', (occurrenceId: string) => act('snoozeDose', { occurrenceId, minutes: 20 })],
  ])(
    'names no medicine and no amount where one of them was %s meanwhile',
    async (_what, change) => {
      await begin();
      await prefer({ lockScreenNames: true });
      const id = await makeMedicine(service());
      await makeMedicine(service(), { name: 'Ibuprofen' });
      const steps = [{ amount: 2 }];
      await act('setDoseAmounts', { id, unit: 'tablets', steps });
      await until(EIGHT + 2 * MINUTE);
      const [one] = await occurrences();
      await change(one as string, id);
      await recover(EIGHT + 10 * MINUTE);
      expect(pushes.map(({ body }) => body)).toStrictEqual(['It is time for your medicines.']);
    },
  );

  it('names what has not changed', async () => {
    await begin();
    await prefer({ lockScreenNames: true });
    const id = await makeMedicine(service());
    const steps = [{ amount: 2 }];
    await act('setDoseAmounts', { id, unit: 'tablets', steps });
    await until(EIGHT + 2 * MINUTE);
    await recover(EIGHT + 10 * MINUTE);
    expect(pushes.map(({ body }) => body)).toStrictEqual(['It is time for Aspirin (2 tablets).']);
  });

  describe('of a dose and an appointment', () => {
    const both = async () => {
      await begin();
      await makeMedicine(service());
      const fields = { dateTime: '2026-03-10T09:00:00', remindBefore: '1h' };
      const id = await makeAppointment(service(), fields);
      await until(EIGHT + 2 * MINUTE);
      const [occurrenceId = ''] = await occurrences();
      return { id, occurrenceId };
    };
    const bodies = () => pushes.map(({ body }) => body);

    it.each([
      ['the dose was taken', ({ occurrenceId }) => act('takeDose', { occurrenceId })],
      [
        'the dose was put off',
        ({ occurrenceId }) => act('snoozeDose', { occurrenceId, minutes: 20 }),
      ],
      ['the appointment was deleted', ({ id }) => act('deleteAppointmentReminder', { id })],
      [
        'the appointment was put at another time',
        ({ id }) => act('updateAppointmentReminder', { id, date: '2026-03-10', time: '15:00' }),
      ],
    ] as [string, (of: { id: number; occurrenceId: string }) => Promise<unknown>][])(
      'says neither where %s meanwhile',
      async (_what, change) => {
        await change(await both());
        await recover(EIGHT + 10 * MINUTE);
        expect(bodies()).toStrictEqual(['Please check your reminders.']);
      },
    );

    it('says both where nothing has changed, and nothing where both have', async () => {
      await both();
      await recover(EIGHT + 10 * MINUTE);
      expect(bodies()).toStrictEqual([
        'It is time for your medicine, and you have an appointment.',
      ]);
      await service().clean();
      const { id, occurrenceId } = await both();
      await act('takeDose', { occurrenceId });
      await act('attendAppointment', { id });
      await recover(EIGHT + 10 * MINUTE);
      expect(bodies()).toStrictEqual([]);
    });
  });

  it.each([
    ['deleted', (id: number) => act('deleteAppointmentReminder', { id })],
    [
      'put at another time',
      (id: number) => act('updateAppointmentReminder', { id, date: '2026-03-10', time: '15:00' }),
    ],
  ])(
    'of several appointments says neither how many nor when where one of them was %s meanwhile',
    async (_what, change) => {
      await begin();
      const first = { dateTime: '2026-03-10T09:00:00', remindBefore: '1h' };
      const id = await makeAppointment(service(), first);
      const second = { dateTime: '2026-03-10T10:00:00', remindBefore: '2h' };
      await makeAppointment(service(), second);
      await until(EIGHT + 2 * MINUTE);
      await change(id);
      await recover(EIGHT + 10 * MINUTE);
      expect(pushes.map(({ body }) => body)).toStrictEqual(['Please check your reminders.']);
    },
  );

  describe('of an appointment that is put at another time', () => {
    const move = (id: number) =>
      act('updateAppointmentReminder', { id, date: '2026-03-10', time: '15:00' });
    const at = (device: string) => `11:00 ${device}: You have an appointment at 15:00.`;

    it('goes to no second device with its old time once the first has got it', async () => {
      await begin();
      await makeDevice(service(), 'tablet');
      answer = (token) => (token.includes('tablet') ? AWAY : DELIVERED);
      const fields = { dateTime: '2026-03-10T12:00:00', remindBefore: '4h' };
      const id = await makeAppointment(service(), fields);
      await until(EIGHT + 2 * MINUTE);
      await move(id);
      await recover(EIGHT + 3 * HOUR + 10 * MINUTE);
      expect(told().slice(1).sort()).toStrictEqual([at('phone'), at('tablet')]);
    });

    it('goes out no more with its old time after a send in flight came to nothing', async () => {
      await begin();
      const fields = { dateTime: '2026-03-10T12:00:00', remindBefore: '4h' };
      const id = await makeAppointment(service(), fields);
      await until(EIGHT);
      service().at(EIGHT + 2 * MINUTE);
      const { deliveries: claimed } = await claimDue(deps, 'expo');
      expect(claimed).toHaveLength(1);
      await move(id);
      await recover(EIGHT + 3 * HOUR + 10 * MINUTE);
      expect(told()).toStrictEqual([at('phone')]);
    });

    it('goes out no more with its old time when that has passed', async () => {
      await begin();
      const id = await makeAppointment(service(), { dateTime: '2026-03-10T08:00:00' });
      await until(EIGHT + 2 * MINUTE);
      await move(id);
      await recover(EIGHT + HOUR);
      expect(told()).toStrictEqual([]);
    });
  });

  it('whose answer is taken back goes out after all, in the time that is left', async () => {
    await begin();
    await makeMedicine(service());
    await until(EIGHT + 2 * MINUTE);
    const occurrenceId = await first();
    await act('takeDose', { occurrenceId });
    await until(EIGHT + 12 * MINUTE);
    expect(await deliveries()).toStrictEqual(['cancelled']);
    await act('undoDose', { occurrenceId });
    await recover(EIGHT + HOUR);
    expect(pushes.map(({ at }) => at)).toStrictEqual(['08:13']);
  });

  it('comes once when they can be again, and not with every repetition that was due meanwhile', async () => {
    await begin();
    await prefer({ renotifyMinutes: 5, renotifyTimes: 4 });
    await makeMedicine(service());
    await until(EIGHT + 17 * MINUTE);
    await recover(EIGHT + 19 * MINUTE);
    expect(await deliveries()).toStrictEqual(['cancelled', 'cancelled', 'cancelled', 'sent']);
    await recover(EIGHT + HOUR);
    expect(pushes.map(({ at }) => at)).toStrictEqual(['08:18', '08:20']);
  });

  it('of an appointment names its day when it may be read on the next one', async () => {
    await begin();
    await makeAppointment(service(), { dateTime: '2026-03-11T23:50:00', remindBefore: '1d' });
    await makeAppointment(service(), { dateTime: '2026-03-12T00:10:00', remindBefore: '20m' });
    service().at(Date.parse('2026-03-10T23:49:00Z'));
    await until(Date.parse('2026-03-11T00:05:00Z'));
    await recover(Date.parse('2026-03-11T00:15:00Z'));
    service().at(Date.parse('2026-03-11T23:39:00Z'));
    await recover(Date.parse('2026-03-11T23:59:00Z'));
    expect(told()).toStrictEqual([
      '00:01 phone: You have an appointment on 11 March at 23:50.',
      '23:50 phone: You have an appointment on 12 March at 00:10.',
    ]);
  });

  describe('that no device gets in time', () => {
    const phoneAway = (token: string) => (token.includes('phone') ? AWAY : DELIVERED);
    const REFUSED: Outcome = { kind: 'refused', code: 'InvalidCredentials' };

    it('is told to carers at once, once, of a medicine and of an appointment', async () => {
      for (const make of [
        () => makeMedicine(service()),
        () => makeAppointment(service(), { dateTime: '2026-03-10T12:00:00', remindBefore: '4h' }),
      ]) {
        await service().clean();
        await begin();
        answer = phoneAway;
        await carer('anna', 'author');
        await make();
        await until(EIGHT + 3 * HOUR);
        const [only, ...others] = told();
        expect(only ?? '').toMatch(/^08:(2[5-9]|3[01]) anna: A reminder could not be sent/);
        expect(others).toStrictEqual([]);
      }
    });

    it('is told to carers at once when the provider refuses it for good', async () => {
      await begin();
      answer = (token) => (token.includes('phone') ? REFUSED : DELIVERED);
      await carer('anna', 'author');
      await makeMedicine(service());
      await until(EIGHT + 3 * HOUR);
      expect(pushes.map(({ at }) => at)).toStrictEqual(['08:01']);
    });

    it('is told to carers when its last repetition did not get through either', async () => {
      await begin();
      answer = phoneAway;
      await prefer({ renotifyMinutes: 10, renotifyTimes: 2 });
      await carer('anna', 'author');
      await makeMedicine(service());
      await until(EIGHT + 3 * HOUR);
      expect(told()).toHaveLength(1);
      expect(told()[0] ?? '').toMatch(/^08:(4[5-9]|5[01]) anna: A reminder could not be sent/);
    });

    it('is not told to carers before the grace time ends when another device got it, or it was answered', async () => {
      for (const [name, expected] of [
        ['another device', ['08:00 tablet', '10:00 anna']],
        ['answered', []],
      ] as const) {
        await service().clean();
        await begin();
        answer = (token) => (token.includes('phone') ? REFUSED : DELIVERED);
        await carer('anna', 'author');
        if (name === 'another device') await makeDevice(service(), 'tablet');
        await makeMedicine(service());
        if (name !== 'another device') answer = phoneAway;
        await until(EIGHT + 5 * MINUTE);
        if (name === 'answered') await act('takeDose', { occurrenceId: await first() });
        await until(EIGHT + 3 * HOUR);
        expect(
          told().map((line) => line.split(':').slice(0, 2).join(':')),
          name,
        ).toStrictEqual(expected);
      }
    });

    it('is not told to carers any more when it is answered before they can be told; taken back, it is', async () => {
      await begin();
      answer = (token) => (token.includes('phone') ? DELIVERED : AWAY);
      await carer('anna', 'author');
      await makeMedicine(service());
      await until(EIGHT + 2 * HOUR);
      const occurrenceId = await first();
      await act('takeDose', { occurrenceId });
      await recover(EIGHT + 2 * HOUR + 10 * MINUTE);
      const carers = () => told().filter((line) => line.includes('anna'));
      expect(carers()).toStrictEqual([]);
      await act('undoDose', { occurrenceId });
      await until(EIGHT + 3 * HOUR);
      expect(carers()).toHaveLength(1);
    });

    it('is told to carers without a number when one of several is answered before they can be told', async () => {
      await begin();
      answer = (token) => (token.includes('phone') ? DELIVERED : AWAY);
      await carer('anna', 'author');
      await makeMedicine(service());
      await makeMedicine(service(), { name: 'Ibuprofen' });
      await until(EIGHT + 2 * HOUR);
      await act('takeDose', { occurrenceId: await first() });
      await recover(EIGHT + 2 * HOUR + 10 * MINUTE);
      expect(told().filter((line) => line.includes('anna'))).toStrictEqual([
        '10:01 anna: The subscriber has not answered a reminder.',
      ]);
    });

    it('is told to nobody who is no carer any more before they can be told, also when an answer is taken back', async () => {
      for (const answered of [false, true]) {
        await service().clean();
        await begin();
        answer = (token) => (token.includes('phone') ? DELIVERED : AWAY);
        await carer('anna', 'author');
        await makeMedicine(service());
        await until(EIGHT + 2 * HOUR);
        const occurrenceId = await first();
        if (answered) await act('takeDose', { occurrenceId });
        if (answered) await until(EIGHT + 2 * HOUR + 10 * MINUTE);
        const { carers } = await service().data('{ carers { id } }');
        await service().data(mutation('endCare', 'deletedCareRelationId'), {
          input: { id: carers[0].id },
        });
        if (answered) await act('undoDose', { occurrenceId });
        await recover(EIGHT + 3 * HOUR);
        expect(told().filter((line) => line.includes('anna'))).toStrictEqual([]);
      }
    });

    it('of an appointment that was late to go out is not told to carers when another device got it', async () => {
      await begin();
      answer = (token) => (token.includes('phone') ? REFUSED : DELIVERED);
      await carer('anna', 'author');
      await makeDevice(service(), 'tablet');
      await makeAppointment(service(), { dateTime: '2026-03-10T12:00:00', remindBefore: '4h' });
      service().at(EIGHT + 40 * MINUTE);
      await until(EIGHT + 5 * HOUR);
      expect(toldWhom()).toStrictEqual(['08:41 tablet']);
    });

    it('is told to carers at once when its only device went to somebody else meanwhile', async () => {
      await begin();
      answer = phoneAway;
      await carer('anna', 'author');
      await makeMedicine(service());
      await until(EIGHT + 2 * MINUTE);
      await makeDevice(service(), 'phone', await makeMember(service()));
      await until(EIGHT + 3 * HOUR);
      expect(toldWhom()).toStrictEqual(['08:04 anna']);
    });

    it('is told to carers at once also when an answer was taken back before', async () => {
      await begin();
      answer = () => DELIVERED;
      await carer('anna', 'author');
      await makeMedicine(service());
      await act('takeDose', { occurrenceId: await first() });
      await act('undoDose', { occurrenceId: await first() });
      service().at(EIGHT + 40 * MINUTE);
      await until(EIGHT + 3 * HOUR);
      expect(toldWhom()).toStrictEqual(['08:42 anna']);
    });

    it('is found in a constant number of statements, and is found by the next process when one dies', async () => {
      const count = async (medicines: number) => {
        await service().clean();
        await begin();
        answer = phoneAway;
        await carer('anna', 'author');
        for (let i = 0; i < medicines; i++)
          await makeMedicine(service(), { startDate: `2026-03-01T08:0${i}:00` });
        service().at(EIGHT);
        answer = (token) => (token.includes('phone') ? REFUSED : DELIVERED);
        for (let i = 0; i < medicines; i++) {
          service().at(EIGHT + i * MINUTE);
          await planDue(deps);
          await handOver(deps);
          await new DeliveryWorker(deps, 'expo').run(going);
        }
        const dying = { ...deps, database: dyingAtCommit(deps.database) };
        await expect(settleUndelivered(dying)).rejects.toThrow();
        const statements = await service().statements(() => settleUndelivered(deps));
        expect(await settleUndelivered(deps)).toBe(0);
        await until(EIGHT + 10 * MINUTE);
        expect(told()).toHaveLength(1);
        expect(told()[0] ?? '').toMatch(medicines === 1 ? /A reminder/ : /4 reminders/);
        return statements;
      };
      expect(await count(4)).toBe(await count(1));
    });
  });
});
