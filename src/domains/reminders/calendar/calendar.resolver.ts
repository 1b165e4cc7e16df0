import { Args, Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import { Access, anyone, signedIn } from '../../../core/access.js';
import type { RequestContext } from '../../../core/context.js';
import { Rows } from '../../../core/cost.js';
import { Dear } from '../../../core/dear-work.js';
import { Query } from '../../../core/root-fields.js';
import { DateTime } from '../../../core/scalars.js';
import { snoozesOf } from '../alert/alert-answer.service.js';
import { AppointmentReminder } from '../reminder/appointment-reminder.types.js';
import { MedicineReminder } from '../reminder/medicine-reminder.types.js';
import { JudgeRange } from '../reminder/reminder.judgement.js';
import type { Reminder } from '../reminder/reminder.types.js';
import { reminderShown } from '../reminder/shown-reminder.service.js';
import { CalendarArgs } from './calendar.inputs.js';
import { calendar, daysOf } from './calendar.service.js';
import { Calendar, CalendarDay } from './calendar.types.js';
import { AppointmentEvent, DoseEvent } from './event.types.js';

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
  @Dear()
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

/** Fields of doses that need a service. */
@Resolver(() => DoseEvent)
export class DoseEventResolver {
  @Access(anyone)
  @FieldResolver(() => MedicineReminder, {
    nullable: true,
    description: 'The medicine; null when its reminder was deleted.',
  })
  async reminder(
    @Ctx() context: RequestContext,
    @Root() { reminderId }: DoseEvent,
  ): Promise<Reminder | undefined> {
    return reminderShown(context, reminderId);
  }

  @Access(anyone)
  @FieldResolver(() => DateTime, {
    nullable: true,
    description:
      'Until when it is put off, in UTC; null when it is not put off, or came again already.',
  })
  async snoozedUntil(
    @Ctx() context: RequestContext,
    @Root() event: DoseEvent,
  ): Promise<Date | undefined> {
    const ahead = event.at - context.now().getTime();
    if (!event.isOpen || ahead > SNOOZED_AHEAD || ahead < -SNOOZED_BACK) return undefined;
    return context.loader(snoozesOf).load(event.id);
  }
}

/** Fields of appointments that need a service. */
@Resolver(() => AppointmentEvent)
export class AppointmentEventResolver {
  @Access(anyone)
  @FieldResolver(() => AppointmentReminder, {
    nullable: true,
    description: 'The appointment; null when its reminder was deleted.',
  })
  async reminder(
    @Ctx() context: RequestContext,
    @Root() { reminderId }: AppointmentEvent,
  ): Promise<Reminder | undefined> {
    return reminderShown(context, reminderId);
  }
}
