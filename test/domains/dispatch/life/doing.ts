import { DAY, offsetByIntl } from '../../reminders/schedule/walk.js';
import { type Frequency, frequencyOf } from './frequency.js';
import { type Asked, type Coming, type Member, type Reminder } from './model.js';
import { Oracle } from './oracle.js';
import { appointedAt, isRefused, taught, zoneOf } from './plan.js';
import { type Act, type Answer, type Said, say, type When } from './script.js';
import { refusalOf, token, World } from './world.js';

const MINUTE = 60_000;

/** What was sent of a reminder, to tell what an edit changes. */
export interface Sent {
  /** The texts of the fields. */
  readonly texts: Record<string, string | undefined>;
  frequency?: string;
  start?: Said | undefined;
  end?: Said | undefined;
}

/** A member with a phone, which sends the zone that it is in, or does not. */
export interface Person extends Member {
  phone?: string | undefined;
}

export const iso = (at: number) => new Date(at).toISOString().slice(0, 19);
export const keyOf = (reminder: number, at: number) => `${reminder} of ${iso(at)}`;

/** One thing that somebody does for a member, in the service and in the oracle. */
export class Doing {
  constructor(
    private readonly world: World,
    private readonly oracle: Oracle,
    private readonly member: Person,
    private readonly as: Person,
    private readonly graphql: boolean,
    private readonly sent: Map<number, Sent>,
    private readonly others: readonly Person[],
    private readonly note: (what: string) => void,
  ) {}

  private get now(): number {
    return this.world.now;
  }

  private get own(): boolean {
    return this.as === this.member;
  }

  /** The zone that the request tells of the member. */
  private get header(): string | undefined {
    return this.own ? this.member.phone : undefined;
  }

  private get headers(): Record<string, string> {
    return this.as.phone ? { 'time-zone': this.as.phone } : {};
  }

  private say(when: When | null | undefined): Said | undefined {
    return when ? say(when, this.now, zoneOf(this.member, this.header)) : undefined;
  }

  private get today(): number {
    const zone = zoneOf(this.member, this.header);
    return Math.floor((this.now + offsetByIntl(this.now, zone)) / DAY) * DAY;
  }

  async act(act: Act): Promise<void> {
    switch (act.do) {
      case 'make':
        return this.make({
          frequency: frequencyOf(act.frequency, this.today),
          start: this.say(act.start),
          end: this.say(act.end),
        });
      case 'edit': {
        const changes = {
          frequency: act.frequency && frequencyOf(act.frequency, this.today),
          end: act.end === null ? null : this.say(act.end),
        };
        return this.edit(act.which, changes, act.start);
      }
      case 'rename':
        return this.rename(act.which);
      case 'delete':
        return this.delete(act.which);
      case 'invite':
        return this.make(
          { frequency: 'appointment', start: this.say(act.at), end: undefined },
          act.lead,
        );
      case 'reinvite':
        return this.reinvite(act.which, this.say(act.at), act.lead);
      case 'attend':
        return this.attend(act.which, act.attended);
      case 'fly':
        return this.fly(act.zone);
      case 'forget zone':
        return this.forgetZone();
      case 'retime':
        return this.retime(act.times);
      case 'log':
        return this.log(act.which);
      case 'register':
      case 'remove':
      case 'suspend':
      case 'hand on':
        return this.device(act.do, act.device);
      case 'repeat':
        await this.prefer({ renotifyMinutes: act.minutes, renotifyTimes: act.times });
        this.member.repeat = { minutes: act.minutes, times: act.times };
        return;
      case 'quiet':
        await this.prefer({ quietStart: act.from, quietEnd: act.to });
        this.member.quiet = act.from && act.to ? { from: act.from, to: act.to } : undefined;
        return;
      case 'tell carers':
        await this.prefer({ missedToCarers: act.tell });
        this.member.tellCarers = act.tell;
        return;
      default:
        return;
    }
  }

