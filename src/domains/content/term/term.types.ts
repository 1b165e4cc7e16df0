import { JSONObjectResolver } from 'graphql-scalars';
import { Int, ObjectType } from 'type-graphql';
import { Visible } from '../../../core/access.js';
import { WEIGHTS, Weight } from '../../../core/cost.js';
import { Internal, RestDescription } from '../../../core/marks.js';
import { Node, Version } from '../../../core/node.js';
import { connectionType } from '../../../core/paging.js';
import { WebAddress } from '../../../core/scalars.js';
import { Taxonomy } from '../content.enums.js';

/** Taxonomies whose terms have parents. */
export const HIERARCHICAL: ReadonlySet<Taxonomy> = new Set([
  Taxonomy.CATEGORY,
  Taxonomy.HEALTHCARE_CATEGORY,
  Taxonomy.LOCATION,
]);

/** A term as read. */
export interface TermRow {
  readonly id: number;
  readonly name: string;
  readonly nameKey: string;
  readonly slug: string;
  readonly taxonomy: string;
  readonly description: string;
  readonly parentId: number | null;
  readonly version: number;
  /** Its address below that of its vocabulary. */
  readonly path: string;
}

@ObjectType({ implements: Node, description: 'A term that content is filed under.' })
export class Term {
  constructor(row: TermRow, siteUrl: string) {
    Object.assign(this, row);
    const base = row.taxonomy === Taxonomy.TAG ? 'tag' : row.taxonomy;
    this.url = `${siteUrl}/${base}/${row.path}/`;
  }

  @RestDescription('Id of the term.')
  @Visible(() => Int, { name: 'databaseId', description: 'The number that apps know it by.' })
  id!: number;

  @Version()
  version!: number;

  @Visible(() => WebAddress, { description: 'Address of the page that lists what bears the term.' })
  url!: string;

  @Visible({ description: 'Name as shown.' })
  name!: string;

  /** See `TermRow`. */
  path!: string;

  /** The key by which terms are ordered. */
  nameKey!: string;

  @Visible({ description: 'Name in addresses; unique within the taxonomy.' })
  slug!: string;

  @Visible(() => Taxonomy, { description: 'The vocabulary that it belongs to.' })
  taxonomy!: Taxonomy;

  @Weight(WEIGHTS.text)
  @Visible({ description: 'What the term stands for, as HTML; may be empty.' })
  description!: string;

  @Internal()
  @Visible(() => Int, {
    nullable: true,
    description: 'Id of the term above it; null at the top and in flat taxonomies.',
  })
  parentId!: number | null;

  @Internal()
  @Visible({ description: 'Address of the page that lists what bears the term.' })
  get link(): string {
    return this.url;
  }

  @Internal()
  @Visible(() => JSONObjectResolver, { description: 'Meta fields: terms have none.' })
  get meta(): object {
    return {};
  }
}

/** A page of terms. */
export const TermConnection = connectionType(Term, 'Term', 'a term');
