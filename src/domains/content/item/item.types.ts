import { Field, Int, InterfaceType } from 'type-graphql';
import { Access, anyone } from '../../../core/access.js';
import { Rows, WEIGHTS, Weight } from '../../../core/cost.js';
import { ClockTime, DateTime } from '../../../core/scalars.js';
import { clockTime } from '../../../platform/zone.js';
import { ItemState, Openness } from '../content.enums.js';
import { slugify } from '../rendering/slug.js';
import { KINDS } from './item.kinds.js';
import { editors, ItemPart } from './item-part.types.js';
import { ItemRights } from './item-rights.types.js';
import { ItemContent, ItemExcerpt, ItemGuid, ItemMeta, ItemTitle } from './item-texts.types.js';

@InterfaceType({ description: 'What every kind of content has.' })
export abstract class Item extends ItemPart {
  @Access(anyone)
  @Field(() => Int, { description: 'Unique identifier for the post.' })
  get id(): number {
    return this.row.id;
  }

  @Access(anyone)
  @Field(() => ClockTime, {
    description: "The date the post was published, in the site's timezone.",
  })
  get date(): string {
    return clockTime(this.row.publishedAt, this.shown.zone);
  }

  @Access(anyone)
  @Field(() => ClockTime, { description: 'The date the post was published, as GMT.' })
  get dateGmt(): string {
    return clockTime(this.row.publishedAt, 'UTC');
  }

  @Access(anyone)
  @Field(() => DateTime, {
    description: 'When the post was or will be published, in UTC.',
  })
  get publishedAt(): Date {
    return this.row.publishedAt;
  }

  @Access(anyone)
  @Field(() => ItemGuid, { description: 'The globally unique identifier for the post.' })
  get guid(): ItemGuid {
    return new ItemGuid(this.row, this.shown);
  }

  @Access(anyone)
  @Field(() => ClockTime, {
    description: "The date the post was last modified, in the site's timezone.",
  })
  get modified(): string {
    return clockTime(this.row.modifiedAt, this.shown.zone);
  }

  @Access(anyone)
  @Field(() => ClockTime, { description: 'The date the post was last modified, as GMT.' })
  get modifiedGmt(): string {
    return clockTime(this.row.modifiedAt, 'UTC');
  }

  @Access(anyone)
  @Field(() => DateTime, { description: 'When the post was last modified, in UTC.' })
  get modifiedAt(): Date {
    return this.row.modifiedAt;
  }

  @Access(editors)
  @Field(() => String, {
    nullable: true,
    description: 'A password to protect access to the content and excerpt; empty when none.',
  })
  get password(): string {
    return this.row.password;
  }

  @Access(anyone)
  @Field(() => String, {
    description:
      'An alphanumeric identifier for the post unique to its type. Empty until publication ' +
      'when none was given.',
  })
  get slug(): string {
    return this.row.slug;
  }

  @Access(anyone)
  @Field(() => ItemState, { description: 'A named status for the post.' })
  get status(): string {
    return this.row.status;
  }

  @Access(anyone)
  @Field(() => String, { description: 'Type of post.' })
  get type(): string {
    return this.row.kind;
  }

  @Access(anyone)
  @Field(() => String, { description: 'URL to the post.' })
  get link(): string {
    const { row, shown } = this;
    const { path, plain } = KINDS[row.kind];
    const addressed = row.status === 'publish' || row.status === 'private';
    return shown.siteUrl + (addressed ? path(row.path ?? row.slug) : plain(row.id));
  }

  @Access(anyone)
  @Field(() => ItemTitle, { description: 'The title for the post.' })
  get title(): ItemTitle {
    return new ItemTitle(this.row, this.shown);
  }

  @Access(anyone)
  @Field(() => ItemContent, { description: 'The content for the post.' })
  get content(): ItemContent {
    return new ItemContent(this.row, this.shown);
  }

  @Access(anyone)
  @Field(() => Int, { description: 'The ID of the featured media for the post; 0 when none.' })
  get featuredMediaId(): number {
    return this.row.featuredMediaId;
  }

  @Access(anyone)
  @Field(() => String, {
    description: 'The theme file to use to display the post; empty for the default.',
  })
  get template(): string {
    return this.row.template;
  }

  @Access(anyone)
  @Field(() => String, { description: 'Permalink template for the post.' })
  get permalinkTemplate(): string {
    const { kind, path } = this.row;
    if (kind !== 'page') return this.shown.siteUrl + KINDS[kind].path('%postname%');
    const above = path?.includes('/') ? path.slice(0, path.lastIndexOf('/') + 1) : '';
    return this.shown.siteUrl + KINDS.page.path(`${above}%pagename%`);
  }

  @Access(anyone)
  @Weight(WEIGHTS.text)
  @Field(() => String, { description: 'Slug automatically generated from the post title.' })
  get generatedSlug(): string {
    return this.row.slug || slugify(this.row.title);
  }

  @Access(anyone)
  @Rows(10)
  @Field(() => [String], {
    description: 'An array of the class names for the post container element.',
  })
  get classList(): string[] {
    const { row } = this;
    return [
      `post-${row.id}`,
      row.kind,
      `type-${row.kind}`,
      `status-${row.status}`,
      ...(row.kind === 'post' ? [`format-${row.format}`] : []),
      ...(row.featuredMediaId ? ['has-post-thumbnail'] : []),
      ...(this.open ? [] : ['post-password-required']),
      'hentry',
      ...(row.termClasses ?? []),
      ...(row.format === 'standard' ? [] : [`post_format-post-format-${row.format}`]),
    ];
  }

  @Access(anyone)
  @Field(() => Int, {
    description: 'Counts the changes of the post. A change may name the version it was based on.',
  })
  get version(): number {
    return this.row.version;
  }

  @Access(anyone)
  @Field(() => ItemRights, { description: 'What the caller may do with the post.' })
  get viewerCan(): ItemRights {
    return new ItemRights(this.row, this.shown);
  }
}

@InterfaceType({
  implements: Item,
  description: 'What is written to be read as an article: posts and pages.',
})
export abstract class WrittenItem extends Item {
  @Access(anyone)
  @Field(() => ItemExcerpt, { description: 'The excerpt for the post.' })
  get excerpt(): ItemExcerpt {
    return new ItemExcerpt(this.row, this.shown);
  }

  @Access(anyone)
  @Field(() => Int, { description: 'The ID for the author of the post.' })
  get authorId(): number {
    return this.row.authorId;
  }

  @Access(anyone)
  @Field(() => Openness, { description: 'Whether or not comments are open on the post.' })
  get commentStatus(): Openness {
    return this.row.commentsOpen ? Openness.OPEN : Openness.CLOSED;
  }

  @Access(anyone)
  @Field(() => Openness, { description: 'Whether or not the post can be pinged.' })
  get pingStatus(): Openness {
    return this.row.pingsOpen ? Openness.OPEN : Openness.CLOSED;
  }

  @Access(anyone)
  @Field(() => ItemMeta, { description: 'Meta fields.' })
  get meta(): ItemMeta {
    return new ItemMeta(this.row, this.shown);
  }

  @Access(anyone)
  @Field(() => Int, { description: 'How many revisions and autosaves there are.' })
  get revisionCount(): number {
    return this.row.revisionCount;
  }

  @Access(anyone)
  @Field(() => Int, {
    nullable: true,
    description: 'Id of the newest revision; null when there is none.',
  })
  get latestRevisionId(): number | null {
    return this.row.latestRevisionId;
  }
}
