import { DateTimeISOResolver } from 'graphql-scalars';
import { Field, Int, InterfaceType, ObjectType } from 'type-graphql';
import { Access, anyone, type RowRule } from '../../../core/access.js';
import { Rows, WEIGHTS, Weight } from '../../../core/cost.js';
import type { Refusal } from '../../../core/errors.js';
import { ClockTime } from '../../../core/scalars.js';
import type { Viewer } from '../../../core/viewer.js';
import { clockTime } from '../../../platform/zone.js';
import { ItemState, Openness, PostFormat, Taxonomy } from '../content.enums.js';
import { shortened, USUAL_WORDS } from '../rendering/excerpt.js';
import { RENDERING, renderContent, renderExcerpt, renderTitle } from '../rendering/rendering.js';
import { slugify } from '../rendering/slug.js';
import { KINDS } from './item.kinds.js';
import { mayDelete, mayEdit } from './item.rights.js';
import type { ItemRow, Shown } from './item.row.js';

const FORBIDDEN: Refusal = {
  reason: 'FORBIDDEN',
  message: 'Sorry, you are not allowed to edit this post.',
};

/** Raw texts, the password and what was saved before: whoever may edit the post. */
export const editors: RowRule = (viewer: Viewer, { row }: { row: ItemRow }) =>
  mayEdit(viewer, row) ? undefined : FORBIDDEN;

/** A part of an item that reads its columns. */
abstract class ItemPart {
  constructor(
    readonly row: ItemRow,
    readonly shown: Shown,
  ) {}

  /** Whether protected texts are open to this caller. */
  protected get open(): boolean {
    const { row, shown } = this;
    return row.password === '' || shown.editing || shown.password === row.password;
  }

  protected get current(): boolean {
    return this.row.rendering === RENDERING;
  }

  protected termIds(taxonomy: Taxonomy): readonly number[] {
    return this.row[taxonomy] ?? [];
  }
}

@ObjectType({ description: 'The title of an item of content.' })
export class ItemTitle extends ItemPart {
  @Access(editors)
  @Weight(WEIGHTS.text)
  @Field(() => String, {
    nullable: true,
    description: 'Title for the post, as it exists in the database.',
  })
  get raw(): string {
    return this.row.title;
  }

  @Access(anyone)
  @Weight(WEIGHTS.text)
  @Field(() => String, { description: 'HTML title for the post, transformed for display.' })
  get rendered(): string {
    return this.current ? this.row.titleRendered : renderTitle(this.row.title);
  }
}

@ObjectType({ description: 'The content of an item.' })
export class ItemContent extends ItemPart {
  @Access(editors)
  @Weight(WEIGHTS.content)
  @Field(() => String, {
    nullable: true,
    description: 'Content for the post, as it exists in the database.',
  })
  get raw(): string {
    return this.row.content ?? '';
  }

  @Access(anyone)
  @Weight(WEIGHTS.content)
  @Field(() => String, {
    description:
      'HTML content for the post, transformed for display. Empty while a password protects it.',
  })
  get rendered(): string {
    if (!this.open) return '';
    return this.current ? (this.row.contentRendered ?? '') : renderContent(this.row.content ?? '');
  }

  @Access(anyone)
  @Field(() => Boolean, { description: 'Whether the content is protected with a password.' })
  get protected(): boolean {
    return this.row.password !== '';
  }

  @Access(anyone)
  @Field(() => Int, { description: 'Version of the content block format used by the post.' })
  get blockVersion(): number {
    return this.row.blockVersion;
  }
}

@ObjectType({
  description: 'The excerpt of an item: the one given, or else the first words of the content.',
})
export class ItemExcerpt extends ItemPart {
  @Access(editors)
  @Weight(WEIGHTS.excerpt)
  @Field(() => String, {
    nullable: true,
    description: 'Excerpt for the post, as it exists in the database.',
  })
  get raw(): string {
    return this.row.excerpt;
  }

  @Access(anyone)
  @Weight(WEIGHTS.excerpt)
  @Field(() => String, {
    description:
      'HTML excerpt for the post, transformed for display. Empty while a password protects it.',
  })
  get rendered(): string {
    if (!this.open) return '';
    const { row, shown } = this;
    const words = shown.excerptWords ?? USUAL_WORDS;
    // Words are counted in what is made of the content alone.
    if (this.current && (words === USUAL_WORDS || row.excerpt.trim() !== ''))
      return row.excerptRendered;
    if (this.current && words < USUAL_WORDS) return shortened(row.excerptRendered, words);
    return renderExcerpt(row.excerpt, row.content ?? '', words);
  }

  @Access(anyone)
  @Field(() => Boolean, { description: 'Whether the excerpt is protected with a password.' })
  get protected(): boolean {
    return this.row.password !== '';
  }
}

@ObjectType({
  description:
    'The globally unique identifier of an item: an address that stays what it was at creation.',
})
export class ItemGuid extends ItemPart {
  @Access(editors)
  @Field(() => String, {
    nullable: true,
    description: 'GUID for the post, as it exists in the database.',
  })
  get raw(): string {
    return this.rendered;
  }

  @Access(anyone)
  @Field(() => String, { description: 'GUID for the post, transformed for display.' })
  get rendered(): string {
    return this.shown.siteUrl + this.row.guid;
  }
}

