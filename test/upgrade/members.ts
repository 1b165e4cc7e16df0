// Members who use the service all the time on both faces, and what it answered and pushed to them.
import { setTimeout as sleep } from 'node:timers/promises';
import { expoToken, Provider, type Received, type Reply, tickets } from '../support/provider.js';

const MEMBERS = 8;
/** Milliseconds between what one member does. */
const PAUSE = 120;
/** Seconds from making a reminder until it comes: one that lies in the past when it is made never comes. */
const COMES_AFTER = 12;
/** Seconds after which all that was due has been pushed, also on a machine that has other things to do. */
const PUSHED_AFTER = 45;
const JSON_TYPE = { 'content-type': 'application/json' };
const PASSWORD = 'correct horse battery';
const EVENTS = '{ calendar { events { occurrenceId title ... on DoseEvent { answeredAt } } } }';

/** One request: when it was sent, in milliseconds of `performance.now`, and how long it took. */
export interface Timed {
  readonly at: number;
  readonly took: number;
}

interface Member {
  readonly headers: Readonly<Record<string, string>>;
  /** Names of the reminders that the service said it made. */
  readonly made: string[];
  /** Occurrences that were pushed, and not taken yet. */
  readonly due: string[];
  /** Occurrences that the service said were taken. */
  readonly taken: string[];
}

interface Event {
  readonly occurrenceId: string;
  readonly title: string;
  readonly answeredAt: string | null;
}

export class Members {
  /** What was not answered as it should be. */
  readonly failures: string[] = [];
  readonly requests: Timed[] = [];
  /** Tokens that are none of theirs, and were pushed to: of devices that were there before. */
  readonly others: string[] = [];
  readonly #members: Member[] = [];
  readonly #pushed = new Map<string, string[]>();
  readonly #over = new AbortController();
  #working: Promise<unknown> = Promise.resolve();

  private constructor(readonly provider: Provider) {}

