import { JSONObjectResolver } from 'graphql-scalars';
import { Field, Int, ObjectType } from 'type-graphql';
import { Access, anyone } from '../../../core/access.js';
import { WEIGHTS, Weight } from '../../../core/cost.js';
import { Taxonomy } from '../content.enums.js';

/** The names of a taxonomy: its own in links of content, `base` in routes and parameters. */
export const TAXONOMY_BASE: Readonly<Record<Taxonomy, string>> = {
  [Taxonomy.CATEGORY]: 'categories',
  [Taxonomy.TAG]: 'tags',
  [Taxonomy.HEALTHCARE_CATEGORY]: 'healthcare_category',
  [Taxonomy.LANGUAGE]: 'language',
  [Taxonomy.LOCATION]: 'location',
  [Taxonomy.THERAPEUTIC_AREA]: 'therapeutic_area',
};

/** Taxonomies whose terms have parents. */
export const HIERARCHICAL: ReadonlySet<Taxonomy> = new Set([
  Taxonomy.CATEGORY,
  Taxonomy.HEALTHCARE_CATEGORY,
  Taxonomy.LOCATION,
]);

@ObjectType({ description: 'A term that content is filed under.' })
export class Term {
  constructor(
    row: {
      id: number;
      name: string;
      slug: string;
      taxonomy: string;
      description: string;
      parentId: number | null;
    },
    siteUrl: string,
  ) {
    Object.assign(this, row);
    const path = row.taxonomy === Taxonomy.TAG ? 'tag' : row.taxonomy;
    this.link = `${siteUrl}/${path}/${row.slug}/`;
  }

  @Access(anyone)
  @Field(() => Int, { description: 'Id of the term.' })
  id!: number;

  @Access(anyone)
  @Field({ description: 'Address of the page that lists what bears the term.' })
  link!: string;

  @Access(anyone)
  @Field({ description: 'Name as shown.' })
  name!: string;

  @Access(anyone)
  @Field({ description: 'Name in addresses; unique within the taxonomy.' })
  slug!: string;

  @Access(anyone)
  @Field(() => Taxonomy, { description: 'The vocabulary that it belongs to.' })
  taxonomy!: Taxonomy;

  @Access(anyone)
  @Weight(WEIGHTS.text)
  @Field({ description: 'What the term stands for; may be empty.' })
  description!: string;

  @Access(anyone)
  @Field(() => Int, {
    nullable: true,
    description: 'Id of the term above it; null at the top and in flat taxonomies.',
  })
  parentId!: number | null;

  @Access(anyone)
  @Field(() => JSONObjectResolver, { description: 'Meta fields: terms have none.' })
  get meta(): object {
    return {};
  }
}

@ObjectType({ description: 'A term that is gone for good.' })
export class DeletedTerm {
  @Access(anyone)
  @Field(() => Boolean, { description: 'Always true.' })
  deleted!: boolean;

  @Access(anyone)
  @Field(() => Term, { description: 'The term as it was.' })
  previous!: Term;
}

@ObjectType({ description: 'A page of a list of terms, by name.' })
export class TermConnection {
  @Access(anyone)
  @Field(() => [Term], { description: 'The terms.' })
  nodes!: Term[];

  @Access(anyone)
  @Field(() => Int, { description: 'How many terms match.' })
  totalCount!: number;
}