  private async make(asked: Asked, lead = 0): Promise<void> {
    const { frequency, start, end } = asked;
    const medicine = frequency !== 'appointment';
    const texts: Sent['texts'] = medicine
      ? { name: 'm', frequency_type: frequency.text, start_date: start?.text, end_date: end?.text }
      : { title: 'a', date_time: start?.text, remind_before: lead ? String(lead) : undefined };
    const { code, id } = await this.create(medicine ? 'medicine' : 'appointment', texts);
    const learned = this.own
      ? taught(this.member, this.now, this.header, [start, end])
      : this.member.learned;
    expect(code).toBe(
      isRefused({ ...this.member, learned }, this.now, asked, this.header)
        ? 'END_BEFORE_START'
        : undefined,
    );
    if (!id) return;
    if (this.own) this.oracle.learn(this.member, this.now, this.header, [start, end]);
    this.oracle.make(id, this.member, this.now, asked, this.header, lead * MINUTE);
    this.sent.set(id, { texts, ...(medicine && { frequency: frequency.text }), start, end });
    this.note(`  is ${id}`);
  }

  private async create(
    noun: 'medicine' | 'appointment',
    body: Record<string, string | undefined>,
  ): Promise<{ id?: number; code?: string | undefined }> {
    if (this.graphql)
      return this.world.create(
        this.as.name,
        noun,
        { ...body, ...(!this.own && { user_id: this.member.id }) },
        this.headers,
      );
    const sent = { ...body, ...(!this.own && { user_id: this.member.id }) };
    const answer = await this.world.rest(
      this.as.name,
      'POST',
      `/v1/${noun}_reminder`,
      sent,
      this.headers,
      'A',
    );
    return { id: answer.body.id, code: refusalOf(answer) };
  }

  /**
   * The fields of a reminder after a change, if it is one; a change that changes nothing leaves
   * everything alone.
   */
  private changed(id: number, body: Sent['texts']): Sent['texts'] | undefined {
    const before = this.sent.get(id)?.texts ?? {};
    const sent = Object.entries(body).filter(([, text]) => text !== undefined);
    return sent.some(([name, text]) => before[name] !== text)
      ? { ...before, ...Object.fromEntries(sent) }
      : undefined;
  }

  private which(number: number, appointment: boolean): Reminder | undefined {
    const all = this.oracle.reminders.filter(
      (one) => one.member === this.member && one.appointment === appointment && !one.deleted,
    );
    return all[number % all.length];
  }

  private async change(
    noun: 'medicine' | 'appointment',
    id: number,
    body: Record<string, string | undefined>,
  ): Promise<string | undefined> {
    if (this.graphql) return this.world.update(this.as.name, noun, id, body, this.headers);
    return refusalOf(
      await this.world.rest(this.as.name, 'POST', `/v1/${noun}_reminder/${id}`, body, this.headers),
    );
  }

  private async edit(
    number: number,
    { frequency, end }: { frequency: Frequency | undefined; end: Said | null | undefined },
    when: When | 'the same' | undefined,
  ): Promise<void> {
    const reminder = this.which(number, false);
    if (!reminder) return;
    const { id } = reminder;
    const before = this.sent.get(id) as Sent;
    const start = when === 'the same' ? before.start : this.say(when);
    this.note(
      `  edits ${id}: ${JSON.stringify({ frequency: frequency?.text, start: start?.text, end: end === null ? '' : end?.text })}`,
    );
    const body = {
      name: 'e',
      frequency_type: frequency?.text,
      start_date: start?.text,
      end_date: end === null ? '' : end?.text,
    };
    const code = await this.change('medicine', id, body);
    if (code === 'END_BEFORE_START') return;
    expect(code).toBeUndefined();
    const texts = this.changed(id, body);
    if (!texts) return;
    const given = {
      ...(frequency?.text !== before.frequency && { frequency }),
      ...(start?.text !== before.start?.text && { start }),
      ...(end !== undefined && end?.text !== before.end?.text && { end }),
    };
    if (this.own)
      this.oracle.learn(this.member, this.now, this.header, [given.start, given.end ?? undefined]);
    this.oracle.edit(reminder, this.now, given, this.header);
    this.sent.set(id, {
      texts,
      frequency: frequency?.text ?? before.frequency ?? '',
      start: start ?? before.start,
      end: end === undefined ? before.end : (end ?? undefined),
    });
  }

