import { Field, InputType, Int } from 'type-graphql';
import { LongText, SearchText, ShortText, Text } from '../../../core/scalars.js';
import { Taxonomy } from '../content.enums.js';

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

  @Field(() => Int, {
    nullable: true,
    description: 'The term above it, in hierarchical taxonomies only.',
  })
  parentId?: number | null;

  @Field(() => LongText, { nullable: true, description: 'What the term stands for.' })
  description?: string | null;
}

@InputType({ description: 'A change of a term. What is absent or null stays.' })
export class UpdateTermInput {
  @Field(() => Int, { description: 'Id of the term.' })
  id!: number;

  @Field(() => ShortText, { nullable: true, description: 'Name as shown. The slug stays.' })
  name?: string | null;

  @Field(() => Text, {
    nullable: true,
    description: 'Name in addresses; a number is added when taken.',
  })
  slug?: string | null;

  @Field(() => Int, {
    nullable: true,
    description: 'The term above it, in hierarchical taxonomies only; 0 moves it to the top.',
  })
  parentId?: number | null;

  @Field(() => LongText, { nullable: true, description: 'What the term stands for.' })
  description?: string | null;
}

@InputType({ description: 'A term to delete. What bears it loses it; terms below it move up.' })
export class DeleteTermInput {
  @Field(() => Int, { description: 'Id of the term. The default category cannot be deleted.' })
  id!: number;
}

@InputType({ description: 'Which terms. Everything given must hold; what is null does not count.' })
export class TermListFilter {
  @Field(() => Int, {
    nullable: true,
    description: 'Limit result set to terms assigned to a specific post.',
  })
  item?: number | null;

  @Field(() => Int, {
    nullable: true,
    description: 'Limit result set to terms assigned to a specific parent; 0 is the top.',
  })
  parent?: number | null;

  @Field(() => SearchText, {
    nullable: true,
    description: 'Limit results to those matching a string.',
  })
  search?: string | null;

  @Field(() => [Text], {
    nullable: true,
    description: 'Limit result set to terms with one or more specific slugs.',
  })
  slug?: string[] | null;

  @Field(() => [Int], { nullable: true, description: 'Limit result set to specific IDs.' })
  include?: number[] | null;
}
