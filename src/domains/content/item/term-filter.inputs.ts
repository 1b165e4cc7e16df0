import { Field, InputType, Int } from 'type-graphql';
import { Relation } from '../content.enums.js';
import { Default } from '../input-fields.js';

const TERMS = { nullable: true, description: 'Term IDs.' } as const;
const INCLUDE_CHILDREN = {
  nullable: true,
  description: 'Whether to include child terms in the terms limiting the result set.',
} as const;
const OPERATOR = {
  nullable: true,
  description: 'Whether items must be assigned all or any of the specified terms.',
} as const;

// Each lists its own fields: a class does not inherit the extensions of a field, such as `Default`.

@InputType({ description: 'Terms of a flat taxonomy that must not be there.' })
export class FlatTermExclusion {
  @Default([])
  @Field(() => [Int], TERMS)
  terms?: number[] | null;
}

@InputType({ description: 'Terms of a hierarchical taxonomy that must not be there.' })
export class TreeTermExclusion {
  @Default([])
  @Field(() => [Int], TERMS)
  terms?: number[] | null;

  @Default(false)
  @Field(() => Boolean, INCLUDE_CHILDREN)
  includeChildren?: boolean | null;
}

@InputType({ description: 'Terms of a flat taxonomy that must be there.' })
export class FlatTermFilter {
  @Default([])
  @Field(() => [Int], TERMS)
  terms?: number[] | null;

  @Default(Relation.OR)
  @Field(() => Relation, OPERATOR)
  operator?: Relation | null;
}

@InputType({ description: 'Terms of a hierarchical taxonomy that must be there.' })
export class TreeTermFilter {
  @Default([])
  @Field(() => [Int], TERMS)
  terms?: number[] | null;

  @Default(false)
  @Field(() => Boolean, INCLUDE_CHILDREN)
  includeChildren?: boolean | null;

  @Default(Relation.OR)
  @Field(() => Relation, OPERATOR)
  operator?: Relation | null;
}

/** A term filter of any of the four kinds. */
export interface TermFilter {
  terms?: number[] | null;
  includeChildren?: boolean | null;
  operator?: Relation | null;
}