  private async rename(number: number): Promise<void> {
    const reminder = this.which(number, false);
    if (!reminder) return;
    const body = { name: 'renamed' };
    expect(await this.change('medicine', reminder.id, body)).toBeUndefined();
    const texts = this.changed(reminder.id, body);
    if (!texts) return;
    this.sent.set(reminder.id, { ...(this.sent.get(reminder.id) as Sent), texts });
    if (this.own) this.oracle.learn(this.member, this.now, this.header, []);
  }

  private async delete(number: number): Promise<void> {
    const reminder = this.which(number, number === 3) ?? this.which(number, false);
    if (!reminder) return;
    this.note(`  deletes ${reminder.id}`);
    const noun = reminder.appointment ? 'appointment' : 'medicine';
    const { status } = await this.world.rest(
      this.as.name,
      'DELETE',
      `/v1/${noun}_reminder/${reminder.id}`,
      undefined,
      this.headers,
    );
    expect(status).toBe(200);
    reminder.deleted = true;
    reminder.deletedAt = this.now;
  }

  private async reinvite(
    number: number,
    start: Said | undefined,
    lead: number | undefined,
  ): Promise<void> {
    const reminder = this.which(number, true);
    if (!reminder) return;
    const body = {
      title: 'b',
      date_time: start?.text,
      remind_before: lead === undefined ? undefined : String(lead),
    };
    this.note(`  edits ${reminder.id}: ${JSON.stringify(body)}`);
    expect(await this.change('appointment', reminder.id, body)).toBeUndefined();
    const texts = this.changed(reminder.id, body);
    if (!texts) return;
    const before = this.sent.get(reminder.id);
    const given = {
      ...(start && start.text !== before?.start?.text && { start }),
      ...(lead !== undefined && { lead: lead * MINUTE }),
    };
    if (this.own) this.oracle.learn(this.member, this.now, this.header, [given.start]);
    this.oracle.edit(reminder, this.now, given, this.header);
    this.sent.set(reminder.id, { texts, start: start ?? before?.start });
  }

  private async attend(number: number, attended: boolean): Promise<void> {
    const reminder = this.which(number, true);
    if (!reminder) return;
    const input = { id: reminder.id, attended };
    const code = await this.world.tried(
      this.as.name,
      'attendAppointment',
      'AttendAppointmentInput',
      input,
      '{ event { id } }',
    );
    const early = attended && appointedAt(reminder) > this.now + DAY;
    expect(code).toBe(early ? 'TOO_EARLY' : undefined);
    if (early) return;
    reminder.attended = attended;
    if (!attended) this.oracle.unattend(reminder, this.now);
  }

  /** The profile says so, or the phone does, from the next request that changes a reminder on. */
  private async fly(timeZone: string): Promise<void> {
    if (this.member.phone) {
      this.member.phone = timeZone;
      return;
    }
    const memberId = this.own ? undefined : this.member.id;
    if (this.graphql || memberId)
      await this.mutate(
        'updateCareSettings',
        'UpdateCareSettingsInput',
        { timeZone, memberId },
        '{ careSettings { timeZone } }',
      );
    else
      await this.mutate('updateProfile', 'UpdateProfileInput', { timeZone }, '{ viewer { id } }');
    this.member.profile = timeZone;
    this.oracle.move(this.member, this.now, timeZone);
  }

  private async forgetZone(): Promise<void> {
    await this.world.mutate(
      this.member.name,
      'updateProfile',
      'UpdateProfileInput',
      { timeZone: null },
      '{ viewer { id } }',
    );
    this.member.profile = undefined;
    this.oracle.move(this.member, this.now, zoneOf(this.member));
  }

