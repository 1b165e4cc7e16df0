import { Field, Int, ObjectType } from 'type-graphql';
import { Access, anyone } from '../../../core/access.js';
import { Rows } from '../../../core/cost.js';
import { PostFormat, Taxonomy } from '../content.enums.js';
import { Item, WrittenItem } from './item.types.js';

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
