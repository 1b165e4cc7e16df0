import { Arg, Ctx, Mutation, Query, Resolver } from 'type-graphql';
import { Access, anyone, capable } from '../../core/access.js';
import type { RequestContext } from '../../core/context.js';
import { Rows } from '../../core/cost.js';
import { followSiteZoneSoon } from '../reminders/setting/site-zone.service.js';
import { Language } from './language.types.js';
import { UpdateSiteInput } from './site.inputs.js';
import { languages, updateSite } from './site.service.js';
import { SiteSettings } from './site.types.js';

@Resolver()
export class SiteResolver {
  @Access(anyone)
  @Query(() => SiteSettings, { description: 'The settings of the site.' })
  site(@Ctx() context: RequestContext): SiteSettings {
    return context.site;
  }

  @Access(capable('manage_options'))
  @Mutation(() => SiteSettings, {
    description:
      'Changes the title, the tagline or the zone of the site. For administrators; audited. With the zone move the reminders that go by it: clock times stay clock times, the past stays as it was. Other processes know the change within a second. TITLE_INVALID, ZONE_INVALID.',
  })
  async updateSite(
    @Ctx() context: RequestContext,
    @Arg('input', () => UpdateSiteInput, { description: 'What to change.' }) input: UpdateSiteInput,
  ): Promise<SiteSettings> {
    const site = await updateSite(context, input);
    await followSiteZoneSoon(context.deps);
    return site;
  }

  @Access(anyone)
  @Rows(200)
  @Query(() => [Language], { description: 'The languages that an account can choose, by id.' })
  async languages(@Ctx() context: RequestContext): Promise<Language[]> {
    return languages(context);
  }
}
