import { Int, InterfaceType } from 'type-graphql';
import { Visible } from '../../../core/access.js';
import { Internal, RestDescription } from '../../../core/marks.js';
import { Node } from '../../../core/node.js';
import { ClockZone, DateTime } from '../../../core/scalars.js';
import { isoIn } from '../../../platform/zone.js';
import { Account } from '../../accounts/account.types.js';
import type { ZoneSource } from '../../accounts/member-zone.service.js';
import { knownPlan } from '../alert/known-plan.js';
import { occurrences, type PastPlanRow } from '../calendar/occurrences.js';
import { ReminderStatus, TimesSource, ZoneSources } from './reminder.enums.js';
import type { ReminderRow } from './reminder.service.js';

/** What both kinds of reminders show. */
@InterfaceType({
  implements: Node,
  description: 'Something that a member is reminded of: a medicine or an appointment.',
})
export abstract class Reminder {
  constructor(
    readonly row: ReminderRow,
    protected readonly now: number,
    /** Plans of before by which it may still come. */
    private readonly pending: readonly PastPlanRow[],
  ) {}

  /** How the plan was understood. */
  protected get plan(): ReturnType<typeof knownPlan> {
    this.known ??= knownPlan(this.row);
    return this.known;
  }

  private known: ReturnType<typeof knownPlan> | undefined;
  private found: { at: number | undefined } | undefined;

  /** What comes next, in milliseconds since 1970; undefined when nothing does. Looked for once. */
  protected get next(): number | undefined {
    this.found ??= { at: this.findNext() };
    return this.found.at;
  }

  private findNext(): number | undefined {
    const { id, scheduled, recognized, planFrom } = this.row;
    if (!scheduled || !recognized) return undefined;
    const from = Math.max(this.now, planFrom?.getTime() ?? this.now);
    const withheld = new Set(this.row.withheld.map((instant) => instant.getTime()));
    const next = this.plan.next(from, withheld)?.at;
    if (this.pending.length === 0) return next;
    const sooner = occurrences(
      this.row,
      { past: new Map([[id, this.pending]]) },
      { from: this.now, to: next ?? Number.POSITIVE_INFINITY },
    );
    return [...sooner]
      .filter(({ isWithheld }) => !isWithheld)
      .reduce((first, { at }) => Math.min(first ?? at, at), next);
  }

  get memberId(): number {
    return this.row.accountId;
  }

  @RestDescription('Id of the reminder.')
  @Visible(() => Int, { name: 'databaseId', description: 'The number that apps know it by.' })
  get id(): number {
    return this.row.id;
  }

  @Visible(() => Account, { description: 'Who is reminded.' })
  readonly member!: Account;

  @Internal()
  @Visible(() => Int, { description: 'Id of the member who is reminded.' })
  get userId(): number {
    return this.row.accountId;
  }

  @RestDescription('More about it, as sent.')
  @Visible(() => String, { nullable: true, description: 'More about it, as somebody wrote it.' })
  get description(): string | null {
    return this.row.description;
  }

  @Internal()
  @Visible(() => String, { nullable: true, description: 'When the client made it, as sent.' })
  get createdDate(): string | null {
    return this.row.createdDate;
  }

  @RestDescription(
    'Zone by whose clocks it comes: an IANA name, or an offset such as +02:00 where no zone is ' +
      'known.',
  )
  @Visible(() => ClockZone, { description: 'The zone by whose clocks it comes.' })
  get timeZone(): string {
    return this.row.zone;
  }

  @Visible(() => ZoneSources, {
    description: 'Where the zone, or the first instant, is known from.',
  })
  get timeZoneSource(): ZoneSource {
    return this.row.zoneSource as ZoneSource;
  }

  @Internal()
  @Visible(() => String, {
    description:
      'Where the zone or the first instant was taken from: `offset` of the start, `profile`, ' +
      '`header` (Time-Zone), `learned` from an earlier one of these, `site`.',
  })
  get timeZoneSourceText(): string {
    return this.timeZoneSource;
  }

  @Visible(() => TimesSource, { description: 'Where the clock times come from.' })
  get timesSource(): TimesSource {
    return this.row.timesSource as TimesSource;
  }

  @Internal()
  @Visible(() => String, {
    description:
      'Where the clock times were taken from: `start_date`, `usual_times` of the member, ' +
      '`rule`, or `none`.',
  })
  get timesSourceText(): string {
    return this.timesSource;
  }

  @Visible(() => DateTime, {
    nullable: true,
    description: 'When it comes next, in UTC; null when it does not come any more.',
  })
  get nextOccurrenceAt(): Date | null {
    return this.next === undefined ? null : new Date(this.next);
  }

  @Internal()
  @Visible(() => String, {
    nullable: true,
    description: 'When it comes next, ISO 8601 with the offset of its zone; null when it does not.',
  })
  get nextOccurrence(): string | null {
    return this.next === undefined ? null : isoIn(this.next, this.row.zone);
  }

  @Visible(() => ReminderStatus, { description: 'How it stands.' })
  get status(): ReminderStatus {
    return this.standing;
  }

  protected abstract get standing(): ReminderStatus;

  @Visible(() => Int, {
    description:
      'Rises with every change; send it along to change only what you have seen (CONFLICT).',
  })
  get version(): number {
    return this.row.version;
  }

  @Visible(() => DateTime, { description: 'When it was made, in UTC.' })
  get createdAt(): Date {
    return this.row.createdAt;
  }

  @Visible(() => DateTime, { description: 'When it was last changed, in UTC.' })
  get updatedAt(): Date {
    return this.row.updatedAt;
  }
}
