import { Arg, Ctx, Mutation, Query, Resolver } from 'type-graphql';
import { Access, signedIn } from '../../../core/access.js';
import type { RequestContext } from '../../../core/context.js';
import { NotificationPreferenceInput } from './preference.inputs.js';
import { preferencesOf, updatePreference } from './preference.service.js';
import { NotificationPreference } from './preference.types.js';

/** Root fields of the notification preference. */
@Resolver()
export class PreferenceResolver {
  @Access(signedIn)
  @Query(() => NotificationPreference, { description: 'How the caller wants to be told.' })
  async notificationPreference(
    @Ctx() context: RequestContext,
  ): Promise<NotificationPreference | undefined> {
    return context.loader(preferencesOf).load(context.viewer.id);
  }

  @Access(signedIn)
  @Mutation(() => NotificationPreference, {
    description: 'Changes how the caller is told. QUIET_HOURS_INVALID.',
  })
  async updateNotificationPreference(
    @Ctx() context: RequestContext,
    @Arg('input', () => NotificationPreferenceInput, { description: 'What to change.' })
    input: NotificationPreferenceInput,
  ): Promise<NotificationPreference> {
    return updatePreference(context, input);
  }
}
