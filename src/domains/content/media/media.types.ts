import { DateTimeISOResolver, JSONObjectResolver } from 'graphql-scalars';
import { Field, Int, ObjectType, registerEnumType } from 'type-graphql';
import { Access, anyone, type RowRule } from '../../../core/access.js';
import { Rows, WEIGHTS, Weight } from '../../../core/cost.js';
import { ClockTime } from '../../../core/scalars.js';
import type { Viewer } from '../../../core/viewer.js';
import { clockTime } from '../../../platform/zone.js';
import { Openness } from '../content.enums.js';
import type { Shown } from '../item/item.row.js';
import { renderContent, renderTitle } from '../rendering/rendering.js';
import { mayChangeMedia } from './media.rights.js';

/** Media of these kinds can be featured; anything else is a file to download. */
export enum MediaKind {
  IMAGE = 'image',
  FILE = 'file',
}

registerEnumType(MediaKind, {
  name: 'MediaKind',
  description: 'What a medium is to a page.',
  valuesConfig: {
    IMAGE: { description: 'Shown in place; can be featured.' },
    FILE: { description: 'Linked to.' },
  },
});

/** A medium as read, with what decides whether it may be. */
export interface MediaRow {
  readonly id: number;
  readonly title: string;
  readonly slug: string;
  readonly caption: string;
  readonly description: string;
  readonly altText: string;
  readonly mimeType: string;
  readonly sourceUrl: string;
  readonly width: number;
  readonly height: number;
  /** JSON list of MediaSize. */
  readonly sizes: string;
  readonly authorId: number;
  /** The item that it is attached to; 0 for none. */
  readonly itemId: number;
  readonly createdAt: Date;
  readonly modifiedAt: Date;
}

export const mediaKindOf = (mimeType: string) =>
  mimeType.startsWith('image/') ? MediaKind.IMAGE : MediaKind.FILE;

/** An address as stored; the site's own files are stored without the site. */
const addressOf = (address: string, { siteUrl }: Shown) =>
  address.startsWith('/') ? new URL(address, siteUrl).href : address;

/** The last part of an address: the name of the file. */
export const fileName = (address: string) =>
  address
    .replace(/[?#].*/, '')
    .split('/')
    .at(-1) ?? '';

const changers: RowRule = (viewer: Viewer, { row }: { row: MediaRow }) =>
  mayChangeMedia(viewer, row)
    ? undefined
    : { reason: 'FORBIDDEN', message: 'Sorry, you are not allowed to edit this post.' };

@ObjectType({ description: 'A text of a medium.' })
export class MediaText {
  constructor(
    readonly row: MediaRow,
    private readonly text: string,
    private readonly render: (text: string) => string,
  ) {}

  @Access(changers)
  @Weight(WEIGHTS.text)
  @Field(() => String, {
    nullable: true,
    description: 'As it exists in the database. For those who may change the medium.',
  })
  get raw(): string {
    return this.text;
  }

  @Access(anyone)
  @Weight(WEIGHTS.excerpt)
  @Field(() => String, { description: 'HTML, transformed for display.' })
  get rendered(): string {
    return this.render(this.text);
  }
}

@ObjectType({ description: 'A rendition of an image.' })
export class MediaSize {
  @Access(anyone)
  @Field({ description: 'Name of the rendition: thumbnail, medium, large, …' })
  name!: string;

  @Access(anyone)
  @Field(() => Int, { description: 'Pixels.' })
  width!: number;

  @Access(anyone)
  @Field(() => Int, { description: 'Pixels.' })
  height!: number;

  @Access(anyone)
  @Field({ description: 'Address of the rendition.' })
  sourceUrl!: string;
}

@ObjectType({ description: 'The file of a medium and its renditions.' })
export class MediaDetails {
  constructor(
    private readonly row: MediaRow,
    private readonly shown: Shown,
  ) {}

  @Access(anyone)
  @Field(() => Int, { description: 'Pixels; 0 when unknown.' })
  get width(): number {
    return this.row.width;
  }

  @Access(anyone)
  @Field(() => Int, { description: 'Pixels; 0 when unknown.' })
  get height(): number {
    return this.row.height;
  }

  @Access(anyone)
  @Field({ description: 'Name of the file.' })
  get file(): string {
    return fileName(this.row.sourceUrl);
  }

  @Access(anyone)
  @Rows(20)
  @Field(() => [MediaSize], { description: 'Renditions of an image, smallest first.' })
  get sizes(): MediaSize[] {
    const sizes: MediaSize[] = JSON.parse(this.row.sizes);
    return sizes.map((size) => ({ ...size, sourceUrl: addressOf(size.sourceUrl, this.shown) }));
  }

  @Access(anyone)
  @Field(() => JSONObjectResolver, {
    description: 'The same renditions by name, as the REST interface shows them.',
  })
  get sizesByName(): Record<string, object> {
    return Object.fromEntries(
      this.sizes.map(({ name, width, height, sourceUrl }) => [
        name,
        {
          file: fileName(sourceUrl),
          width,
          height,
          mime_type: this.row.mimeType,
          source_url: sourceUrl,
        },
      ]),
    );
  }
}

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
  @Field(() => DateTimeISOResolver, { description: 'When the medium was last modified, in UTC.' })
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

@ObjectType({ description: 'A medium that is gone for good.' })
export class DeletedMedia {
  @Access(anyone)
  @Field(() => Boolean, { description: 'Always true.' })
  deleted!: boolean;

  @Access(anyone)
  @Field(() => Media, { description: 'The medium as it was.' })
  previous!: Media;
}

@ObjectType({ description: 'A page of a list of media, newest first.' })
export class MediaConnection {
  @Access(anyone)
  @Field(() => [Media], { description: 'The media.' })
  nodes!: Media[];

  @Access(anyone)
  @Field(() => Int, { description: 'How many media match and may be read by the caller.' })
  totalCount!: number;
}
