import { expoName } from '../../../support/provider.js';
import { DAY, instantByIntl, offsetByIntl } from '../../reminders/schedule/walk.js';
import { Doing, iso, keyOf, type Person, type Sent } from './doing.js';
import { type Coming, type Event, type Push } from './model.js';
import { Oracle } from './oracle.js';
import { zoneOf } from './plan.js';
import { type Life, type Step, type Wait } from './script.js';
import { type Received, World } from './world.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** A life is not longer than this. */
const LONGEST = 9 * DAY;
/** 36 hours are planned ahead, and 24 made up for. */
const LONGEST_STANDSTILL = 59 * HOUR;
/**
 * How far the calendars that are compared reach, before the beginning and after now; no end of
 * theirs is a midnight, which would be a day.
 */
const [BEFORE, AFTER] = [40 * HOUR + 30_000, 50 * HOUR + 30_000];

/**
 * Lives a life in the service and in the oracle at once, and compares what there is to see at every
 * step.
 */
export class Living {
  private readonly begin: number;
  /** Nobody looks further ahead. */
  private readonly end: number;
  private readonly oracle: Oracle;
  private readonly people: Person[] = [];
  private anna!: Person;
  /** When the jobs ran last. */
  private looked: number;
  private readonly sent = new Map<number, Sent>();
  /** What the calendar named occurrences: by reminder and instant. */
  private readonly names = new Map<string, string>();
  private readonly messages = new Set<string>();
  private readonly diary: string[] = [];

  constructor(
    private readonly life: Life,
    private readonly world: World,
  ) {
    const { zone, day, minute } = life.begins;
    this.begin = instantByIntl(Date.parse(`${day}T00:00Z`) + minute * MINUTE, zone);
    this.end = this.begin + LONGEST + 5 * DAY;
    this.oracle = new Oracle(this.begin - 3 * DAY, this.end);
    world.now = this.begin;
    this.looked = this.begin;
  }

  async live(): Promise<void> {
    try {
      await this.arrive();
      for (const step of this.life.steps) {
        if (this.now > this.begin + LONGEST) break;
        await this.wait(step.wait, this.person(step), step.jobs);
        await this.act(step);
        await this.learnWithheld();
        await this.look(step.graphql);
        await this.lookAhead(this.person(step));
      }
      await this.advance(this.now + 27 * HOUR, true);
      await this.look(true);
      for (const person of this.people) await this.count(person);
    } catch (error) {
      if (error instanceof Error)
        error.message = `${error.message}\n\nWhat happened (UTC):\n${this.diary.join('\n')}`;
      throw error;
    }
  }

  private get now(): number {
    return this.world.now;
  }

  private note(what: string): void {
    this.diary.push(`${new Date(this.now).toISOString().slice(0, 23)} ${what}`);
  }

  private person({ who }: Pick<Step, 'who'>): Person {
    return this.people[who] as Person;
  }

  /**
   * Mina, for whom Noah and Anna care, and Noah, for whom Anna does; with their first medicines.
   */
  private async arrive(): Promise<void> {
    const { zone } = this.life.begins;
    for (const name of ['mina', 'noah', 'anna']) {
      const id = await this.world.account(name);
      const usual = new Map<number, readonly string[]>();
      const person: Person = {
        id,
        name,
        usual,
        repeat: { minutes: null, times: 0 },
        tellCarers: true,
        carers: new Set(),
        devices: new Set(),
      };
      if (name === 'anna') this.anna = person;
      else this.people.push(person);
    }
    for (const person of [...this.people, this.anna])
      await this.act({ act: { do: 'register', device: 0 } }, person);
    const [mina, noah] = this.people as [Person, Person];
    for (const [member, carer, right] of [
      [mina, noah, 'edit'],
      [mina, this.anna, 'see'],
      [noah, this.anna, 'see'],
    ] as const) {
      await this.world.care(member.id, carer.id, right);
      member.carers.add(carer);
    }
    for (const [who, { knows, first }] of this.life.members.entries()) {
      const person = this.person({ who });
      if (knows === 'profile') await this.act({ who, act: { do: 'fly', zone } });
      if (knows === 'header') person.phone = zone;
      for (const medicine of first) await this.act({ who, act: { do: 'make', ...medicine } });
    }
  }

