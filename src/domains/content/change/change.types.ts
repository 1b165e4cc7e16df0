import { ID, Int, ObjectType } from 'type-graphql';
import { Visible } from '../../../core/access.js';
import { type EnumValue, enumType } from '../../../core/enum-type.js';
import { CacheId, globalId, Node } from '../../../core/node.js';
import { connectionType } from '../../../core/paging.js';
import { payloadType } from '../../../core/payload.js';
import { DateTime } from '../../../core/scalars.js';
import { ItemKind } from '../content.enums.js';
import type { Kind } from '../item/item.kinds.js';
import { Item } from '../item/item.types.js';
import { ITEM_CLASSES } from '../item/item-kinds.types.js';

/** The kinds of changes. The values are those in the database. */
export const ContentChangeKind = enumType(
  'ContentChangeKind',
  'What happened to an item of content.',
  {
    CREATED: ['created', 'It was made.'],
    UPDATED: [
      'updated',
      'It was changed: its texts, its status, its author or how it is filed. A change of the author ' +
        'is listed for both.',
    ],
    TRASHED: ['trashed', 'It was moved to the trash.'],
    RESTORED: ['restored', 'It was taken back from the trash.'],
    DELETED: ['deleted', 'It was deleted for good.'],
    EDITING: ['editing', 'Somebody began to edit it.'],
    LEFT: ['left', 'Somebody edits it no more.'],
  },
);
export type ContentChangeKind = EnumValue<typeof ContentChangeKind>;

@ObjectType({
  implements: Node,
  description: 'What somebody did to an item of content. Kept for 30 days.',
})
export class ContentChange {
  id!: number;
  kind!: Kind;
  /** Of the item. */
  itemNumber!: number;
  byId!: number | null;

  @Visible(() => ContentChangeKind, { description: 'What happened.' })
  what!: ContentChangeKind;

  @Visible(() => DateTime, { description: 'When, in UTC.' })
  at!: Date;

  @Visible(() => ItemKind, { description: 'The kind of the item.' })
  get itemKind(): Kind {
    return this.kind;
  }

  @Visible(() => ID, { description: 'Global id of the item, which may be gone.' })
  get itemId(): string {
    return globalId(ITEM_CLASSES[this.kind].name, this.itemNumber);
  }
}

@ObjectType({ description: 'A page of changes of content, the latest first.' })
export class ContentChangeConnection extends connectionType(
  ContentChange,
  'ContentChange',
  'a change of content',
) {
  @Visible(() => Int, {
    description:
      'Version of the feed CONTENT that this shows: give it to `changes` as `since`. Read it ' +
      'with the list.',
  })
  version!: number;
}

@ObjectType({ description: 'Somebody who edits an item of content now.' })
export class ContentEditor {
  itemId!: number;
  accountId!: number;

  @CacheId('who edits the item')
  get key(): string {
    return globalId('ContentEditor', `${this.itemId}-${this.accountId}`);
  }

  @Visible(() => DateTime, { description: 'Since when, in UTC.' })
  since!: Date;

  @Visible(() => DateTime, { description: 'When this was said or something typed last, in UTC.' })
  seenAt!: Date;
}

/** What `announceEditing` returns. */
export const AnnounceEditingPayload = payloadType<{ content: Item }>('AnnounceEditing', {
  content: { type: () => Item, description: 'The item, with its `editors`.' },
});
