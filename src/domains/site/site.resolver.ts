import { Ctx, Resolver } from 'type-graphql';
import { Access, anyone } from '../../core/access.js';
import type { RequestContext } from '../../core/context.js';
import { Rows } from '../../core/cost.js';
import { Shared } from '../../core/marks.js';
import { Query } from '../../core/root-fields.js';
import { Language } from './language.types.js';
import { languages } from './site.service.js';
import { SiteSettings } from './site.types.js';

/** Root fields of the site and its languages. */
@Resolver()
export class SiteResolver {
  @Access(anyone)
  @Query(() => SiteSettings, { description: 'The settings of the site.' })
  async site(@Ctx() { deps }: RequestContext): Promise<SiteSettings> {
    // Not that of the context: the request may have changed it.
    return deps.readSite();
  }

  @Access(anyone)
  @Rows(200)
  @Shared()
  @Query(() => [Language], {
    description: 'The languages that an account can choose, in a fixed order; at most 200.',
  })
  async languages(@Ctx() context: RequestContext): Promise<Language[]> {
    return languages(context);
  }
}