  /** Lets time pass until the jobs have looked at everything that is due by then. */
  private async advance(to: number, jobs: boolean): Promise<void> {
    const runs = jobs || to - this.looked > LONGEST_STANDSTILL;
    if (!runs && to > this.now)
      this.note(`the jobs stand still until ${new Date(to).toISOString()}`);
    while (runs) {
      const [due = to] = this.oracle.due(this.now - this.life.lag, to);
      const looks = Math.max(
        this.now,
        Math.min(due, await this.world.nextPlanned(), this.now + 6 * HOUR) + this.life.lag,
      );
      if (looks > to) break;
      const late = looks === this.now;
      this.world.now = looks;
      await this.round();
      if (late && looks >= to) break;
    }
    this.world.now = to;
  }

  private async wait(wait: Wait, person: Person, jobs: boolean): Promise<void> {
    const due = 'next' in wait ? this.oracle.due(this.now, this.now + 2 * DAY, person) : [];
    const to =
      'minutes' in wait
        ? this.now + wait.minutes * MINUTE
        : (due[Math.min(wait.next, due.length - 1)] ?? this.now + 6 * HOUR) + wait.shift;
    await this.advance(Math.max(this.now, to), jobs);
  }

  private async round(): Promise<void> {
    this.looked = this.now;
    const received = await this.world.round();
    const { must, may } = this.oracle.round(this.now);
    if (received.some(({ occurrences }) => occurrences.some((id) => !this.isKnown(id))))
      for (const person of this.people) await this.learnNames(person);
    const got = received.flatMap((one) => one.occurrences.map((id) => this.lineOf(one, id)));
    for (const line of got) this.note(`  ${line}`);
    const optional = new Set(may.map(line).filter((one) => got.includes(one)));
    const expected = [...new Set([...must.map(line), ...optional])].sort();
    expect(got.sort(), `pushes at ${new Date(this.now).toISOString()}`).toStrictEqual(expected);
    this.compareMessages(received);
  }

  /** A message is sent once to each device, and says the same on all of them. */
  private compareMessages(received: readonly Received[]): void {
    const said = new Map<string, string>();
    for (const { message, device, ...content } of received) {
      const text = JSON.stringify(content);
      expect(this.messages.has(message), `message ${message} comes again`).toBe(false);
      expect(said.get(message) ?? text).toBe(text);
      said.set(message, text);
    }
    for (const message of said.keys()) this.messages.add(message);
  }

  private isKnown = (id: string) => [...this.names.values()].includes(id);

  private lineOf({ device, type, silent }: Received, id: string): string {
    const [key] = [...this.names].find(([, known]) => known === id) ?? [];
    if (!key) throw new Error(`${id} was pushed, but is on no calendar`);
    const notice = type === 'dose_missed' || type === 'reminder_unsent';
    return textOf(device, key, notice, silent);
  }

  /** Learns what the calendar names occurrences, and that they keep their names. */
  private async learnNames(person: Person, graphql = true) {
    const headers = this.headers(person);
    const shown = await this.world.calendar(
      person.name,
      this.begin - BEFORE,
      this.now + AFTER,
      graphql,
      headers,
    );
    for (const { id, reminder, at, status } of shown) {
      if (status.endsWith('apart')) continue;
      const key = keyOf(reminder, at);
      expect(id, 'an occurrence keeps its id').toBe(this.names.get(key) ?? id);
      this.names.set(key, id);
    }
    return shown;
  }

  /** Asks which doses are withheld. */
  private async learnWithheld(): Promise<void> {
    const withheld = await this.world.withheld();
    for (const reminder of this.oracle.reminders)
      this.oracle.withhold(reminder, withheld.get(reminder.id) ?? []);
  }

  private headers({ phone }: Person): Record<string, string> {
    return phone ? { 'time-zone': phone } : {};
  }

  /** Compares the calendars. */
  private async look(graphql: boolean): Promise<void> {
    for (const person of this.people) {
      const shown = await this.learnNames(person, graphql);
      const actual = shown.filter(({ status }) => !SILENT.has(status)).map(eventLine);
      const expected = this.oracle
        .calendar(person, this.now, this.begin - BEFORE, this.now + AFTER + 1)
        .map(eventLine);
      expect(
        actual.sort(),
        `the calendar of ${person.name} at ${new Date(this.now).toISOString()}`,
      ).toStrictEqual(expected.sort());
    }
  }