  private async retime(lists: readonly (readonly string[])[]): Promise<void> {
    const usualTimes = lists.map((times) => ({ times }));
    await this.mutate(
      'updateCareSettings',
      'UpdateCareSettingsInput',
      { usualTimes, memberId: this.own ? undefined : this.member.id },
      '{ careSettings { timeZone } }',
    );
    this.member.usual = new Map(lists.map((times) => [times.length, times]));
    this.oracle.retime(this.member, this.now);
  }

  private mutate(name: string, type: string, input: object, selection: string) {
    return this.world.mutate(this.as.name, name, type, input, selection, this.headers);
  }

  async answer(
    act: Answer,
    coming: Coming | undefined,
    nameOf: (coming: Coming) => string,
  ): Promise<void> {
    if (!coming) return;
    const { reminder, at } = coming;
    this.note(`  ${keyOf(reminder.id, at)}`);
    const before = reminder.answers.get(at);
    const early = at > this.now + DAY && act.do !== 'undo' ? 'TOO_EARLY' : undefined;
    const late = at < this.now - DAY && act.do === 'snooze' ? 'TOO_LATE' : undefined;
    const occurrenceId = nameOf(coming);
    const name = {
      take: 'takeDose',
      'take again': 'takeDose',
      skip: 'skipDose',
      snooze: 'snoozeDose',
      undo: 'undoDose',
    }[act.do];
    const more =
      act.do === 'take again'
        ? { force: true }
        : act.do === 'snooze'
          ? { minutes: act.minutes }
          : {};
    const type = `${name[0]?.toUpperCase()}${name.slice(1)}Input`;
    const code = await this.world.tried(
      this.as.name,
      name,
      type,
      { occurrenceId, ...more },
      '{ event { id } }',
    );
    const already = {
      take: before === 'taken',
      'take again': false,
      skip: before === 'taken',
      snooze: before !== undefined,
      undo: false,
    }[act.do];
    const expected =
      early ??
      late ??
      (already ? 'ALREADY_TAKEN' : act.do === 'undo' && !before ? 'NOTHING_LOGGED' : undefined);
    expect(code, `${act.do} ${keyOf(reminder.id, at)}`).toBe(expected);
    if (expected) return;
    if (act.do === 'snooze') this.oracle.snooze(coming, this.now, act.minutes);
    else if (act.do === 'undo') this.oracle.undo(coming, this.now);
    else if (act.do === 'take again' && before === 'taken') reminder.extras.push(this.now);
    else this.oracle.answer(coming, act.do === 'skip' ? 'skipped' : 'taken');
  }

  private async log(number: number): Promise<void> {
    const reminder = this.which(number, false);
    if (!reminder) return;
    await this.world.mutate(
      this.as.name,
      'logDose',
      'LogDoseInput',
      { reminderId: reminder.id },
      '{ event { id } }',
    );
    reminder.extras.push(this.now);
  }

  private prefer(input: object) {
    return this.world.mutate(
      this.member.name,
      'updateNotificationPreference',
      'UpdateNotificationPreferenceInput',
      input,
      '{ notificationPreference { quietStart } }',
    );
  }

  async care(carer: Person, joins: boolean): Promise<void> {
    if (joins === this.member.carers.has(carer)) return;
    if (joins) await this.world.care(this.member.id, carer.id, 'see');
    else await this.world.endCare(this.member.id, carer.id);
    if (joins) this.member.carers.add(carer);
    else this.member.carers.delete(carer);
  }

  /** Registering, a device is its holder's; removed by anybody it gets nothing until then. */
  private async device(
    what: 'register' | 'remove' | 'suspend' | 'hand on',
    number: number,
  ): Promise<void> {
    const device = token(`${this.member.name}${number}`);
    const holder = what === 'hand on' ? this.others[0] : this.member;
    if (what === 'remove' || what === 'suspend')
      await this.world.removeDevice(what === 'remove' ? this.member.name : 'anonymous', device);
    else await this.world.register(holder?.name ?? '', device);
    for (const person of [this.member, ...this.others]) person.devices.delete(device);
    if (what === 'register' || what === 'hand on') holder?.devices.add(device);
  }
}
