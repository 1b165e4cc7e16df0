import { Field, Int, ObjectType } from 'type-graphql';
import { Access, Visible } from '../../../core/access.js';
import { WEIGHTS, Weight } from '../../../core/cost.js';
import { Promised } from '../../../core/marks.js';
import { embeddedLines } from '../rendering/embeds.js';
import { shortened, USUAL_WORDS } from '../rendering/excerpt.js';
import { renderTitle } from '../rendering/rendering.js';
import { editors, ItemPart } from './item-part.types.js';

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

  @Weight(WEIGHTS.text)
  @Visible(() => String, { description: 'HTML title for the post, transformed for display.' })
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

  @Promised()
  @Weight(WEIGHTS.content)
  @Visible(() => String, {
    description:
      'HTML content for the post, transformed for display. Empty while a password protects it.',
  })
  get rendered(): string | Promise<string> {
    return this.isOpen ? this.html : '';
  }

  get html(): string | Promise<string> {
    const { row } = this;
    return this.isWhole ? (row.contentRendered ?? '') : this.shown.content(row);
  }

  @Visible(() => Boolean, { description: 'Whether the content is protected with a password.' })
  get protected(): boolean {
    return this.row.password !== '';
  }

  @Visible(() => Int, { description: 'Version of the content block format used by the post.' })
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

  @Promised()
  @Weight(WEIGHTS.excerpt)
  @Visible(() => String, {
    description:
      'HTML excerpt for the post, transformed for display. Empty while a password protects it.',
  })
  get rendered(): string | Promise<string> {
    return this.isOpen ? this.html(this.shown.excerptWords ?? USUAL_WORDS) : '';
  }

  /**
   * Returns the excerpt, with so many words when it is made of the content. More than usual read
   * that.
   */
  html(words: number): string | Promise<string> {
    const { row } = this;
    // Words are counted in what is made of the content alone.
    if (this.current && (words === USUAL_WORDS || row.excerpt.trim() !== ''))
      return row.excerptRendered;
    if (this.current && words < USUAL_WORDS) return shortened(row.excerptRendered, words);
    const content = embeddedLines(row.content ?? '', row.insets?.embeds);
    return this.shown.excerpt(row.excerpt, content, words);
  }

  @Visible(() => Boolean, { description: 'Whether the excerpt is protected with a password.' })
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

  @Visible(() => String, { description: 'GUID for the post, transformed for display.' })
  get rendered(): string {
    return this.shown.siteUrl + this.row.guid;
  }
}

@ObjectType({ description: 'Meta fields of an item.' })
export class ItemMeta extends ItemPart {
  @Weight(WEIGHTS.text)
  @Visible(() => String, {
    description:
      'Footnotes of the content, as JSON; empty when there are none, and while a password ' +
      'protects the content from somebody who may not edit it.',
  })
  get footnotes(): string {
    return this.isReadable ? this.row.footnotes : '';
  }
}
