import { JSONObjectResolver } from 'graphql-scalars';
import { Field, Int, ObjectType } from 'type-graphql';
import { Access, anyone } from '../../../core/access.js';
import { ClockTime, DateTime } from '../../../core/scalars.js';
import { clockTime } from '../../../platform/zone.js';
import { Openness } from '../content.enums.js';
import type { Shown } from '../item/item.row.js';
import { renderContent, renderTitle } from '../rendering/rendering.js';
import type { MediaRow } from './media.row.js';
import { addressOf, MediaDetails } from './media-file.types.js';
import { MediaKind, mediaKindOf } from './media-kind.types.js';
import { MediaText } from './media-text.types.js';

@ObjectType({
  description:
    'A medium: the record of an image or another file that content shows. The bytes lie at ' +
    '`sourceUrl`.',
})
export class Media {
  constructor(
    readonly row: MediaRow,
    readonly shown: Shown,
  ) {}

  @Access(anyone)
  @Field(() => Int, { description: 'Unique identifier; content and media share one sequence.' })
  get id(): number {
    return this.row.id;
  }

  @Access(anyone)
  @Field(() => ClockTime, { description: "The date the medium was added, in the site's timezone." })
  get date(): string {
    return clockTime(this.row.createdAt, this.shown.zone);
  }

  @Access(anyone)
  @Field(() => ClockTime, { description: 'The date the medium was added, as GMT.' })
  get dateGmt(): string {
    return clockTime(this.row.createdAt, 'UTC');
  }

  @Access(anyone)
  @Field(() => ClockTime, {
    description: "The date the medium was last modified, in the site's timezone.",
  })
  get modified(): string {
    return clockTime(this.row.modifiedAt, this.shown.zone);
  }

  @Access(anyone)
  @Field(() => ClockTime, { description: 'The date the medium was last modified, as GMT.' })
  get modifiedGmt(): string {
    return clockTime(this.row.modifiedAt, 'UTC');
  }

  @Access(anyone)
  @Field(() => DateTime, { description: 'When the medium was last modified, in UTC.' })
  get modifiedAt(): Date {
    return this.row.modifiedAt;
  }

  @Access(anyone)
  @Field({ description: 'Name in addresses; unique among media.' })
  get slug(): string {
    return this.row.slug;
  }

  @Access(anyone)
  @Field({
    description:
      'Always "inherit": a medium is seen by whoever may see the item that it is attached to.',
  })
  get status(): string {
    return 'inherit';
  }

  @Access(anyone)
  @Field({ description: 'Always "attachment".' })
  get type(): string {
    return 'attachment';
  }

  @Access(anyone)
  @Field({ description: 'Address of the page of the medium.' })
  get link(): string {
    return `${this.shown.siteUrl}/?attachment_id=${this.row.id}`;
  }

  @Access(anyone)
  @Field(() => MediaText, {
    description: 'The globally unique identifier: an address that stays what it was at creation.',
  })
  get guid(): MediaText {
    return new MediaText(this.row, this.link, String);
  }

  @Access(anyone)
  @Field(() => MediaText, { description: 'The title.' })
  get title(): MediaText {
    return new MediaText(this.row, this.row.title, renderTitle);
  }

  @Access(anyone)
  @Field(() => MediaText, { description: 'A line to show below the medium.' })
  get caption(): MediaText {
    return new MediaText(this.row, this.row.caption, renderContent);
  }

  @Access(anyone)
  @Field(() => MediaText, { description: 'What the medium is about.' })
  get description(): MediaText {
    return new MediaText(this.row, this.row.description, renderContent);
  }

  @Access(anyone)
  @Field({ description: 'Text in place of the image for those who do not see it; may be empty.' })
  get altText(): string {
    return this.row.altText;
  }

  @Access(anyone)
  @Field(() => MediaKind, { description: 'Whether it is an image.' })
  get mediaKind(): MediaKind {
    return mediaKindOf(this.row.mimeType);
  }

  @Access(anyone)
  @Field({ description: 'Media type of the file, such as image/jpeg.' })
  get mimeType(): string {
    return this.row.mimeType;
  }

  @Access(anyone)
  @Field({ description: 'Address of the file in its original size.' })
  get sourceUrl(): string {
    return addressOf(this.row.sourceUrl, this.shown);
  }

  @Access(anyone)
  @Field(() => MediaDetails, { description: 'The file and its renditions.' })
  get details(): MediaDetails {
    return new MediaDetails(this.row, this.shown);
  }

  @Access(anyone)
  @Field(() => Int, { description: 'Id of the account that added it.' })
  get authorId(): number {
    return this.row.authorId;
  }

  @Access(anyone)
  @Field(() => Int, { description: 'Always 0: media feature no media.' })
  get featuredMediaId(): number {
    return 0;
  }

  @Access(anyone)
  @Field(() => Openness, { description: 'Always closed.' })
  get commentStatus(): Openness {
    return Openness.CLOSED;
  }

  @Access(anyone)
  @Field(() => Openness, { description: 'Always closed.' })
  get pingStatus(): Openness {
    return Openness.CLOSED;
  }

  @Access(anyone)
  @Field({ description: 'Always empty: media are shown by no template.' })
  get template(): string {
    return '';
  }

  @Access(anyone)
  @Field(() => JSONObjectResolver, { description: 'Meta fields: media have none.' })
  get meta(): object {
    return {};
  }

  @Access(anyone)
  @Field(() => Int, {
    nullable: true,
    description: 'Id of the item that it is attached to; null for none.',
  })
  get itemId(): number | null {
    return this.row.itemId || null;
  }
}
