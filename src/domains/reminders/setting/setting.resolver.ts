import { Ctx, Resolver } from 'type-graphql';
import { Access, bySession, signedIn } from '../../../core/access.js';
import type { RequestContext } from '../../../core/context.js';
import { Dear } from '../../../core/dear-work.js';
import { IdArg, InputArg } from '../../../core/marks.js';
import { Mutation, Query } from '../../../core/root-fields.js';
import { createCalendarFeed, revokeCalendarFeed } from '../calendar/icalendar.service.js';
import { CreateCalendarFeedInput, UpdateCareSettingsInput } from './setting.inputs.js';
import { careSettings, updateCareSettings } from './setting.service.js';
import {
  CareSettings,
  CreateCalendarFeedPayload,
  RevokeCalendarFeedPayload,
  UpdateCareSettingsPayload,
} from './setting.types.js';

@Resolver()
export class CareSettingResolver {
  @Access(signedIn)
  @Query(() => CareSettings, {
    description: 'How a member is reminded. FORBIDDEN.',
  })
  async careSettings(
    @Ctx() context: RequestContext,
    @IdArg('memberId', 'Account', { nullable: true, description: 'Whose. Default: own.' })
    memberId: number | null | undefined,
  ): Promise<CareSettings> {
    return careSettings(context, memberId);
  }

  @Access(signedIn)
  @Dear()
  @Mutation(() => UpdateCareSettingsPayload, {
    description:
      'Changes how a member is reminded; what is to come follows to another zone. FORBIDDEN, ' +
      'ZONE_INVALID, TIMES_INVALID, CONFLICT.',
  })
  async updateCareSettings(
    @Ctx() context: RequestContext,
    @InputArg(UpdateCareSettingsInput) input: UpdateCareSettingsInput,
  ): Promise<UpdateCareSettingsPayload> {
    return new UpdateCareSettingsPayload(await updateCareSettings(context, input));
  }

  @Access(bySession(signedIn))
  @Mutation(() => CreateCalendarFeedPayload, {
    description:
      'Makes the secret address of the own calendar for calendar programs (iCalendar): what ' +
      'comes within 60 days, and came within 7; a dose of a quarter of an hour and an ' +
      'appointment of an hour, since these programs want an end. One made before is no longer ' +
      'good. EMAIL_UNPROVEN until the account has shown that its e-mail address is its own, and ' +
      'for one that has neither an address nor an identity. ' +
      'FORBIDDEN by an application password.',
  })
  async createCalendarFeed(
    @Ctx() context: RequestContext,
    @InputArg(CreateCalendarFeedInput) input: CreateCalendarFeedInput,
  ): Promise<object> {
    return { calendarFeed: await createCalendarFeed(context, input) };
  }

  @Access(signedIn)
  @Mutation(() => RevokeCalendarFeedPayload, {
    description: "Ends the viewer's calendar feed.",
  })
  async revokeCalendarFeed(@Ctx() context: RequestContext): Promise<object> {
    return { wasRevoked: await revokeCalendarFeed(context) };
  }
}
