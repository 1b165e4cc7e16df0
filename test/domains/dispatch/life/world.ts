import type { Deps } from '../../../../src/core/deps.js';
import { handOver } from '../../../../src/domains/dispatch/handover.service.js';
import { DeliveryWorker } from '../../../../src/domains/notifications/delivery/delivery.worker.js';
import { planDue } from '../../../../src/domains/reminders/alert/plan-due.service.js';
import type {
  Outcome,
  PushMessage,
  PushTransport,
} from '../../../../src/platform/push/push-transport.js';
import { makeAnswer } from '../../../support/factories.js';
import type { Answer, Caller, Harness } from '../../../support/harness.js';
import { expoToken } from '../../../support/provider.js';
import { appointmentInput, medicineInput } from '../../../support/reminder-input.js';

const going = new AbortController().signal;

/** A push as a device got it. */
export interface Received {
  readonly device: string;
  /** Names the message. */
  readonly message: string;
  readonly type: string;
  readonly occurrences: readonly string[];
  readonly silent: boolean;
}

export interface Shown {
  readonly id: string;
  readonly reminder: number;
  readonly at: number;
  readonly status: string;
}

type Headers = Record<string, string>;
type Noun = 'medicine' | 'appointment';

/** The service as members and their devices see it, at a clock that is set by hand. */
export class World {
  private readonly received: Received[] = [];
  private readonly deps: Deps;

  constructor(
    private readonly service: Harness,
    private readonly workers: number,
  ) {
    const send = async (messages: readonly PushMessage[]): Promise<Outcome[]> =>
      messages.map((message) => this.receive(message));
    const expo: PushTransport = { name: 'recorder', batch: 100, concurrency: 1, send };
    this.deps = { ...service.app.deps, push: { ...service.app.deps.push, expo } };
  }

  private receive({ token, id, data, silent = false }: PushMessage): Outcome {
    const { type, occurrence_ids: occurrences } = data as {
      type?: string;
      occurrence_ids?: string[];
    };
    if (type && occurrences)
      this.received.push({ device: token, message: id, type, occurrences, silent });
    return { kind: 'delivered' };
  }

  get now(): number {
    return this.service.now();
  }

  set now(instant: number) {
    this.service.now = () => instant;
  }

  async account(name: string): Promise<number> {
    return (await this.service.account('subscriber', name)).id;
  }

  async care(memberId: number, carerId: number, right: 'see' | 'edit'): Promise<void> {
    const createdAt = new Date(this.now);
    await makeAnswer(this.service, memberId);
    await this.service.database.prisma.careRelation.create({
      data: { memberId, carerId, right, position: carerId, createdAt },
    });
  }

  async endCare(memberId: number, carerId: number): Promise<void> {
    await this.service.database.prisma.careRelation.deleteMany({ where: { memberId, carerId } });
  }

  /** The instants at which reminders do not come since another dose takes their place. */
  async withheld(): Promise<Map<number, number[]>> {
    const rows = await this.service.database.prisma.reminder.findMany();
    return new Map(rows.map(({ id, withheld }) => [id, withheld.map((at) => at.getTime())]));
  }

  /** A GraphQL request; answers its data, or the code of its refusal. */
  async ask(
    as: string,
    query: string,
    variables: object,
    headers: Headers = {},
    // biome-ignore lint/suspicious/noExplicitAny: bodies are what the tests are about
  ): Promise<{ data?: any; code?: string }> {
    const { body } = await this.service.graphql(query, variables, { as: as as Caller, headers });
    return body.errors ? { code: body.errors[0].extensions.code } : { data: body.data };
  }

  /** A mutation that may be refused: answers the code. */
  async tried(
    as: string,
    name: string,
    type: string,
    input: object,
    selection: string,
    headers: Headers = {},
  ): Promise<string | undefined> {
    return (
      await this.ask(
        as,
        `mutation($input: ${type}!) { ${name}(input: $input) ${selection} }`,
        { input },
        headers,
      )
    ).code;
  }

  async mutate(
    as: string,
    name: string,
    type: string,
    input: object,
    selection: string,
    headers: Headers = {},
  ): Promise<void> {
    expect(await this.tried(as, name, type, input, selection, headers), name).toBeUndefined();
  }

  /** Makes a reminder from the fields of REST: by GraphQL, unless only REST can say them. */
  async create(
    as: string,
    noun: Noun,
    fields: object,
    headers: Headers,
  ): Promise<{ id?: number; code?: string }> {
    const input = INPUTS[noun](camel(fields), true);
    if (!input) {
      const answer = await this.rest(as, 'POST', `/v1/${noun}_reminder`, fields, headers, 'A');
      const refused = refusalOf(answer);
      return refused ? { code: refused } : { id: answer.body.id };
    }
    const name = `create${NOUNS[noun]}Reminder`;
    const query = `mutation($input: Create${NOUNS[noun]}ReminderInput!) { ${name}(input: $input) { reminder { databaseId } } }`;
    const { data, code } = await this.ask(as, query, { input }, headers);
    return code ? { code } : { id: data[name].reminder.databaseId };
  }

  async update(
    as: string,
    noun: Noun,
    id: number,
    fields: object,
    headers: Headers,
  ): Promise<string | undefined> {
    const input = INPUTS[noun](camel(fields), false);
    if (!input)
      return refusalOf(await this.rest(as, 'POST', `/v1/${noun}_reminder/${id}`, fields, headers));
    const type = `Update${NOUNS[noun]}ReminderInput`;
    const name = `update${NOUNS[noun]}Reminder`;
    return this.tried(as, name, type, { id, ...input }, '{ __typename }', headers);
  }

