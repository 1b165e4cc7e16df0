import { Args, Ctx, Query, Resolver } from 'type-graphql';
import { Access, signedIn } from '../../access.js';
import type { RequestContext } from '../../context.js';
import { CalendarArgs } from './calendar.inputs.js';
import { calendar } from './calendar.service.js';
import { Calendar } from './calendar.types.js';

@Resolver()
export class CalendarResolver {
  @Access(signedIn)
  @Query(() => Calendar, {
    description:
      'Doses and appointments of a member in a range of days, for a day, week or month view; at most 366 days and 5,000 events. FORBIDDEN, DATE_INVALID, RANGE_TOO_LONG, TOO_MANY_EVENTS.',
  })
  async calendar(@Ctx() context: RequestContext, @Args(() => CalendarArgs) args: CalendarArgs): Promise<Calendar> {
    return calendar(context, args);
  }
}
