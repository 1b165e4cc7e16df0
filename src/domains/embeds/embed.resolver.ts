import { Args, Ctx, Resolver } from 'type-graphql';
import { Access, anyone } from '../../core/access.js';
import type { RequestContext } from '../../core/context.js';
import { Shared } from '../../core/marks.js';
import { Points } from '../../core/quota.js';
import { Query } from '../../core/root-fields.js';
import { ContentEmbedArgs, EmbedPreviewArgs, USUAL_WIDTH } from './embed.inputs.js';
import { Embed } from './embed.types.js';
import { mayPreview, previewEmbed } from './embed-preview.service.js';
import { ownEmbed } from './own-embed.service.js';

/** A preview may fetch three pages. */
const PREVIEW_POINTS = 10;

/** Root fields of embeds. */
@Resolver()
export class EmbedResolver {
  @Access(anyone)
  @Shared()
  @Query(() => Embed, {
    description:
      'How other sites embed a published post, page or healthcare item of this site. ' +
      'EMBED_NOT_FOUND.',
  })
  async contentEmbed(
    @Ctx() context: RequestContext,
    @Args(() => ContentEmbedArgs) { url, maxWidth }: ContentEmbedArgs,
  ): Promise<Embed> {
    return ownEmbed(context, url, maxWidth ?? USUAL_WIDTH);
  }

  @Access(mayPreview)
  @Points(PREVIEW_POINTS)
  @Query(() => Embed, {
    description:
      'How a page of any site is embedded: by the list of providers of oembed.com, or else as ' +
      'the page itself says. Only public addresses are asked, for five seconds; answers are ' +
      'remembered for a day. For those who write content. EMBED_NOT_FOUND.',
  })
  async embedPreview(
    @Ctx() context: RequestContext,
    @Args(() => EmbedPreviewArgs) args: EmbedPreviewArgs,
  ): Promise<Embed> {
    return previewEmbed(context, args);
  }
}