  static async make(): Promise<Members> {
    const members: Members = new Members(
      await Provider.start((request): Reply => members.#onPush(request)),
    );
    return members;
  }

  /** Signs members up, each with a device, and lets them begin. */
  async begin(url: string): Promise<void> {
    for (let i = 0; i < MEMBERS; i++) {
      const anonymous = { headers: JSON_TYPE };
      const email = `member${i}-${process.pid}@example.com`;
      const signUp = `mutation { signUp(input: { email: "${email}", password: "${PASSWORD}", language: 1 }) { token } }`;
      const { data } = await this.#graphql(url, anonymous, signUp);
      const member = {
        headers: { ...JSON_TYPE, authorization: `Bearer ${data.signUp.token}` },
        made: [],
        due: [],
        taken: [],
      };
      const register = `mutation { registerDevice(input: { token: "${tokenOf(i)}" }) { device { id } } }`;
      await this.#graphql(url, member, register);
      this.#members.push(member);
    }
    this.#working = Promise.all(this.#members.map((member, i) => this.#live(url, member, i)));
  }

  /**
   * Lets them do no more, once one of them has taken a dose. Resolves when all that they made has been
   * pushed, or has had the time to.
   */
  async end(): Promise<void> {
    const haveTaken = () => this.#members.some(({ taken }) => taken.length > 0);
    for (let second = 0; second < PUSHED_AFTER && !haveTaken(); second++) await sleep(1_000);
    this.#over.abort();
    await this.#working;
    const made = this.#members.flatMap((member) => member.made).length;
    for (let second = 0; second < PUSHED_AFTER && this.#pushed.size < made; second++)
      await sleep(1_000);
    await sleep(2_000); // for what should not come
  }

  /** Compares what each of them has with what the service has told them. */
  async check(url: string): Promise<{ readonly reminders: number; readonly taken: number }> {
    for (const [i, member] of this.#members.entries()) {
      const listed = await this.#ask(url, member, '/v3/api/v1/medicine_reminder?per_page=100');
      const names = (JSON.parse(listed) as { name: string }[]).map(({ name }) => name);
      expect(names.sort(), `reminders of member ${i}`).toStrictEqual([...member.made].sort());
      const { data } = await this.#graphql(url, member, EVENTS);
      const events: Event[] = data.calendar.events;
      expect(events.map(({ title }) => title).sort()).toStrictEqual(names);
      const taken = events
        .filter(({ answeredAt }) => answeredAt)
        .map((event) => event.occurrenceId);
      expect(taken.sort(), `taken by member ${i}`).toStrictEqual([...member.taken].sort());
      const pushes = events.map((event) => [event.title, this.#pushed.get(event.occurrenceId)]);
      const once = events.map((event) => [event.title, [tokenOf(i)]]);
      expect(pushes, `pushes to member ${i}`).toStrictEqual(once);
    }
    const all = (of: 'made' | 'taken') => this.#members.flatMap((member) => member[of]).length;
    expect(this.#pushed.size).toBe(all('made'));
    return { reminders: all('made'), taken: all('taken') };
  }

  /** Does one thing after the other, until it is over. */
  async #live(url: string, member: Member, i: number): Promise<void> {
    const acts = [
      () => this.#ask(url, { headers: {} }, '/api/v1/posts'),
      () => this.#make(url, member, i),
      () => this.#graphql(url, member, EVENTS),
      () => this.#take(url, member),
      () =>
        this.#graphql(url, member, '{ notifications(first: 10) { totalCount nodes { title } } }'),
    ];
    for (let n = i; !this.#over.signal.aborted; n++) {
      await acts[n % acts.length]?.().catch((error) => this.failures.push(String(error)));
      await sleep(PAUSE);
    }
  }

  async #make(url: string, member: Member, i: number): Promise<void> {
    const name = `medicine ${i} ${member.made.length}`;
    const due = new Date(Math.ceil(Date.now() / 1_000 + COMES_AFTER) * 1_000).toISOString();
    const body = JSON.stringify({ name, frequency_type: 'once', start_date: due });
    await this.#ask(url, member, '/v3/api/v1/medicine_reminder', body);
    member.made.push(name);
  }

  /** Takes the dose that was pushed last, and leaves the one before. */
  async #take(url: string, member: Member): Promise<void> {
    const occurrence = member.due.pop();
    if (!occurrence) return;
    member.due.pop();
    const take = `mutation { takeDose(input: { occurrenceId: "${occurrence}" }) { event { id } } }`;
    await this.#graphql(url, member, take);
    member.taken.push(occurrence);
  }

  async #graphql(url: string, member: Pick<Member, 'headers'>, query: string) {
    const response = JSON.parse(
      await this.#ask(url, member, '/graphql', JSON.stringify({ query })),
    );
    if (response.errors) throw new Error(`${query}: ${JSON.stringify(response.errors)}`);
    return response;
  }

  /** Returns the body of a response. Throws unless it is one of success. */
  async #ask(
    url: string,
    { headers }: Pick<Member, 'headers'>,
    path: string,
    body?: string,
  ): Promise<string> {
    const at = performance.now();
    const response = await fetch(url + path, { headers, ...(body && { method: 'POST', body }) });
    const text = await response.text();
    this.requests.push({ at, took: performance.now() - at });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`);
    return text;
  }

  #onPush(request: Received): Reply {
    if (request.path.endsWith('/getReceipts')) return { body: { data: {} } };
    for (const { to, data } of request.json) {
      const member = this.#members.find((_, i) => tokenOf(i) === to);
      if (!member) {
        this.others.push(to);
        continue;
      }
      for (const id of data.occurrence_ids ?? []) {
        this.#pushed.set(id, [...(this.#pushed.get(id) ?? []), to]);
        member.due.push(id);
      }
    }
    return tickets(request);
  }
}

const tokenOf = (i: number) => expoToken(`member${i}`);
