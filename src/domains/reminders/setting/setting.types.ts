import { Field, Int, ObjectType } from 'type-graphql';
import { Access, anyone } from '../../../core/access.js';
import { Rows } from '../../../core/cost.js';
import { DateTime } from '../../../core/scalars.js';

@ObjectType({ description: 'When a member usually takes what is due so many times a day.' })
export class UsualTimes {
  @Access(anyone)
  @Field(() => Int, { description: 'How many times a day.' })
  count!: number;

  @Access(anyone)
  @Rows(24)
  @Field(() => [String], { description: 'Clock times, HH:MM.' })
  times!: readonly string[];
}

@ObjectType({ description: 'How a member is reminded.' })
export class CareSettings {
  @Access(anyone)
  @Field(() => Int, { description: 'Id of the member.' })
  memberId!: number;

  @Access(anyone)
  @Field({
    description:
      'Zone in which the member lives, as far as known: IANA name, or an offset such as +02:00.',
  })
  timeZone!: string;

  @Access(anyone)
  @Field({
    description:
      'Where it was taken from: `profile`, `header` (Time-Zone), `learned` from one of these ' +
      'or a date, `site`.',
  })
  timeZoneSource!: string;

  @Access(anyone)
  @Rows(24)
  @Field(() => [UsualTimes], {
    description: 'The usual times for one to four a day, and where the member set others.',
  })
  usualTimes!: UsualTimes[];
}

@ObjectType({
  description:
    'The secret address of a calendar, for calendar programs. Whoever knows it can read it; ' +
    'shown this once.',
})
export class CalendarFeed {
  @Access(anyone)
  @Field({ description: 'The address (iCalendar, RFC 5545).' })
  url!: string;

  @Access(anyone)
  @Field(() => Boolean, { description: 'Whether it names medicines and appointments.' })
  titles!: boolean;

  @Access(anyone)
  @Field(() => DateTime, {
    description: 'When it was made, in UTC. Addresses made before are no longer good.',
  })
  createdAt!: Date;
}
