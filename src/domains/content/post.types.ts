import { DateTimeISOResolver } from 'graphql-scalars';
import { Field, Int, ObjectType } from 'type-graphql';
import { Access, anyone, type RowRule } from '../../access.js';
import { clockTime } from '../../platform/zone.js';
import { ClockTime } from '../../scalars.js';
import type { Viewer } from '../accounts/viewer.js';
import { ItemState, Openness, PostFormat } from './content.enums.js';
import { mayDelete, mayEdit } from './item.rights.js';
import type { ItemRow, Shown } from './item.row.js';
import { RENDERING, renderContent, renderExcerpt, renderTitle } from './rendering/rendering.js';
import { slugify } from './rendering/slug.js';

const FORBIDDEN = { reason: 'FORBIDDEN', message: 'Sorry, you are not allowed to edit this post.' };

/** Raw texts and the password: whoever may edit the post. */
const editors: RowRule = (viewer: Viewer, { row }: { row: ItemRow }) => (mayEdit(viewer, row) ? undefined : FORBIDDEN);

/** A part of a post that reads its columns. */
abstract class PostPart {
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
}

@ObjectType({ description: 'The title of a post.' })
export class PostTitle extends PostPart {
  @Access(editors)
  @Field(() => String, { nullable: true, description: 'Title for the post, as it exists in the database.' })
  get raw(): string {
    return this.row.title;
  }

  @Access(anyone)
  @Field(() => String, { description: 'HTML title for the post, transformed for display.' })
  get rendered(): string {
    return this.current ? this.row.titleRendered : renderTitle(this.row.title);
  }
}

@ObjectType({ description: 'The content of a post.' })
export class PostContent extends PostPart {
  @Access(editors)
  @Field(() => String, { nullable: true, description: 'Content for the post, as it exists in the database.' })
  get raw(): string {
    return this.row.content ?? '';
  }

  @Access(anyone)
  @Field(() => String, { description: 'HTML content for the post, transformed for display. Empty while a password protects it.' })
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

@ObjectType({ description: 'The excerpt of a post: the one given, or else the first words of the content.' })
export class PostExcerpt extends PostPart {
  @Access(editors)
  @Field(() => String, { nullable: true, description: 'Excerpt for the post, as it exists in the database.' })
  get raw(): string {
    return this.row.excerpt;
  }

  @Access(anyone)
  @Field(() => String, { description: 'HTML excerpt for the post, transformed for display. Empty while a password protects it.' })
  get rendered(): string {
    if (!this.open) return '';
    const { row, shown } = this;
    if (this.current && shown.excerptWords === undefined) return row.excerptRendered;
    return renderExcerpt(row.excerpt, row.content ?? '', shown.excerptWords);
  }

  @Access(anyone)
  @Field(() => Boolean, { description: 'Whether the excerpt is protected with a password.' })
  get protected(): boolean {
    return this.row.password !== '';
  }
}

@ObjectType({ description: 'The globally unique identifier of a post: an address that stays what it was at creation.' })
export class PostGuid extends PostPart {
  @Access(editors)
  @Field(() => String, { nullable: true, description: 'GUID for the post, as it exists in the database.' })
  get raw(): string {
    return this.rendered;
  }

  @Access(anyone)
  @Field(() => String, { description: 'GUID for the post, transformed for display.' })
  get rendered(): string {
    return this.shown.siteUrl + this.row.guid;
  }
}

@ObjectType({ description: 'Meta fields of a post.' })
export class PostMeta extends PostPart {
  @Access(anyone)
  @Field(() => String, { description: 'Footnotes of the content, as JSON; empty when there are none.' })
  get footnotes(): string {
    return this.row.footnotes;
  }
}

@ObjectType({ description: 'What the caller may do with a post.' })
export class PostRights extends PostPart {
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

@ObjectType({ description: 'A post: content in the stream of the site.' })
export class Post extends PostPart {
  @Access(anyone)
  @Field(() => Int, { description: 'Unique identifier for the post.' })
  get id(): number {
    return this.row.id;
  }

  @Access(anyone)
  @Field(() => ClockTime, { description: "The date the post was published, in the site's timezone." })
  get date(): string {
    return clockTime(this.row.publishedAt, this.shown.zone);
  }

  @Access(anyone)
  @Field(() => ClockTime, { description: 'The date the post was published, as GMT.' })
  get dateGmt(): string {
    return clockTime(this.row.publishedAt, 'UTC');
  }

  @Access(anyone)
  @Field(() => DateTimeISOResolver, { description: 'When the post was or will be published, in UTC.' })
  get publishedAt(): Date {
    return this.row.publishedAt;
  }

