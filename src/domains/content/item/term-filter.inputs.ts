import { Field, InputType, Int } from 'type-graphql';
import { IdsField } from '../../../core/marks.js';
import { Relation } from '../content.enums.js';
import { Default, optional } from '../input-fields.js';

@InputType({
  description: 'Terms of one vocabulary. Everything given must hold; what is null does not count.',
})
export class TermFilter {
  @IdsField('Term', optional('Filed under at least one of these.'))
  anyOf?: number[] | null;

  @IdsField('Term', optional('Filed under every one of these.'))
  allOf?: number[] | null;

  @IdsField('Term', optional('Filed under none of these.'))
  noneOf?: number[] | null;

  @Field(
    () => Boolean,
    optional('Whether a term also stands for the terms below it. Default false.'),
  )
  includeDescendants?: boolean | null;
}

// The others are those of the REST editions. Their fields have the names of REST.

const TERMS = { nullable: true, description: 'Term IDs.' } as const;
const INCLUDE_CHILDREN = {
  nullable: true,
  description: 'Whether to include child terms in the terms limiting the result set.',
} as const;
const OPERATOR = {
  nullable: true,
  description: 'Whether items must be assigned all or any of the specified terms.',
} as const;

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

/** Terms as a condition: one of the four kinds of REST, or a part of `TermFilter`. */
export interface TermClause {
  readonly terms?: readonly number[] | null;
  readonly includeChildren?: boolean | null;
  readonly operator?: Relation | null;
}
