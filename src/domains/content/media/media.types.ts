import { JSONObjectResolver } from 'graphql-scalars';
import { Field, Int, ObjectType } from 'type-graphql';
import { Access, type RowRule, Visible } from '../../../core/access.js';
import { Rows, WEIGHTS, Weight } from '../../../core/cost.js';
import { Internal, Promised, RestDescription, RestObject } from '../../../core/marks.js';
import { Node, Version } from '../../../core/node.js';
import { connectionType } from '../../../core/paging.js';
import { ClockTime, DateTime, WebAddress } from '../../../core/scalars.js';
import type { Viewer } from '../../../core/viewer.js';
import { clockTime } from '../../../platform/zone.js';
import { shownModification, shownTime } from '../clocks.js';
import { Openness } from '../content.enums.js';
import type { Shown } from '../item/item.row.js';
import { mayChangeMedia } from './media.rights.js';
import type { MediaRow } from './media.row.js';
import {
  addressOf,
  DETAILS_SCHEMA,
  detailsOf,
  linkOf,
  MediaSize,
  sizesOf,
} from './media-file.types.js';
import { framed } from './media-frame.js';
import { MediaKind, mediaKindOf } from './media-kind.types.js';
import { MediaSource, RenderedText } from './media-text.types.js';

const changers: RowRule = (viewer: Viewer, { row }: Media) =>
  mayChangeMedia(viewer, row)
    ? undefined
    : { reason: 'FORBIDDEN', message: 'Only those who may change the medium see this.' };

@ObjectType({
  implements: Node,
  description:
    'A medium: the record of an image or another file that content shows. The bytes lie at `url`.',
})
export class Media {
  constructor(
    readonly row: MediaRow,
    readonly shown: Shown,
  ) {}

  @RestDescription('Unique identifier; content and media share one sequence.')
  @Visible(() => Int, {
    name: 'databaseId',
    description: 'The number that apps know it by. Content and media share one sequence.',
  })
  get id(): number {
    return this.row.id;
  }

  @Version()
  get version(): number {
    return this.row.version;
  }

  @Visible(() => DateTime, { description: 'When the medium was added, in UTC.' })
  get createdAt(): Date {
    return this.row.createdAt;
  }

  @Visible(() => DateTime, { description: 'When the medium was last modified, in UTC.' })
  get modifiedAt(): Date {
    return this.row.modifiedAt;
  }

  @Visible({ description: 'Name in addresses; unique among media.' })
  get slug(): string {
    return this.row.slug;
  }

  @Promised()
  @Weight(WEIGHTS.text)
  @Visible(() => String, { description: 'The title, as HTML.' })
  get title(): Promise<string> {
    return this.shown.render('renderTitle', this.row.title);
  }

  @Promised()
  @Weight(WEIGHTS.excerpt)
  @Visible(() => String, { description: 'A line to show below the medium, as HTML; may be empty.' })
  get caption(): Promise<string> {
    return this.shown.render('renderContent', this.row.caption);
  }

  @Promised()
  @Weight(WEIGHTS.excerpt)
  @Visible(() => String, { description: 'What the medium is about, as HTML; may be empty.' })
  get description(): Promise<string> {
    return this.shown.render('renderContent', this.row.description);
  }

  @Access(changers)
  @Field(() => MediaSource, {
    nullable: true,
    description: 'The texts as they were written. Null for those who may not change the medium.',
  })
  get source(): MediaSource {
    return new MediaSource(this.row);
  }

  @Visible({ description: 'Text in place of the image for those who do not see it; may be empty.' })
  get altText(): string {
    return this.row.altText;
  }

  @Visible(() => MediaKind, { description: 'Whether it is an image.' })
  get kind(): MediaKind {
    return mediaKindOf(this.row.mimeType);
  }

  @Visible({ description: 'Media type of the file, such as image/jpeg.' })
  get mimeType(): string {
    return this.row.mimeType;
  }

  @Visible(() => WebAddress, { description: 'Address of the file in its original size.' })
  get url(): string {
    return addressOf(this.row.sourceUrl, this.shown);
  }

  @Visible(() => Int, {
    nullable: true,
    description: 'Width of an image in pixels; null when unknown.',
  })
  get width(): number | null {
    return this.row.width || null;
  }

  @Visible(() => Int, {
    nullable: true,
    description: 'Height of an image in pixels; null when unknown.',
  })
  get height(): number | null {
    return this.row.height || null;
  }

  @Rows(20)
  @Visible(() => [MediaSize], {
    description: 'Renditions of an image, smallest first; at most 20.',
  })
  get sizes(): MediaSize[] {
    return sizesOf(this.row, this.shown);
  }