  @Access(anyone)
  @Field(() => PostGuid, { description: 'The globally unique identifier for the post.' })
  get guid(): PostGuid {
    return new PostGuid(this.row, this.shown);
  }

  @Access(anyone)
  @Field(() => ClockTime, { description: "The date the post was last modified, in the site's timezone." })
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
    description: 'An alphanumeric identifier for the post unique to its type. Empty until publication when none was given.',
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
    const addressed = row.status === 'publish' || row.status === 'private';
    return addressed ? `${shown.siteUrl}/${row.slug}/` : `${shown.siteUrl}/?p=${row.id}`;
  }

  @Access(anyone)
  @Field(() => PostTitle, { description: 'The title for the post.' })
  get title(): PostTitle {
    return new PostTitle(this.row, this.shown);
  }

  @Access(anyone)
  @Field(() => PostContent, { description: 'The content for the post.' })
  get content(): PostContent {
    return new PostContent(this.row, this.shown);
  }

  @Access(anyone)
  @Field(() => PostExcerpt, { description: 'The excerpt for the post.' })
  get excerpt(): PostExcerpt {
    return new PostExcerpt(this.row, this.shown);
  }

  @Access(anyone)
  @Field(() => Int, { description: 'The ID for the author of the post.' })
  get authorId(): number {
    return this.row.authorId;
  }

  @Access(anyone)
  @Field(() => Int, { description: 'The ID of the featured media for the post; 0 when none.' })
  get featuredMediaId(): number {
    return this.row.featuredMediaId;
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
  @Field(() => Boolean, { description: 'Whether or not the post should be treated as sticky.' })
  get sticky(): boolean {
    return this.row.sticky;
  }

  @Access(anyone)
  @Field(() => String, { description: 'The theme file to use to display the post; empty for the default.' })
  get template(): string {
    return this.row.template;
  }

  @Access(anyone)
  @Field(() => PostFormat, { description: 'The format for the post.' })
  get format(): string {
    return this.row.format;
  }

  @Access(anyone)
  @Field(() => PostMeta, { description: 'Meta fields.' })
  get meta(): PostMeta {
    return new PostMeta(this.row, this.shown);
  }

  @Access(anyone)
  @Field(() => [Int], { description: 'The terms assigned to the post in the category taxonomy, by name.' })
  get categoryIds(): readonly number[] {
    return this.row.categoryIds ?? [];
  }

  @Access(anyone)
  @Field(() => [Int], { description: 'The terms assigned to the post in the post_tag taxonomy, by name.' })
  get tagIds(): readonly number[] {
    return this.row.tagIds ?? [];
  }

  @Access(anyone)
  @Field(() => String, { description: 'Permalink template for the post.' })
  get permalinkTemplate(): string {
    return `${this.shown.siteUrl}/%postname%/`;
  }

  @Access(anyone)
  @Field(() => String, { description: 'Slug automatically generated from the post title.' })
  get generatedSlug(): string {
    return this.row.slug || slugify(this.row.title);
  }

  @Access(anyone)
  @Field(() => [String], { description: 'An array of the class names for the post container element.' })
  get classList(): string[] {
    const { row } = this;
    return [
      `post-${row.id}`,
      row.kind,
      `type-${row.kind}`,
      `status-${row.status}`,
      `format-${row.format}`,
      ...(row.featuredMediaId ? ['has-post-thumbnail'] : []),
      ...(this.open ? [] : ['post-password-required']),
      'hentry',
      ...(row.termClasses ?? []),
      ...(row.format === 'standard' ? [] : [`post_format-post-format-${row.format}`]),
    ];
  }

  @Access(anyone)
  @Field(() => Int, { description: 'Counts the changes of the post. A change may name the version it was based on.' })
  get version(): number {
    return this.row.version;
  }

  @Access(anyone)
  @Field(() => Int, { description: 'How many revisions and autosaves there are.' })
  get revisionCount(): number {
    return this.row.revisionCount;
  }

  @Access(anyone)
  @Field(() => Int, { nullable: true, description: 'Id of the newest revision; null when there is none.' })
  get latestRevisionId(): number | null {
    return this.row.latestRevisionId;
  }

  @Access(anyone)
  @Field(() => PostRights, { description: 'What the caller may do with the post.' })
  get viewerCan(): PostRights {
    return new PostRights(this.row, this.shown);
  }
}

@ObjectType({ description: 'A post that is gone for good.' })
export class DeletedPost {
  constructor(readonly previous: Post) {}

  @Access(anyone)
  @Field(() => Boolean, { description: 'Always true.' })
  readonly deleted: boolean = true;
}
