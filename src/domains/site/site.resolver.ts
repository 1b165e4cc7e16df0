import { Ctx, Query, Resolver } from 'type-graphql';
import { Access, anyone } from '../../access.js';
import type { RequestContext } from '../../context.js';
import { Language } from './language.types.js';
import { languages } from './site.service.js';
import { SiteSettings } from './site.types.js';

@Resolver()
export class SiteResolver {
  @Access(anyone)
  @Query(() => SiteSettings, { description: 'The settings of the site.' })
  site(@Ctx() context: RequestContext): SiteSettings {
    return context.site;
  }

  @Access(anyone)
  @Query(() => [Language], { description: 'The languages that an account can choose, by id.' })
  async languages(@Ctx() context: RequestContext): Promise<Language[]> {
    return languages(context);
  }
}
