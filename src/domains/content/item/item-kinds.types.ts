import { Int, ObjectType } from 'type-graphql';
import { Visible } from '../../../core/access.js';
import { Rows } from '../../../core/cost.js';
import { Internal, RestDescription } from '../../../core/marks.js';
import { connectionType } from '../../../core/paging.js';
import { PostFormat, Taxonomy } from '../content.enums.js';
import { Article } from './article.types.js';
import { Item } from './item.types.js';

@ObjectType({
  implements: [Item, Article],
  description: 'A post: content in the stream of the site.',
})
export class Post extends Article {
  @RestDescription('Whether or not the post should be treated as sticky.')
  @Visible(() => Boolean, {
    name: 'isSticky',
    description: 'Whether it stays at the front of the stream.',
  })
  get sticky(): boolean {
    return this.row.sticky;
  }

  @RestDescription('The format for the post.')
  @Visible(() => PostFormat, { description: 'How it is presented.' })
  get format(): string {
    return this.row.format;
  }

  @Internal()
  @Rows(10)
  @Visible(() => [Int], {
    description: 'The terms assigned to the post in the category taxonomy, by name.',
  })
  get categoryIds(): readonly number[] {
    return this.termIds(Taxonomy.CATEGORY);
  }

  @Internal()
  @Rows(10)
  @Visible(() => [Int], {
    description: 'The terms assigned to the post in the post_tag taxonomy, by name.',
  })
  get tagIds(): readonly number[] {
    return this.termIds(Taxonomy.TAG);
  }
}

@ObjectType({
  implements: [Item, Article],
  description: 'A page: content with a fixed place in a tree of pages.',
})
export class Page extends Article {
  @Internal()
  @Visible(() => Int, { description: 'The ID for the parent of the post; 0 at the top.' })
  get parentId(): number {
    return this.row.parentId;
  }

  @RestDescription('The order of the post in relation to other posts.')
  @Visible(() => Int, { description: 'Its place among its siblings: the smallest is first.' })
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
  @Internal()
  @Rows(10)
  @Visible(() => [Int], {
    description: 'The terms assigned to the post in the healthcare_category taxonomy, by name.',
  })
  get healthcareCategoryIds(): readonly number[] {
    return this.termIds(Taxonomy.HEALTHCARE_CATEGORY);
  }

  @Internal()
  @Rows(10)
  @Visible(() => [Int], {
    description: 'The terms assigned to the post in the language taxonomy, by name.',
  })
  get languageIds(): readonly number[] {
    return this.termIds(Taxonomy.LANGUAGE);
  }

  @Internal()
  @Rows(10)
  @Visible(() => [Int], {
    description: 'The terms assigned to the post in the location taxonomy, by name.',
  })
  get locationIds(): readonly number[] {
    return this.termIds(Taxonomy.LOCATION);
  }

  @Internal()
  @Rows(10)
  @Visible(() => [Int], {
    description: 'The terms assigned to the post in the therapeutic_area taxonomy, by name.',
  })
  get therapeuticAreaIds(): readonly number[] {
    return this.termIds(Taxonomy.THERAPEUTIC_AREA);
  }
}

/** The class that shows items of a kind. */
export const ITEM_CLASSES = { post: Post, page: Page, healthcare: HealthcareItem } as const;

/** A page of a list of each kind of content. */
export const ITEM_CONNECTIONS = {
  post: connectionType(Post, 'Post', 'a post'),
  page: connectionType(Page, 'Page', 'a page'),
  healthcare: connectionType(HealthcareItem, 'HealthcareItem', 'a healthcare item'),
} as const;

/** A page of a list of content of several kinds. */
export const ContentItemConnection = connectionType(
  Item as typeof Post,
  'ContentItem',
  'an item of content',
);
