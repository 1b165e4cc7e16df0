import { Field, InputType, Int } from 'type-graphql';
import { LongText, ShortText, Text } from '../../scalars.js';
import { Taxonomy } from './content.enums.js';

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

  @Field(() => Int, { nullable: true, description: 'The term above it, in hierarchical taxonomies only.' })
  parentId?: number | null;

  @Field(() => LongText, { nullable: true, description: 'What the term stands for.' })
  description?: string | null;
}
