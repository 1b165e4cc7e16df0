import { ArgsType, Field, InputType, Int } from 'type-graphql';
import { type EnumValue, enumType } from '../../../core/enum-type.js';
import { IdField } from '../../../core/marks.js';
import { Direction } from '../../../core/ordering.js';
import { PageArgs } from '../../../core/paging.js';
import { AnyJson, SearchText, Text } from '../../../core/scalars.js';

/** How a value of an item is compared with a given one. */
export const ModelOperator = enumType(
  'ModelOperator',
  'How values are compared. Texts are compared without regard to case and accents, by their ' +
    'first 250 characters. An item without a value is neither less nor greater than anything.',
  {
    EQUALS: ['equals', 'The same. A list has the value among its entries.'],
    NOT_EQUALS: ['not_equals', 'Not the same, or none at all.'],
    IN: ['in', 'The same as one of a list of at most 100 values.'],
    LESS: ['less', 'Less than the value; of dates and times, before it.'],
    LESS_OR_EQUAL: ['less_or_equal', 'Not more than the value.'],
    GREATER: ['greater', 'More than the value; of dates and times, after it.'],
    GREATER_OR_EQUAL: ['greater_or_equal', 'Not less than the value.'],
    STARTS_WITH: ['starts_with', 'A text that begins so.'],
    CONTAINS: ['contains', 'A text that has this somewhere.'],
    IS_EMPTY: [
      'is_empty',
      'No value; with `value: false` any value: the ids of rows that are deleted count as one.',
    ],
  },
);
export type ModelOperator = EnumValue<typeof ModelOperator>;

@InputType({ description: 'A value for a field.' })
export class ModelValueInput {
  @Field(() => Text, { description: 'Name of the field. MODEL_FIELD_UNKNOWN.' })
  field!: string;

  @Field(() => AnyJson, {
    nullable: true,
    description:
      'The value, as the type of the field says: a text, a number, a boolean, an id or a list of ' +
      'ids. Ids are those of rows that the viewer may see: of accounts the authors of published ' +
      'content, for administrators all. An id of another is refused as one of nothing, unless the ' +
      'field of the item holds it already. Null takes the value away. Rows that the field holds ' +
      'and the viewer may not see are not taken away: a list keeps them behind the given ids, in ' +
      'their order, and they count against its limit; a list that is sent back as it was read ' +
      'stays as it is; a single row stays when null is given, and another id replaces it. ' +
      'Administrators replace all. MODEL_VALUE_INVALID, MODEL_VALUE_REQUIRED.',
  })
  value?: unknown;
}

@InputType({ description: 'A new item.' })
export class CreateModelItemInput {
  @IdField('Model', { description: 'Its model.' })
  modelId!: number;

  @Field(() => [ModelValueInput], {
    description: 'Its values. A field that is left out gets its default, if it has one.',
  })
  values!: ModelValueInput[];
}

@InputType({ description: 'A change of an item. Fields that are left out keep their values.' })
export class UpdateModelItemInput {
  @IdField('ModelItem', { description: 'The item.' })
  id!: number;

  @Field(() => Int, {
    description: 'The version that is changed. CONFLICT when the item has another.',
  })
  version!: number;

  @Field(() => [ModelValueInput], { description: 'The values to set.' })
  values!: ModelValueInput[];
}

@InputType({ description: 'An item to delete for good.' })
export class DeleteModelItemInput {
  @IdField('ModelItem', { description: 'The item.' })
  id!: number;

  @Field(() => Int, {
    description: 'The version that is deleted. CONFLICT when the item has another.',
  })
  version!: number;
}

@InputType({ description: 'A condition on a field of items.' })
export class ModelItemCondition {
  @Field(() => Text, { description: 'Name of the field. MODEL_FIELD_UNKNOWN.' })
  field!: string;

  @Field(() => ModelOperator, { nullable: true, description: 'How to compare. Default: EQUALS.' })
  operator?: ModelOperator | null;

  @Field(() => AnyJson, {
    nullable: true,
    description:
      'What to compare with: of a field that points at rows their ids. MODEL_VALUE_INVALID when the ' +
      'field cannot hold it.',
  })
  value?: unknown;
}

@InputType({ description: 'The order of a list of items. Ties are ordered by number.' })
export class ModelItemOrder {
  @Field(() => Text, {
    description: 'Name of the field. Items without a value come first when ascending.',
  })
  field!: string;

  @Field(() => Direction, { nullable: true, description: 'Default: ASC.' })
  direction?: Direction | null;
}

@ArgsType()
export class ModelItemsArgs extends PageArgs {
  @Field(() => [ModelItemCondition], {
    nullable: true,
    description: 'Conditions that all must hold, at most 20.',
  })
  filter?: ModelItemCondition[] | null;

  @Field(() => ModelItemOrder, {
    nullable: true,
    description: 'Default: by number, the newest first.',
  })
  orderBy?: ModelItemOrder | null;

  @Field(() => SearchText, {
    nullable: true,
    description: 'Words that all must stand in texts of the item.',
  })
  search?: string | null;
}
