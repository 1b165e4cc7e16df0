import { ArgsType, Field, InputType, Int } from 'type-graphql';
import { BasedOn, IdField, Internal, idInput, RestDescription } from '../../../core/marks.js';
import { Direction } from '../../../core/ordering.js';
import { LongText, SearchText, ShortText, SlugText, Text } from '../../../core/scalars.js';
import { Taxonomy, TermOrder } from '../content.enums.js';
import { NumberedPageArgs } from '../numbered-page.inputs.js';

@InputType({ description: 'A new term.' })
export class CreateTermInput {
  @Field(() => Taxonomy, { description: 'The vocabulary that it joins.' })
  taxonomy!: Taxonomy;

  @Field(() => ShortText, { description: 'Name as shown.' })
  name!: string;

  @Field(() => Text, {
    nullable: true,
    description: 'Name in addresses. Default: made from `name`; a number is added when taken.',
  })
  slug?: string | null;

  @IdField('Term', {
    nullable: true,
    description: 'The term above it, in hierarchical taxonomies only. TERM_PARENT_INVALID.',
  })
  parentId?: number | null;

  @Field(() => LongText, { nullable: true, description: 'What the term stands for.' })
  description?: string | null;
}

@InputType({
  description: 'A change of a term. What is absent or null stays, unless its field says otherwise.',
})
export class UpdateTermInput {
  @IdField('Term', { description: 'The term.' })
  id!: number;

  @BasedOn()
  version?: number | null;

  @Field(() => ShortText, { nullable: true, description: 'Name as shown. The slug stays.' })
  name?: string | null;

  @Field(() => Text, {
    nullable: true,
    description: 'Name in addresses; empty: made of the name. A number is added when taken.',
  })
  slug?: string | null;

  @IdField('Term', {
    nullable: true,
    description:
      'The term above it, in hierarchical taxonomies only; null moves it to the top. ' +
      'TERM_PARENT_INVALID.',
  })
  parentId?: number | null;

  @Field(() => LongText, { nullable: true, description: 'What the term stands for.' })
  description?: string | null;
}

@InputType({ description: 'A term to delete. What bears it loses it; terms below it move up.' })
export class DeleteTermInput extends idInput(
  'Term',
  'The term. The default category cannot be deleted.',
) {}

@InputType({ description: 'Which terms. Everything given must hold; what is null does not count.' })
export class TermListFilter {
  @RestDescription('Limit result set to terms assigned to a specific post.')
  @IdField(['Post', 'Page', 'HealthcareItem'], {
    nullable: true,
    description: 'Terms of this item. FORBIDDEN_CONTEXT where the viewer may not read it.',
  })
  itemId?: number | null;

  @RestDescription('Limit result set to terms assigned to a specific parent; 0 is the top.')
  @IdField('Term', { nullable: true, description: 'Terms directly below this term.' })
  parentId?: number | null;

  @Field(() => Boolean, {
    nullable: true,
    description: 'True: only terms with no term above them. False: only terms below another.',
  })
  topLevel?: boolean | null;

  @RestDescription('Limit results to those matching a string.')
  @Field(() => SearchText, {
    nullable: true,
    description: 'Terms whose name contains this; case and accents are ignored.',
  })
  search?: string | null;

  @RestDescription('Limit result set to terms with one or more specific slugs.')
  @Field(() => [SlugText], { nullable: true, description: 'Terms with one of these slugs.' })
  slugs?: string[] | null;

  @Internal()
  @Field(() => [Int], { nullable: true, description: 'Limit result set to specific IDs.' })
  include?: number[] | null;
}

/** Which term. */
@ArgsType()
export class TermArgs {
  @RestDescription('Unique identifier for the term.')
  @IdField('Term', { description: 'The term.' })
  id!: number;

  @Internal()
  @Field(() => Taxonomy, { nullable: true, description: 'The vocabulary that it belongs to.' })
  taxonomy?: Taxonomy | null;
}

/** Which terms, and which part of their list. */
@ArgsType()
export class TermListArgs extends NumberedPageArgs {
  @Field(() => Taxonomy, { description: 'The vocabulary.' })
  taxonomy!: Taxonomy;

  @Field(() => TermListFilter, { nullable: true, description: 'Which terms. Default: all.' })
  filter?: TermListFilter | null;

  @Internal()
  @Field(() => TermOrder, {
    nullable: true,
    description: 'Sort collection by term attribute: by id or slug, anything else is by name.',
  })
  by?: TermOrder | null;

  @Internal()
  @Field(() => Direction, {
    nullable: true,
    description: 'Order sort attribute ascending or descending. Default ASC.',
  })
  direction?: Direction | null;
}
