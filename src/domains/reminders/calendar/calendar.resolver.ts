import { Args, Ctx, FieldResolver, Query, Resolver, Root } from 'type-graphql';
import { Access, anyone, signedIn } from '../../../core/access.js';
import type { RequestContext } from '../../../core/context.js';
import { Rows } from '../../../core/cost.js';
import { snoozesOf } from '../alert/alert-answer.service.js';
import { JudgeRange } from '../reminder/reminder.judgement.js';
import { CalendarArgs } from './calendar.inputs.js';
import { calendar, daysOf } from './calendar.service.js';
import { Calendar, CalendarDay, CalendarEvent } from './calendar.types.js';

const HOUR = 60 * 60 * 1000;
/**
 * How far ahead, and how long ago, a dose that is put off can lie: until 24 hours after its time it
 * is put off, for 12 hours at most.
 */
const SNOOZED_AHEAD = 24 * HOUR;
const SNOOZED_BACK = 36 * HOUR;

@Resolver(() => Calendar)
export class CalendarResolver {
  @Access(signedIn)
  @JudgeRange()
  @Query(() => Calendar, {
    description:
      'Doses and appointments of a member in a range of days, for a day, week or month view; ' +
      'at most 366 days and 5,000 events. FORBIDDEN, DATE_INVALID, RANGE_TOO_LONG, ' +
      'TOO_MANY_EVENTS.',
  })
  async calendar(
    @Ctx() context: RequestContext,
    @Args(() => CalendarArgs) args: CalendarArgs,
  ): Promise<Calendar> {
    return calendar(context, args);
  }

  @Access(anyone)
  @Rows(31)
  @FieldResolver(() => [CalendarDay], {
    description:
      'The same by day, by the clocks of the member; days on which nothing comes are there too.',
  })
  days(@Root() calendar: Calendar): CalendarDay[] {
    return daysOf(calendar);
  }
}

@Resolver(() => CalendarEvent)
export class CalendarEventResolver {
  @Access(anyone)
  @FieldResolver(() => String, {
    nullable: true,
    description:
      "Until when a dose is put off, ISO 8601 with the offset of the member's zone; null when it is not, or it came again.",
  })
  async snoozedUntil(
    @Ctx() context: RequestContext,
    @Root() event: CalendarEvent,
  ): Promise<string | undefined> {
    const ahead = event.at - context.now().getTime();
    if (!event.isOpen || ahead > SNOOZED_AHEAD || ahead < -SNOOZED_BACK) return undefined;
    const until = await context.loader(snoozesOf).load(event.id);
    return until && event.shown(until.getTime());
  }
}
