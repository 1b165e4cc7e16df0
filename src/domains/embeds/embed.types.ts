import { Int, ObjectType } from 'type-graphql';
import { Visible } from '../../core/access.js';
import { Rows, WEIGHTS, Weight } from '../../core/cost.js';
import { type EnumValue, enumType } from '../../core/enum-type.js';
import { Internal } from '../../core/marks.js';
import { WebAddress } from '../../core/scalars.js';

/** What an embed is, by oEmbed 1.0. */
export const EmbedType = enumType('EmbedType', 'What an embed is (oEmbed 1.0, 2.3.4).', {
  RICH: ['rich', 'HTML of any kind.'],
  VIDEO: ['video', 'A player.'],
  PHOTO: ['photo', 'An image.'],
  LINK: ['link', 'A link alone.'],
});
export type EmbedType = EnumValue<typeof EmbedType>;

const text = { nullable: true } as const;

/** What other sites show of a page, by oEmbed 1.0. What is unknown is null. */
@ObjectType({ description: 'How a page is shown inside another page (oEmbed 1.0).' })
export class Embed {
  @Internal()
  @Visible(() => String, { description: 'The version of oEmbed: 1.0.' })
  version!: '1.0';

  @Visible(() => EmbedType, { description: 'What it is.' })
  type!: EmbedType;

  @Weight(WEIGHTS.text)
  @Visible(() => String, { ...text, description: 'Title, as HTML without elements.' })
  title!: string | null;

  @Visible(() => String, { ...text, description: 'Who made it.' })
  authorName!: string | null;

  @Visible(() => WebAddress, { ...text, description: 'Page of who made it.' })
  authorUrl!: string | null;

  @Visible(() => String, { ...text, description: 'Name of the site that it comes from.' })
  providerName!: string | null;

  @Visible(() => WebAddress, { ...text, description: 'Address of the site that it comes from.' })
  providerUrl!: string | null;

  @Visible(() => Int, { nullable: true, description: 'Width in pixels.' })
  width!: number | null;

  @Visible(() => Int, { nullable: true, description: 'Height in pixels.' })
  height!: number | null;

  @Weight(WEIGHTS.content)
  @Visible(() => String, {
    ...text,
    description:
      'HTML to insert. Of other sites it is sanitised: text, links, images and frames, no script. ' +
      'A page that shows what is private inserts `frame` instead.',
  })
  html!: string | null;

  @Weight(WEIGHTS.content)
  @Visible(() => String, {
    ...text,
    description:
      'The HTML of another site within a sandboxed frame, to insert where scripts of the page could ' +
      'do harm: it has no origin, sends no referrer, and reaches nothing of the page around it ' +
      '(HTML, 4.8.5). Null for pages of this site.',
  })
  frame!: string | null;

  @Visible(() => WebAddress, { ...text, description: 'Address of a small image of it.' })
  thumbnailUrl!: string | null;

  @Visible(() => Int, { nullable: true, description: 'Width of the small image in pixels.' })
  thumbnailWidth!: number | null;

  @Visible(() => Int, { nullable: true, description: 'Height of the small image in pixels.' })
  thumbnailHeight!: number | null;

  @Rows(10)
  @Visible(() => [WebAddress], {
    description:
      'Scripts that the provider wants to be loaded with `html`: https addresses, of providers ' +
      'in the list alone. Nothing loads them by itself.',
  })
  scripts!: string[];
}
