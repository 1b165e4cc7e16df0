import { Field, Int, ObjectType } from 'type-graphql';
import { Access, anyone } from '../../../core/access.js';
import { Rows } from '../../../core/cost.js';
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
  @Access(anyone)
  @Field(() => Int, { description: 'How many times a day.' })
  count!: number;

  @Access(anyone)
  @Rows(24)
  @Field(() => [TimeOfDay], { description: "Clock times in order, in the member's time zone." })
  times!: readonly string[];
}

@ObjectType({
  description: 'When a member does what medicines are taken at, by the clocks of the member.',
})
export class DayTimes {
  @Access(anyone)
  @Field(() => TimeOfDay, { name: 'waking', description: 'Getting up.' })
  wake!: string;

  @Access(anyone)
  @Field(() => TimeOfDay, { description: 'Breakfast.' })
  breakfast!: string;

  @Access(anyone)
  @Field(() => TimeOfDay, { description: 'Lunch.' })
  lunch!: string;

  @Access(anyone)
  @Field(() => TimeOfDay, { description: 'Dinner.' })
  dinner!: string;

  @Access(anyone)
  @Field(() => TimeOfDay, { description: 'Going to bed; may be after midnight.' })
  bedtime!: string;

  @Access(anyone)
  @Rows(5)
  @Field(() => [DayAnchor], {
    description: 'Which of them the member has set; the others follow the usual times.',
  })
  own!: readonly Anchor[];
}

@ObjectType({ description: 'How a member is reminded.' })
export class CareSettings {
  memberId!: number;

  @Access(anyone)
  @Field(() => Account, { description: 'Who is reminded.' })
  member!: Account;

  @Access(anyone)
  @Field(() => ClockZone, { description: 'Zone in which the member lives, as far as known.' })
  timeZone!: string;

  @Access(anyone)
  @Field(() => ZoneSources, { description: 'Where the zone is known from.' })
  timeZoneSource!: ZoneSource;

  @Access(anyone)
  @Rows(24)
  @Field(() => [UsualTimes], {
    description: 'The usual times for one to four a day, and where the member set others.',
  })
  usualTimes!: UsualTimes[];

  @Access(anyone)
  @Field(() => DayTimes, { description: "The times of the member's day." })
  dayTimes!: DayTimes;
}

@ObjectType({
  description:
    'The secret address of a calendar, for calendar programs. Whoever knows it can read it; ' +
    'shown this once.',
})
export class CalendarFeed {
  @Access(anyone)
  @Field(() => WebAddress, { description: 'The address (iCalendar, RFC 5545).' })
  url!: string;

  @Access(anyone)
  @Field(() => Boolean, { description: 'Whether it names medicines and appointments.' })
  titles!: boolean;

  @Access(anyone)
  @Field(() => Boolean, {
    description:
      'Whether its events have alarms. Many programs leave those of subscribed calendars out.',
  })
  alarms!: boolean;

  @Access(anyone)
  @Field(() => DateTime, {
    description: 'When it was made, in UTC. Addresses made before are no longer good.',
  })
  createdAt!: Date;
}

@ObjectType({ description: 'What `updateCareSettings` changed.' })
export class UpdateCareSettingsPayload {
  constructor(settings: CareSettings) {
    this.careSettings = settings;
  }

  @Access(anyone)
  @Field(() => CareSettings, { description: 'How the member is reminded now.' })
  readonly careSettings: CareSettings;

  get memberId(): number {
    return this.careSettings.memberId;
  }

  @Access(anyone)
  @Field(() => MemberHome, {
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