  /** Compares what reminders say of when they come next. */
  private async lookAhead(person: Person): Promise<void> {
    const shown = await this.world.next(person.name, this.headers(person));
    for (const reminder of this.oracle.reminders.filter(({ id }) => shown.has(id))) {
      const next = shown.get(reminder.id);
      const expected = this.oracle.next(reminder, this.now);
      if (expected !== undefined || (next !== undefined && next < this.end))
        expect(next && iso(next), `the next of ${reminder.id}`).toBe(expected && iso(expected));
    }
  }

  /** Compares the adherence. */
  private async count(person: Person): Promise<void> {
    const zone = zoneOf(person);
    const dayAt = (at: number) => Math.floor((at + offsetByIntl(at, zone)) / DAY) * DAY;
    const [first, last] = [dayAt(this.begin - BEFORE), dayAt(this.now)];
    const from = instantByIntl(first, zone);
    const to = Math.min(instantByIntl(last + DAY, zone), this.now + DAY) - 1;
    const query =
      'query($from: LocalDate, $to: LocalDate) { adherence(from: $from, to: $to) { taken skipped missed ' +
      'asNeeded } }';
    const { data } = await this.world.ask(person.name, query, {
      from: new Date(first).toISOString().slice(0, 10),
      to: new Date(last).toISOString().slice(0, 10),
    });
    const medicines = new Set(
      this.oracle.reminders.filter(({ appointment }) => !appointment).map(({ id }) => id),
    );
    const events = this.oracle
      .calendar(person, this.now, from, to + 1)
      .filter(({ reminder }) => medicines.has(reminder));
    const counts = (wanted: string) => events.filter(({ status }) => status === wanted).length;
    const expected = {
      taken: counts('taken'),
      skipped: counts('skipped'),
      missed: counts('missed'),
      asNeeded: counts('taken apart'),
    };
    expect({ ...data.adherence }, `the adherence of ${person.name}`).toStrictEqual(expected);
  }

  /* What members do. */

  private async act(
    { who = 0, carer = false, graphql = true, act }: Partial<Step> & Pick<Step, 'act'>,
    person = this.person({ who }),
  ): Promise<void> {
    const [mina, noah] = this.people;
    const as = carer && person === mina && noah ? noah : person;
    const others = [...this.people, this.anna].filter((one) => one !== person);
    const doing = new Doing(
      this.world,
      this.oracle,
      person,
      as,
      graphql,
      this.sent,
      others,
      (what) => this.note(what),
    );
    this.note(`${as.name}${as === person ? '' : ` for ${person.name}`}: ${JSON.stringify(act)}`);
    if ('dose' in act) {
      await this.learnNames(person);
      const nameOf = ({ reminder, at }: Coming) => this.names.get(keyOf(reminder.id, at)) ?? '';
      return doing.answer(act, this.dose(person, act.dose), nameOf);
    }
    if (act.do === 'carer joins' || act.do === 'carer leaves')
      return doing.care(this.anna, act.do === 'carer joins');
    return doing.act(act);
  }

  /** The nth dose before now (0 and below) or after it. */
  private dose(person: Person, number: number): Coming | undefined {
    const doses = this.oracle
      .doses(person)
      .filter(({ at }) => at > this.begin - BEFORE && at < this.now + AFTER);
    const passed = doses.filter(({ at }) => at <= this.now).length;
    return doses[passed + number - 1];
  }
}

const textOf = (device: string, key: string, notice: boolean, silent: boolean) =>
  `${expoName(device)} gets ${key}${notice ? ', which was missed' : ''}${silent ? ', silently' : ''}`;
const line = ({ device, reminder, at, notice, silent }: Push) =>
  textOf(device, keyOf(reminder, at), notice, silent);
/** How an event stands that is neither to be told nor to be answered. */
const SILENT: ReadonlySet<string> = new Set(['unrecognized', 'withheld']);
const eventLine = ({ reminder, at, status }: Event) => `${keyOf(reminder, at)} ${status}`;
