import { Int, ObjectType } from 'type-graphql';
import { Visible } from '../../../core/access.js';
import { Rows } from '../../../core/cost.js';
import { Internal } from '../../../core/marks.js';
import { CacheId, globalId } from '../../../core/node.js';
import { ClockZone, LocalDate } from '../../../core/scalars.js';
import { Account } from '../../accounts/account.types.js';
import { DoseCounts } from '../dose/adherence.types.js';
import { CalendarEvent, EventStatus } from './event.types.js';
import type { Span } from './occurrences.js';

/** What apps of the editions, which know no more, see as skipped. */
const LEFT_OUT: ReadonlySet<EventStatus> = new Set([EventStatus.REFUSED, EventStatus.UNNEEDED]);

@ObjectType({ description: "A day of a member's calendar." })
export class CalendarDay {
  memberId!: number;

  @CacheId('the day of the member')
  get key(): string {
    return globalId('CalendarDay', `${this.memberId}:${this.date}`);
  }

  @Visible(() => LocalDate, { description: 'The day, by the clocks of `timeZone`.' })
  date!: string;

  @Visible(() => ClockZone, { description: 'The zone by whose clocks the member lives.' })
  timeZone!: string;

  @Rows(10)
  @Visible(() => [CalendarEvent], { description: 'What comes on it, in order of time.' })
  events!: CalendarEvent[];

  @Visible(() => DoseCounts, {
    description: 'What became of its doses so far; as-needed doses do not count.',
  })
  doses!: DoseCounts;
}

@ObjectType({ description: "What is on a member's calendar in a range of days, in order of time." })
export class Calendar {
  memberId!: number;
  span!: Span;
  /** Whether the member has ever answered a dose. */
  answers!: boolean;

  @CacheId('the days of the member, from the first to the last')
  get key(): string {
    return globalId('Calendar', `${this.memberId}:${this.from}:${this.to}`);
  }

  @Visible(() => Account, { description: 'Whose calendar it is.' })
  member!: Account;

  @Visible(() => Int, {
    description:
      'Version of the feed CALENDAR of the member that this shows: give it to `changes` as ' +
      '`since`.',
  })
  version!: number;

  @Rows(300)
  @Visible(() => [CalendarEvent], {
    name: 'events',
    description: 'The doses and appointments, in order of time; at most 5,000.',
  })
  nodes!: CalendarEvent[];

  @Internal()
  @Rows(300)
  @Visible(() => [CalendarEvent], { name: 'nodes', description: 'The events.' })
  get listed(): CalendarEvent[] {
    const shown = this.nodes.filter(({ status }) => status !== EventStatus.WITHHELD);
    return shown.map((event) =>
      LEFT_OUT.has(event.status) ? event.standingAs(EventStatus.SKIPPED) : event,
    );
  }

  @Visible(() => ClockZone, { description: 'The zone by whose clocks the member lives.' })
  timeZone!: string;

  @Visible(() => LocalDate, { description: 'First day, in `timeZone`.' })
  from!: string;

  @Visible(() => LocalDate, { description: 'Last day, in `timeZone`.' })
  to!: string;
}
