import { ObjectType } from 'type-graphql';
import { Visible } from '../../../core/access.js';
import { Node } from '../../../core/node.js';
import { DateTime } from '../../../core/scalars.js';
import { type FieldPart, isOn } from '../definition/model.document.js';
import { ModelPart } from '../definition/model-part.types.js';
import { isRequired } from './field-rule.js';
import { fieldTypeOf, ModelFieldType } from './field-types.js';
import { isMultiple } from './list-rule.js';

@ObjectType({ implements: Node, description: 'A field of a model: what items hold in it.' })
export class ModelField extends ModelPart<FieldPart> {
  @Visible(() => ModelFieldType, {
    nullable: true,
    description:
      'What it holds. Null for a type that an app has made up: then it holds plain texts.',
  })
  get type(): ModelFieldType | null {
    return fieldTypeOf(this.part.type);
  }

  @Visible(() => Boolean, {
    description:
      'Whether every item must have a value: the option `required`, of a field that can hold one.',
  })
  get isRequired(): boolean {
    return isRequired(this.part);
  }

  @Visible(() => Boolean, { description: 'Whether it holds a list of values.' })
  get isList(): boolean {
    return isMultiple(this.part);
  }

  @Visible(() => Boolean, {
    description:
      'Whether it has an index, so that filters and orders by it are fast (option `queryable`). ' +
      'A model has at most 20.',
  })
  get isQueryable(): boolean {
    return isOn(this.part, 'queryable');
  }

  @Visible(() => DateTime, {
    nullable: true,
    description: 'When it went into the trash, in UTC; null for a field in use.',
  })
  get removedAt(): Date | null {
    return this.part.removedAt ? new Date(this.part.removedAt) : null;
  }
}
