import { Ctx, FieldResolver, Resolver } from 'type-graphql';
import { Access, anyone, signedIn } from '../../../core/access.js';
import type { RequestContext } from '../../../core/context.js';
import { InputArg } from '../../../core/marks.js';
import { Mutation, Query } from '../../../core/root-fields.js';
import { zoneOfAccount } from '../../accounts/member-zone.service.js';
import { UpdateNotificationPreferenceInput } from './preference.inputs.js';
import { preferencesOf, updatePreference } from './preference.service.js';
import { NotificationPreference, UpdateNotificationPreferencePayload } from './preference.types.js';

/** Root fields of the notification preference, and its zone. */
@Resolver(() => NotificationPreference)
export class PreferenceResolver {
  @Access(signedIn)
  @Query(() => NotificationPreference, {
    description: 'How the viewer wants to be told.',
  })
  async notificationPreference(
    @Ctx() context: RequestContext,
  ): Promise<NotificationPreference | undefined> {
    return context.loader(preferencesOf).load(context.viewer.id);
  }

  @Access(signedIn)
  @Mutation(() => UpdateNotificationPreferencePayload, {
    description: 'Changes how the viewer is told. QUIET_HOURS_INVALID.',
  })
  async updateNotificationPreference(
    @Ctx() context: RequestContext,
    @InputArg(UpdateNotificationPreferenceInput) input: UpdateNotificationPreferenceInput,
  ): Promise<{ notificationPreference: NotificationPreference }> {
    return { notificationPreference: await updatePreference(context, input) };
  }

  @Access(anyone)
  @FieldResolver(() => String, {
    description:
      'Zone of the quiet hours, as far as known: an IANA name, or an offset such as +02:00.',
  })
  async timeZone(@Ctx() context: RequestContext): Promise<string> {
    return zoneOfAccount(context, context.viewer.id);
  }
}
