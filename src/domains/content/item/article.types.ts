import { Field, Int, InterfaceType } from 'type-graphql';
import { Access, Visible } from '../../../core/access.js';
import { WEIGHTS, Weight } from '../../../core/cost.js';
import { Internal, RestDescription } from '../../../core/marks.js';
import { Openness } from '../content.enums.js';
import { Item } from './item.types.js';
import { editors } from './item-part.types.js';
import { ItemExcerpt, ItemMeta } from './item-texts.types.js';

/** What is written to be read as an article. Author and revisions: item-relation.resolver.ts. */
@InterfaceType({
  implements: Item,
  description: 'Content that is written to be read as an article: posts and pages.',
})
export abstract class Article extends Item {
  @Access(editors)
  @Weight(WEIGHTS.excerpt)
  @Field(() => String, {
    nullable: true,
    description:
      'Excerpt as it was written; empty when it is made of the content. Null for who may not ' +
      'edit the item.',
  })
  get excerptSource(): string {
    return this.excerptText.raw;
  }

  @RestDescription('Whether or not comments are open on the post.')
  @Visible(() => Openness, { description: 'Whether it takes comments.' })
  get commentStatus(): Openness {
    return this.row.commentsOpen ? Openness.OPEN : Openness.CLOSED;
  }

  @RestDescription('Whether or not the post can be pinged.')
  @Visible(() => Openness, { description: 'Whether it takes pings of other sites.' })
  get pingStatus(): Openness {
    return this.row.pingsOpen ? Openness.OPEN : Openness.CLOSED;
  }

  @Weight(WEIGHTS.text)
  @Visible(() => String, {
    description:
      'Footnotes of the content, as JSON; empty when there are none, and while a password ' +
      'protects the content from a viewer who may not edit the item.',
  })
  get footnotes(): string {
    return this.meta.footnotes;
  }

  @Internal()
  @Visible(() => ItemExcerpt, { description: 'The excerpt for the post.' })
  get excerptText(): ItemExcerpt {
    return new ItemExcerpt(this.row, this.shown);
  }

  @Internal()
  @Visible(() => Int, { description: 'The ID for the author of the post.' })
  get authorId(): number {
    return this.row.authorId;
  }

  @Internal()
  @Visible(() => ItemMeta, { description: 'Meta fields.' })
  get meta(): ItemMeta {
    return new ItemMeta(this.row, this.shown);
  }

  @Internal()
  @Visible(() => Int, { description: 'How many revisions and autosaves there are.' })
  get revisionCount(): number {
    return this.row.revisionCount;
  }

  @Internal()
  @Visible(() => Int, {
    nullable: true,
    description: 'Id of the newest revision; null when there is none.',
  })
  get latestRevisionId(): number | null {
    return this.row.latestRevisionId;
  }
}
