import { Int, ObjectType } from 'type-graphql';
import { Visible } from '../../../core/access.js';
import { Rows } from '../../../core/cost.js';
import { CacheId, globalId, Version } from '../../../core/node.js';
import { payloadType } from '../../../core/payload.js';
import { ClockZone, DateTime, TimeOfDay, WebAddress } from '../../../core/scalars.js';
import { Account } from '../../accounts/account.types.js';
import type { ZoneSource } from '../../accounts/member-zone.service.js';
import { MemberHome } from '../calendar/home.types.js';
import { ZoneSources } from '../reminder/reminder.enums.js';
import { DayAnchor } from '../schedule/schedule.enums.js';
import type { Anchor } from '../schedule/schedule-value.js';

@ObjectType({ description: 'When a member usually takes what is due so many times a day.' })
export class UsualTimes {
  @Visible(() => Int, { description: 'How many times a day.' })
  count!: number;

  @Rows(24)
  @Visible(() => [TimeOfDay], { description: "Clock times in order, in the member's time zone." })
  times!: readonly string[];
}

@ObjectType({
  description: 'When a member does what medicines are taken at, by the clocks of the member.',
})
export class DayTimes {
  @Visible(() => TimeOfDay, { name: 'waking', description: 'Getting up.' })
  wake!: string;

  @Visible(() => TimeOfDay, { description: 'Breakfast.' })
  breakfast!: string;

  @Visible(() => TimeOfDay, { description: 'Lunch.' })
  lunch!: string;

  @Visible(() => TimeOfDay, { description: 'Dinner.' })
  dinner!: string;

  @Visible(() => TimeOfDay, { description: 'Going to bed; may be after midnight.' })
  bedtime!: string;

  @Rows(5)
  @Visible(() => [DayAnchor], {
    description: 'Which of them the member has set; the others follow the usual times.',
  })
  own!: readonly Anchor[];
}

@ObjectType({ description: 'How a member is reminded.' })
export class CareSettings {
  memberId!: number;

  @CacheId('the settings of the member')
  get key(): string {
    return globalId('CareSettings', this.memberId);
  }

  @Visible(() => Account, { description: 'Who is reminded.' })
  member!: Account;

  @Visible(() => ClockZone, { description: 'Zone in which the member lives, as far as known.' })
  timeZone!: string;

  @Visible(() => ZoneSources, { description: 'Where the zone is known from.' })
  timeZoneSource!: ZoneSource;

  @Rows(24)
  @Visible(() => [UsualTimes], {
    description: 'The usual times for one to four a day, and where the member set others.',
  })
  usualTimes!: UsualTimes[];

  @Visible(() => DayTimes, { description: "The times of the member's day." })
  dayTimes!: DayTimes;

  @Version()
  version!: number;
}

@ObjectType({
  description:
    'The secret address of a calendar, for calendar programs. Whoever knows it can read it; ' +
    'shown this once.',
})
export class CalendarFeed {
  @Visible(() => WebAddress, { description: 'The address (iCalendar, RFC 5545).' })
  url!: string;

  @Visible(() => Boolean, { description: 'Whether it names medicines and appointments.' })
  titles!: boolean;

  @Visible(() => Boolean, {
    description:
      'Whether its events have alarms. Many programs leave those of subscribed calendars out.',
  })
  alarms!: boolean;

  @Visible(() => DateTime, {
    description: 'When it was made, in UTC. Addresses made before are no longer good.',
  })
  createdAt!: Date;
}

@ObjectType({ description: 'What `updateCareSettings` changed.' })
export class UpdateCareSettingsPayload {
  constructor(settings: CareSettings) {
    this.careSettings = settings;
  }

  @Visible(() => CareSettings, { description: 'How the member is reminded now.' })
  readonly careSettings: CareSettings;

  get memberId(): number {
    return this.careSettings.memberId;
  }

  @Visible(() => MemberHome, {
    nullable: true,
    description: 'What the member sees first after the change. TOO_MANY_EVENTS.',
  })
  readonly memberHome?: MemberHome;
}

export const CreateCalendarFeedPayload = payloadType<{ calendarFeed: CalendarFeed }>(
  'CreateCalendarFeed',
  { calendarFeed: { type: () => CalendarFeed, description: 'The new address.' } },
);

export const RevokeCalendarFeedPayload = payloadType<{ wasRevoked: boolean }>(
  'RevokeCalendarFeed',
  {
    wasRevoked: { type: () => Boolean, description: 'Whether there was an address to end.' },
  },
);