  async rest(
    as: string,
    method: string,
    path: string,
    body: object | undefined,
    headers: Headers,
    edition: 'A' | 'B' = 'B',
  ): Promise<Answer> {
    return this.service.rest(method, path, {
      as: as as Caller,
      edition,
      headers,
      ...(body && { body }),
    });
  }

  async register(as: string, device: string): Promise<void> {
    const { status } = await this.service.rest('POST', '/v1/notify', {
      as: as as Caller,
      body: { push_token: device },
    });
    expect(status).toBe(202);
  }

  async removeDevice(as: string, device: string): Promise<void> {
    const { status } = await this.service.rest(
      'DELETE',
      `/v1/push_token/${encodeURIComponent(device)}`,
      { as: as as Caller },
    );
    expect(status).toBe(200);
  }

  /** What a member's calendar shows from one instant to another, by either face. */
  async calendar(
    as: string,
    from: number,
    to: number,
    graphql: boolean,
    headers: Headers,
  ): Promise<Shown[]> {
    const [first, last] = [new Date(from).toISOString(), new Date(to).toISOString()];
    // GraphQL has days by the clocks of the member: a day more on both sides has all that is asked.
    const days = { from: dateOf(from - DAY), to: dateOf(to + DAY) };
    const between = ({ date_time }: { date_time: string }) =>
      Date.parse(date_time) >= from && Date.parse(date_time) <= to;
    const rows = graphql
      ? (await this.ask(as, CALENDAR, days, headers)).data.calendar.events.filter(between)
      : (
          await this.rest(
            as,
            'GET',
            `/v1/all_events?date_from=${first}&date_to=${last}`,
            undefined,
            headers,
          )
        ).body;
    const orphans = await this.remindersOfDoses();
    return rows.map((row: Row) => ({
      id: row.id,
      reminder: row.reminder_id ?? row.reminder?.databaseId ?? orphans.get(row.id) ?? named(row.id),
      at: Date.parse(row.date_time),
      status: row.status.toLowerCase() + (row.id.startsWith('dose.') ? ' apart' : ''),
    }));
  }

  /** The reminders of logged doses by the names of these: GraphQL shows no deleted reminder. */
  private async remindersOfDoses(): Promise<Map<string, number>> {
    const doses = await this.service.database.prisma.dose.findMany();
    return new Map(doses.map(({ id, reminderId }) => [`dose.${id}`, reminderId ?? 0]));
  }

  /** When a member's medicines come next, by their reminders. */
  async next(as: string, headers: Headers): Promise<Map<number, number | undefined>> {
    const { body } = await this.rest(as, 'GET', '/v1/medicine_reminder', undefined, headers, 'A');
    const rows = body as { id: number; next_occurrence: string | null }[];
    return new Map(
      rows.map(({ id, next_occurrence: next }) => [
        id,
        next === null ? undefined : Date.parse(next),
      ]),
    );
  }

  /**
   * When the service itself looks next: a hint for when to run the jobs, since what it plans
   * wrongly must be seen.
   */
  async nextPlanned(): Promise<number> {
    const query = "SELECT min(due_at) AS due FROM reminder_alert WHERE state = 'planned'";
    const [row] = await this.service.database.query<{ due: Date | null }>(query, []);
    return row?.due?.getTime() ?? Number.POSITIVE_INFINITY;
  }

  /** Runs the jobs, as several processes do; answers what devices got. */
  async round(): Promise<Received[]> {
    const all = (work: () => Promise<number>) =>
      Promise.all(Array.from({ length: this.workers }, work));
    await all(() => planDue(this.deps));
    while ((await all(() => handOver(this.deps))).some((count) => count > 0));
    await all(() => new DeliveryWorker(this.deps, 'expo').run(going));
    return this.received.splice(0);
  }
}

/** An event as the faces show it. */
interface Row {
  readonly id: string;
  readonly reminder_id?: number;
  readonly reminder?: { readonly databaseId: number } | null;
  readonly date_time: string;
  readonly status: string;
}

/** The reminder in the id of an occurrence, also of one that was deleted. */
const named = (id: string) => Number.parseInt(id.split('-')[0] ?? '', 36);

const DAY = 24 * 60 * 60_000;
const dateOf = (instant: number) => new Date(instant).toISOString().slice(0, 10);
const CALENDAR = `query($from: LocalDate, $to: LocalDate) { calendar(from: $from, to: $to) {
  events { id: occurrenceId reminder { databaseId } date_time: startsAt status }
} }`;
const INPUTS = { medicine: medicineInput, appointment: appointmentInput };
const NOUNS = { medicine: 'Medicine', appointment: 'Appointment' };

const camel = (fields: object) =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name.replace(/_(\w)/g, (_, letter) => letter.toUpperCase()),
      value,
    ]),
  );

export const token = expoToken;

/** The code of a refusal over REST, as GraphQL has it; undefined for what was done. */
export function refusalOf({ status, body }: Answer): string | undefined {
  if (status < 300) return undefined;
  const [detail] = Object.values(body.data?.details ?? {}) as { code: string }[];
  return (detail?.code ?? body.code).replace('rest_', '').toUpperCase();
}