@ObjectType({ description: 'Meta fields of an item.' })
export class ItemMeta extends ItemPart {
  @Access(anyone)
  @Weight(WEIGHTS.text)
  @Field(() => String, {
    description:
      'Footnotes of the content, as JSON; empty when there are none, and while a password protects the content from somebody ' +
      'who may not edit it.',
  })
  get footnotes(): string {
    return this.open || mayEdit(this.shown.viewer, this.row) ? this.row.footnotes : '';
  }
}

@ObjectType({ description: 'What the caller may do with an item.' })
export class ItemRights extends ItemPart {
  private can = this.shown.viewer.can.bind(this.shown.viewer);

  @Access(anyone)
  @Field(() => Boolean, { description: 'Change it.' })
  get edit(): boolean {
    return mayEdit(this.shown.viewer, this.row);
  }

  @Access(anyone)
  @Field(() => Boolean, { description: 'Move it to the bin or delete it.' })
  get delete(): boolean {
    return mayDelete(this.shown.viewer, this.row);
  }

  @Access(anyone)
  @Field(() => Boolean, { description: 'Publish it.' })
  get publish(): boolean {
    return this.can('publish_posts');
  }

  @Access(anyone)
  @Field(() => Boolean, { description: 'Store any HTML in it.' })
  get unfilteredHtml(): boolean {
    return this.can('unfiltered_html');
  }

  @Access(anyone)
  @Field(() => Boolean, { description: 'Make it sticky.' })
  get stick(): boolean {
    return this.can('edit_others_posts') && this.can('publish_posts');
  }

  @Access(anyone)
  @Field(() => Boolean, { description: 'Give it another author.' })
  get assignAuthor(): boolean {
    return this.can('edit_others_posts');
  }

  @Access(anyone)
  @Field(() => Boolean, { description: 'Make new terms in hierarchical taxonomies.' })
  get createCategories(): boolean {
    return this.can('manage_categories');
  }

  @Access(anyone)
  @Field(() => Boolean, { description: 'Make new terms in flat taxonomies.' })
  get createTags(): boolean {
    return this.can('edit_posts');
  }

  @Access(anyone)
  @Field(() => Boolean, { description: 'File it under terms.' })
  get assignTerms(): boolean {
    return this.can('edit_posts');
  }
}

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
  @Field(() => DateTimeISOResolver, {
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
  @Field(() => DateTimeISOResolver, { description: 'When the post was last modified, in UTC.' })
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

@ObjectType({ implements: WrittenItem, description: 'A post: content in the stream of the site.' })
export class Post extends WrittenItem {
  @Access(anyone)
  @Field(() => Boolean, { description: 'Whether or not the post should be treated as sticky.' })
  get sticky(): boolean {
    return this.row.sticky;
  }

  @Access(anyone)
  @Field(() => PostFormat, { description: 'The format for the post.' })
  get format(): string {
    return this.row.format;
  }

  @Access(anyone)
  @Rows(10)
  @Field(() => [Int], {
    description: 'The terms assigned to the post in the category taxonomy, by name.',
  })
  get categoryIds(): readonly number[] {
    return this.termIds(Taxonomy.CATEGORY);
  }

  @Access(anyone)
  @Rows(10)
  @Field(() => [Int], {
    description: 'The terms assigned to the post in the post_tag taxonomy, by name.',
  })
  get tagIds(): readonly number[] {
    return this.termIds(Taxonomy.TAG);
  }
}

@ObjectType({
  implements: WrittenItem,
  description: 'A page: content with a fixed place in a tree of pages.',
})
export class Page extends WrittenItem {
  @Access(anyone)
  @Field(() => Int, { description: 'The ID for the parent of the post; 0 at the top.' })
  get parentId(): number {
    return this.row.parentId;
  }

  @Access(anyone)
  @Field(() => Int, { description: 'The order of the post in relation to other posts.' })
  get menuOrder(): number {
    return this.row.menuOrder;
  }
}

@ObjectType({
  implements: Item,
  description:
    'A healthcare item: content about care, filed by place, language and field of medicine.',
})
export class HealthcareItem extends Item {
  @Access(anyone)
  @Rows(10)
  @Field(() => [Int], {
    description: 'The terms assigned to the post in the healthcare_category taxonomy, by name.',
  })
  get healthcareCategoryIds(): readonly number[] {
    return this.termIds(Taxonomy.HEALTHCARE_CATEGORY);
  }

  @Access(anyone)
  @Rows(10)
  @Field(() => [Int], {
    description: 'The terms assigned to the post in the language taxonomy, by name.',
  })
  get languageIds(): readonly number[] {
    return this.termIds(Taxonomy.LANGUAGE);
  }

  @Access(anyone)
  @Rows(10)
  @Field(() => [Int], {
    description: 'The terms assigned to the post in the location taxonomy, by name.',
  })
  get locationIds(): readonly number[] {
    return this.termIds(Taxonomy.LOCATION);
  }

  @Access(anyone)
  @Rows(10)
  @Field(() => [Int], {
    description: 'The terms assigned to the post in the therapeutic_area taxonomy, by name.',
  })
  get therapeuticAreaIds(): readonly number[] {
    return this.termIds(Taxonomy.THERAPEUTIC_AREA);
  }
}

/** The class that shows items of a kind. */
export const ITEM_CLASSES = { post: Post, page: Page, healthcare: HealthcareItem } as const;