  @Internal()
  @Visible(() => ClockTime, {
    description: "The date the medium was added, in the site's timezone.",
  })
  get date(): string {
    return shownTime(this.row, this.row.createdAt, this.shown.zone);
  }

  @Internal()
  @Visible(() => ClockTime, { description: 'The date the medium was added, as GMT.' })
  get dateGmt(): string {
    return clockTime(this.row.createdAt, 'UTC');
  }

  @Internal()
  @Visible(() => ClockTime, {
    description: "The date the medium was last modified, in the site's timezone.",
  })
  get modified(): string {
    return shownModification(this.row, this.row.modifiedAt, this.shown.zone);
  }

  @Internal()
  @Visible(() => ClockTime, { description: 'The date the medium was last modified, as GMT.' })
  get modifiedGmt(): string {
    return clockTime(this.row.modifiedAt, 'UTC');
  }

  @Internal()
  @Visible({
    description:
      'Always "inherit": a medium is seen by whoever may see the item that it is attached to.',
  })
  get status(): string {
    return 'inherit';
  }

  @Internal()
  @Visible({ description: 'Always "attachment".' })
  get type(): string {
    return 'attachment';
  }

  @Internal()
  @Visible({
    description:
      'Address of the medium, which leads to its file: its slug, below the address of what it is ' +
      'attached to.',
  })
  get link(): string {
    return linkOf(this.row, this.shown);
  }

  @Internal()
  @Visible(() => RenderedText, {
    description: 'The globally unique identifier: an address that stays what it was at creation.',
  })
  get guid(): RenderedText {
    return new RenderedText(() => `${this.shown.siteUrl}/?attachment_id=${this.row.id}`);
  }

  @Internal()
  @Visible(() => RenderedText, { description: 'The title.' })
  get renderedTitle(): RenderedText {
    return new RenderedText(() => this.title);
  }

  @Internal()
  @Visible(() => RenderedText, {
    description: 'A line to show below the medium; without one, the words of its description.',
  })
  get renderedCaption(): RenderedText {
    const { caption, description } = this.row;
    if (caption.trim() !== '') return new RenderedText(() => this.shown.excerpt(caption, ''));
    // As the original, which shows what is known instead.
    const known = `${framed(this.row, this.shown)}\n${description}`;
    return new RenderedText(() => this.shown.excerpt('', known));
  }

  @Internal()
  @Visible(() => RenderedText, { description: 'The file, and what it is about.' })
  get renderedDescription(): RenderedText {
    return new RenderedText(
      async () => `${framed(this.row, this.shown)}\n${await this.description}`,
    );
  }

  @Internal()
  @Visible({ description: 'Address of the file in its original size.' })
  get sourceUrl(): string {
    return this.url;
  }

  @Internal()
  @RestObject('MediaDetails', DETAILS_SCHEMA)
  @Visible(() => JSONObjectResolver, {
    description:
      'The file: `width` and `height` in pixels (0 when unknown), `file`, and its renditions by name ' +
      'as `sizes`. Of an imported medium what the original showed, with `filesize` and `image_meta`.',
  })
  get details(): object {
    return detailsOf(this.row, this.shown);
  }

  @Internal()
  @Visible(() => Int, { description: 'Id of the account that added it.' })
  get authorId(): number {
    return this.row.authorId;
  }

  @Internal()
  @Visible(() => Int, { description: 'Always 0: media feature no media.' })
  get featuredMediaId(): number {
    return 0;
  }

  @Internal()
  @Visible(() => Openness, {
    description: 'Closed; of an imported medium whether comments were open in the original.',
  })
  get commentStatus(): Openness {
    return this.row.commentsOpen ? Openness.OPEN : Openness.CLOSED;
  }

  @Internal()
  @Visible(() => Openness, { description: 'Always closed.' })
  get pingStatus(): Openness {
    return Openness.CLOSED;
  }

  @Internal()
  @Visible({ description: 'Always empty: media are shown by no template.' })
  get template(): string {
    return '';
  }

  @Internal()
  @Visible(() => JSONObjectResolver, { description: 'Meta fields: media have none.' })
  get meta(): object {
    return {};
  }

  @Internal()
  @Visible(() => Int, {
    nullable: true,
    description:
      'Id of the item that it is attached to; null for none. Of an imported medium the id in the ' +
      'original, where it is attached to an item of a model.',
  })
  get itemId(): number | null {
    return this.row.itemId || this.row.attachment?.id || null;
  }
}

/** A page of media. */
export const MediaConnection = connectionType(Media, 'Media', 'a medium');
