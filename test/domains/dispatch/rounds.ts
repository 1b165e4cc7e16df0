import type { Deps } from '../../../src/core/deps.js';
import { handOver } from '../../../src/domains/dispatch/handover.service.js';
import { DeliveryWorker } from '../../../src/domains/notifications/delivery/delivery.worker.js';
import { registry } from '../../../src/platform/metrics/metrics.js';
import type {
  Outcome,
  PushMessage,
  PushTransport,
} from '../../../src/platform/push/push-transport.js';
import { makeAnswer, makeCarer, makeDevice } from '../../support/factories.js';
import { type Caller, type Harness, mutation, type RoleName } from '../../support/harness.js';
import { expoName } from '../../support/provider.js';
import { roundsAt } from './agenda.js';

export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
/** Before everything that is planned here: the evening before. */
export const EVENING = Date.parse('2026-03-09T20:00:00Z');
export const EIGHT = Date.parse('2026-03-10T08:00:00Z');
export const going = new AbortController().signal;

/** A push as a device got it. */
export interface Push {
  at: string;
  token: string;
  title: string;
  body: string;
  data: Record<string, unknown>;
  id: string;
  ttl: number;
  silent: boolean;
}

/** A member with reminders, and the jobs that hand them over to a recorder of pushes. */
export function rounds(service: () => Harness) {
  const pushes: Push[] = [];
  let deps: Deps;

  const clock = () => new Date(service().now()).toISOString().slice(11, 16);
  /** A member, with a device, at a clock that stands still. */
  const begin = async (now = EVENING) => {
    service().at(now);
    pushes.length = 0;
    const transport: PushTransport = {
      name: 'recorder',
      batch: 100,
      concurrency: 1,
      send: async (messages: readonly PushMessage[]): Promise<Outcome[]> =>
        messages.map(({ token, title, body, data, id, ttl, silent = false }) => {
          pushes.push({ at: clock(), token, title, body, data: { ...data }, id, ttl, silent });
          return { kind: 'delivered' };
        }),
    };
    deps = { ...service().app.deps, push: { ...service().app.deps.push, expo: transport } };
    await makeDevice(service());
  };
  const prefer = (input: object, as: Caller = 'subscriber') =>
    service().data(
      'mutation($input: UpdateNotificationPreferenceInput!) { updateNotificationPreference(input: ' +
        '$input) { notificationPreference { quietStart } } }',
      { input },
      as,
    );
  const first = async (day = '2026-03-10'): Promise<string> =>
    (
      await service().data(
        'query($from: LocalDate) { calendar(from: $from, to: $from) { events { occurrenceId } } }',
        {
          from: day,
        },
      )
    ).calendar.events[0].occurrenceId;
  const act = (what: string, input: object) =>
    service().data(mutation(what, '__typename'), { input });
  const carry = async () => handOver(deps);
  /** What one round of the jobs sends. */
  const round = async (): Promise<Push[]> => {
    const before = pushes.length;
    await carry();
    await new DeliveryWorker(deps, 'expo').run(going);
    return pushes.slice(before);
  };
  /** Lets the jobs run every few minutes until an instant. */
  const until = async (end: number, step = 5 * MINUTE) => {
    const instants: number[] = [];
    for (let now = service().now() + step; now <= end; now += step) instants.push(now);
    await roundsAt(instants, service().database, async (now) => {
      service().at(now);
      await round();
    });
    return pushes;
  };
  const told = () => pushes.map(({ at, token, body }) => `${at} ${expoName(token)}: ${body}`);
  const states = async (cause: string | { not: string } = { not: 'carers' }) => {
    const rows = await service().database.prisma.reminderAlert.findMany({
      where: { cause },
      orderBy: [{ dueAt: 'asc' }, { id: 'asc' }],
    });
    return rows.map(({ dueAt, state }) => `${dueAt.toISOString().slice(8, 16)} ${state}`);
  };
  const carer = async (name: string, role: RoleName, { right = 'see', position = 1 } = {}) => {
    const { id: carerId } = await service().account(role, name);
    const { id: memberId } = await service().account('subscriber');
    await makeAnswer(service(), memberId);
    await makeCarer(service(), { memberId, carerId, right, position });
    await makeDevice(service(), name, name as Caller);
  };
  /**
   * Members m1, m2, and so on, each with as many reminders of EIGHT, far from one another in the
   * order in which they are due.
   */
  const crowd = async (members: number, reminders: number) => {
    const { prisma } = service().database;
    await prisma.$executeRaw`
      INSERT INTO account (username, username_key, name, slug, roles)
      SELECT 'm' || i, 'm' || i, 'm', 'm' || i, '{subscriber}' FROM generate_series(1, ${members}::int) i`;
    await prisma.$executeRaw`
      INSERT INTO reminder (kind, account_id, creator_id, name, frequency_type, scheduled, recognized, follows, zone, zone_source, start_local,
        times, times_source, created_at, updated_at)
      SELECT r.kind, a.id, a.id, 'x', r.frequency_type, true, true, true, r.zone, r.zone_source, r.start_local, r.times, r.times_source, now(), now()
      FROM generate_series(1, ${reminders}::int) i, account a, reminder r
      WHERE a.username LIKE 'm%' AND r.id = 1 ORDER BY i, md5(a.id::text || i)`;
    await prisma.$executeRaw`
      INSERT INTO reminder_alert (reminder_id, account_id, cause, planned_at, due_at, local_time)
      SELECT id, account_id, 'due', ${new Date(EIGHT)}, ${new Date(EIGHT)}, '' FROM reminder WHERE id > 1 ORDER BY id`;
  };
  const metric = async (name: string) => {
    const line = (await registry.metrics()).split('\n').find((text) => text.startsWith(`${name} `));
    return Number(line?.split(' ').at(-1) ?? 0);
  };
  return {
    deps: () => deps,
    /** Lets the jobs log elsewhere. */
    logTo: (log: Deps['log']) => {
      deps = { ...deps, log };
    },
    pushes,
    begin,
    prefer,
    first,
    act,
    carry,
    round,
    until,
    told,
    states,
    carer,
    crowd,
    metric,
  };
}
