import { Arg, Ctx, Int, Mutation, Query, Resolver } from 'type-graphql';
import { Access, bySession, signedIn } from '../../../core/access.js';
import type { RequestContext } from '../../../core/context.js';
import { createCalendarFeed, revokeCalendarFeed } from '../calendar/icalendar.service.js';
import { CreateCalendarFeedInput, UpdateCareSettingsInput } from './setting.inputs.js';
import { careSettings, updateCareSettings } from './setting.service.js';
import { CalendarFeed, CareSettings } from './setting.types.js';

@Resolver()
export class CareSettingResolver {
  @Access(signedIn)
  @Query(() => CareSettings, { description: 'How a member is reminded. FORBIDDEN.' })
  async careSettings(
    @Ctx() context: RequestContext,
    @Arg('memberId', () => Int, { nullable: true, description: 'Whose. Default: own.' }) memberId?:
      | number
      | null,
  ): Promise<CareSettings> {
    return careSettings(context, memberId);
  }

  @Access(signedIn)
  @Mutation(() => CareSettings, {
    description:
      'Changes how a member is reminded; what is to come follows to another zone. FORBIDDEN, ' +
      'ZONE_INVALID, TIMES_INVALID.',
  })
  async updateCareSettings(
    @Ctx() context: RequestContext,
    @Arg('input', () => UpdateCareSettingsInput, { description: 'What to change.' })
    input: UpdateCareSettingsInput,
  ): Promise<CareSettings> {
    return updateCareSettings(context, input);
  }

  @Access(bySession(signedIn))
  @Mutation(() => CalendarFeed, {
    description:
      'Makes the secret address of the own calendar for calendar programs (iCalendar): what comes within 60 days, and came within 7; a dose of a ' +
      'quarter of an hour and an appointment of an hour, since these programs want an end. One made before is no longer good. ' +
      'EMAIL_UNPROVEN until the account has shown that its e-mail address is its own. FORBIDDEN ' +
      'by an application password.',
  })
  async createCalendarFeed(
    @Ctx() context: RequestContext,
    @Arg('input', () => CreateCalendarFeedInput, { description: 'What it shows.' })
    input: CreateCalendarFeedInput,
  ): Promise<CalendarFeed> {
    return createCalendarFeed(context, input);
  }

  @Access(signedIn)
  @Mutation(() => Boolean, {
    description: 'Ends the calendar feed. Answers whether there was one.',
  })
  async revokeCalendarFeed(@Ctx() context: RequestContext): Promise<boolean> {
    return revokeCalendarFeed(context);
  }
}
