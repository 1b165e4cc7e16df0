import { JSONObjectResolver } from 'graphql-scalars';
import { Int, ObjectType } from 'type-graphql';
import { Visible } from '../../../core/access.js';
import { WEIGHTS, Weight } from '../../../core/cost.js';
import { Internal, Promised, RestDescription } from '../../../core/marks.js';
import { Node } from '../../../core/node.js';
import { connectionType } from '../../../core/paging.js';
import { ClockTime, DateTime, WebAddress } from '../../../core/scalars.js';
import type { Selection } from '../../../core/selection.js';
import { clockTime } from '../../../platform/zone.js';
import { type Clocked, shownModification, shownTime } from '../clocks.js';
import { ItemKind } from '../content.enums.js';
import type { Kind } from '../item/item.kinds.js';
import type { Shown } from '../item/item.row.js';
import { RevisionMeta, RevisionText } from './revision-text.types.js';

/** A revision or autosave as read. Texts that were not asked for are empty. */
export interface RevisionRow extends Clocked {
  readonly id: number;
  /** The item that it is of; 0 for a draft that was saved straight into its item. */
  readonly itemId: number;
  readonly kind: Kind;
  readonly slug: string;
  readonly guid: string;
  readonly authorId: number;
  readonly title: string;
  readonly content: string;
  readonly excerpt: string;
  readonly footnotes: string;
  /** Null for a draft without a date that was saved straight into its item. */
  readonly createdAt: Date | null;
  readonly modifiedAt: Date;
}

@ObjectType({
  implements: Node,
  description:
    'What an item of content was or is to become: a state that was saved, or an autosave. For ' +
    'those who may edit the item.',
})
export class Revision {
  constructor(
    readonly row: RevisionRow,
    readonly shown: Shown,
  ) {}

  @RestDescription('Unique identifier for the revision.')
  @Visible(() => Int, {
    name: 'databaseId',
    description: 'The number that apps know it by.',
  })
  get id(): number {
    return this.row.id;
  }

  @Visible(() => Boolean, {
    description: 'Whether it is an autosave: typed, but not saved into the item.',
  })
  get isAutosave(): boolean {
    return this.row.slug.endsWith('-autosave-v1');
  }

  @Visible(() => DateTime, { description: 'When it was saved, in UTC.' })
  get createdAt(): Date | null {
    return this.row.createdAt;
  }

  @Promised()
  @Weight(WEIGHTS.excerpt)
  @Visible(() => String, { description: 'Title, as HTML.' })
  get title(): string | Promise<string> {
    return this.titleText.rendered;
  }

  @Weight(WEIGHTS.excerpt)
  @Visible(() => String, { description: 'Title as it was written.' })
  get titleSource(): string {
    return this.row.title;
  }

  @Promised()
  @Weight(WEIGHTS.excerpt)
  @Visible(() => String, { description: 'Content, as HTML.' })
  get content(): string | Promise<string> {
    return this.contentText.rendered;
  }

  @Weight(WEIGHTS.excerpt)
  @Visible(() => String, { description: 'Content as it was written.' })
  get contentSource(): string {
    return this.row.content;
  }

  @Promised()
  @Weight(WEIGHTS.excerpt)
  @Visible(() => String, {
    description: 'Excerpt, as HTML; empty when none was written. Never made of the content.',
  })
  get excerpt(): string | Promise<string> {
    return this.excerptText.rendered;
  }

  @Weight(WEIGHTS.excerpt)
  @Visible(() => String, { description: 'Excerpt as it was written.' })
  get excerptSource(): string {
    return this.row.excerpt;
  }

  @Weight(WEIGHTS.text)
  @Visible(() => String, {
    description: 'Footnotes of the content, as JSON; empty when there are none.',
  })
  get footnotes(): string {
    return this.row.footnotes;
  }

  @Visible(() => WebAddress, { description: 'Address of a preview of it on the site.' })
  get previewUrl(): string {
    return this.previewLink;
  }

  @Internal()
  @Visible(() => Int, { description: 'The ID for the author of the revision.' })
  get authorId(): number {
    return this.row.authorId;
  }

