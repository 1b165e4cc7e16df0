import { Field, Int, ObjectType } from 'type-graphql';
import { Access, anyone } from '../../../core/access.js';
import { Rows, WEIGHTS, Weight } from '../../../core/cost.js';
import { Node } from '../../../core/node.js';
import { DateTime } from '../../../core/scalars.js';
import { type FieldPart, isOn, type ModelRow } from '../definition/model.document.js';
import { ModelOption } from '../definition/model-option.types.js';
import { fieldTypeOf, ModelFieldType } from './field-types.js';
import { isMultiple } from './list-rule.js';

@ObjectType({ implements: Node, description: 'A field of a model: what items hold in it.' })
export class ModelField {
  constructor(
    readonly model: ModelRow,
    readonly field: FieldPart,
    position: number,
    /** The name before the change that is answered. */
    readonly oldName?: string,
  ) {
    this.position = position;
  }

  @Access(anyone)
  @Field(() => Int, { name: 'databaseId', description: 'The number that apps know it by.' })
  get id(): number {
    return this.field.id;
  }

  @Access(anyone)
  @Field(() => String, { description: 'Its name: unique in the model.' })
  get name(): string {
    return this.field.name;
  }

  @Access(anyone)
  @Weight(WEIGHTS.text)
  @Field(() => String, { description: 'Its name for people.' })
  get label(): string {
    return this.field.label;
  }

  @Access(anyone)
  @Weight(WEIGHTS.text)
  @Field(() => String, { description: 'What it is for; may be empty.' })
  get description(): string {
    return this.field.description;
  }

  @Access(anyone)
  @Field(() => ModelFieldType, {
    nullable: true,
    description:
      'What it holds. Null for a type that an app has made up: then it holds plain texts.',
  })
  get type(): ModelFieldType | null {
    return fieldTypeOf(this.field.type);
  }

  @Access(anyone)
  @Field(() => Boolean, {
    description: 'Whether every item must have a value (option `required`).',
  })
  get isRequired(): boolean {
    return isOn(this.field, 'required');
  }

  @Access(anyone)
  @Field(() => Boolean, { description: 'Whether it holds a list of values.' })
  get isList(): boolean {
    return isMultiple(this.field);
  }

  @Access(anyone)
  @Field(() => Boolean, {
    description:
      'Whether it has an index, so that filters and orders by it are fast (option `queryable`). A ' +
      'model has at most 20.',
  })
  get isQueryable(): boolean {
    return isOn(this.field, 'queryable');
  }

  @Access(anyone)
  @Field(() => Int, { description: 'Its place among the fields of the model, from 0.' })
  readonly position: number;

  @Access(anyone)
  @Rows(20)
  @Field(() => [ModelOption], { description: 'Its options, in the order in which they were set.' })
  get options(): ModelOption[] {
    return this.field.options.map(([name, value]) =>
      Object.assign(new ModelOption(), { name, value }),
    );
  }

  @Access(anyone)
  @Field(() => DateTime, {
    nullable: true,
    description: 'When it went into the bin, in UTC; null for a field in use.',
  })
  get removedAt(): Date | null {
    return this.field.removedAt ? new Date(this.field.removedAt) : null;
  }
}
