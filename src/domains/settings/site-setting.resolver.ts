import { Ctx, Resolver } from 'type-graphql';
import { Access, capable } from '../../core/access.js';
import type { RequestContext } from '../../core/context.js';
import { InputArg } from '../../core/marks.js';
import { payloadType } from '../../core/payload.js';
import { Mutation } from '../../core/root-fields.js';
import { followSiteZoneSoon } from '../reminders/setting/site-zone.service.js';
import { UpdateSiteInput } from '../site/site.inputs.js';
import { updateSite } from '../site/site.service.js';
import { SiteSettings } from '../site/site.types.js';

const UpdateSitePayload = payloadType<{ site: SiteSettings }>('UpdateSite', {
  site: { type: () => SiteSettings, description: 'The site as it is now.' },
});

/**
 * Root field that changes the site. It is in this domain because reminders depend on the site's
 * zone, and `site` must not import them.
 */
@Resolver()
export class SiteSettingResolver {
  @Access(capable('manage_options'))
  @Mutation(() => UpdateSitePayload, {
    description:
      'Changes the title, the tagline or the zone of the site. For administrators; audited. ' +
      'With the zone move the reminders that go by it: clock times stay clock times, the past ' +
      'stays as it was. Other processes know the change within a second. TITLE_INVALID.',
  })
  async updateSite(
    @Ctx() context: RequestContext,
    @InputArg(UpdateSiteInput) input: UpdateSiteInput,
  ): Promise<{ site: SiteSettings }> {
    const site = await updateSite(context, input);
    await followSiteZoneSoon(context.deps);
    return { site };
  }
}