  @Internal()
  @Visible(() => ClockTime, {
    nullable: true,
    description:
      "The date the revision was published, in the site's timezone. Null for a draft without a " +
      'date that was saved into itself.',
  })
  get date(): string | null {
    const { createdAt } = this.row;
    return createdAt && shownTime(this.row, createdAt, this.shown.zone);
  }

  @Internal()
  @Visible(() => ClockTime, {
    nullable: true,
    description:
      'The date the revision was published, as GMT. Null for a draft without a date that was ' +
      'saved into itself.',
  })
  get dateGmt(): string | null {
    const { createdAt } = this.row;
    return createdAt && clockTime(createdAt, 'UTC');
  }

  @Internal()
  @Visible(() => ClockTime, {
    description: "The date the revision was last modified, in the site's timezone.",
  })
  get modified(): string {
    return shownModification(this.row, this.row.modifiedAt, this.shown.zone);
  }

  @Internal()
  @Visible(() => ClockTime, { description: 'The date the revision was last modified, as GMT.' })
  get modifiedGmt(): string {
    return clockTime(this.row.modifiedAt, 'UTC');
  }

  @Internal()
  @Visible(() => Int, {
    description: 'The ID for the parent of the revision; 0 for a draft that was saved into itself.',
  })
  get parentId(): number {
    return this.row.itemId;
  }

  @Internal()
  @Visible(() => ItemKind, { description: 'The kind of the item that it is of.' })
  get kind(): Kind {
    return this.row.kind;
  }

  @Internal()
  @Visible(() => String, {
    description: 'An alphanumeric identifier for the revision unique to its type.',
  })
  get slug(): string {
    return this.row.slug;
  }

  @Internal()
  @Visible(() => RevisionText, { description: 'GUID for the revision.' })
  get guid(): RevisionText {
    return new RevisionText(this.shown.siteUrl + this.row.guid, String);
  }

  @Internal()
  @Visible(() => RevisionText, { description: 'Title for the revision.' })
  get titleText(): RevisionText {
    return new RevisionText(this.row.title, (raw) => this.shown.render('renderTitle', raw));
  }

  @Internal()
  @Visible(() => RevisionText, { description: 'Content for the revision.' })
  get contentText(): RevisionText {
    const { id, itemId, content, footnotes } = this.row;
    return new RevisionText(content, async (raw) =>
      this.shown.content({ id, itemId, content: raw, footnotes }),
    );
  }

  @Internal()
  @Visible(() => RevisionText, {
    description: 'Excerpt for the revision; never made from the content.',
  })
  get excerptText(): RevisionText {
    return new RevisionText(this.row.excerpt, (raw) => this.shown.excerpt(raw, ''));
  }

  @Internal()
  @Visible(() => JSONObjectResolver, { description: 'Meta fields: healthcare items have none.' })
  get noMeta(): object {
    return {};
  }

  @Internal()
  @Visible(() => RevisionMeta, { description: 'Meta fields.' })
  get meta(): RevisionMeta {
    return new RevisionMeta(this.row.footnotes);
  }

  @Internal()
  @Visible(() => String, { description: 'Preview link for the post.' })
  get previewLink(): string {
    const { itemId, id } = this.row;
    return `${this.shown.siteUrl}/?p=${itemId || id}&preview=true`;
  }
}

/** A page of revisions. */
export const RevisionConnection = connectionType(Revision, 'Revision', 'a revision');

/** The list of the REST editions. */
@ObjectType({ description: 'A page of a list of revisions.' })
export class RevisionList {
  @Visible(() => [Revision], { description: 'The revisions.' })
  nodes!: Revision[];

  @Visible(() => Int, { description: 'How many revisions match.' })
  totalCount!: number;
}

const CONTENT_FIELDS = ['content', 'contentSource', 'contentText'];

/** Returns whether a selection of a list of revisions reads their contents. */
export function readsContent(selection: Selection): boolean {
  const lists = [selection.get('nodes'), selection.get('edges')?.get('node')];
  return lists.some((revision) => CONTENT_FIELDS.some((name) => revision?.has(name)));
}
