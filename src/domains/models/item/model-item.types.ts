import { Int, ObjectType } from 'type-graphql';
import { Visible } from '../../../core/access.js';
import { Node } from '../../../core/node.js';
import { connectionType } from '../../../core/paging.js';
import { payloadType } from '../../../core/payload.js';
import { DateTime } from '../../../core/scalars.js';
import type { FieldPart } from '../definition/model.document.js';
import { fieldTypeOf, ModelFieldType } from '../field/field-types.js';
import type { StoredValue } from '../field/value-rule.js';
import type { ModelItemRow } from './model-item.row.js';
import { ModelValue, shownValue } from './model-value.types.js';

@ObjectType({ description: 'A field of an item, with its value.' })
export class ModelItemField {
  constructor(
    readonly field: FieldPart,
    readonly stored: StoredValue | undefined,
  ) {}

  @Visible(() => String, { description: 'Name of the field.' })
  get name(): string {
    return this.field.name;
  }

  @Visible(() => ModelFieldType, {
    nullable: true,
    description: 'Type of the field. Null for a type that an app has made up.',
  })
  get type(): ModelFieldType | null {
    return fieldTypeOf(this.field.type);
  }

  @Visible(() => ModelValue, { nullable: true, description: 'The value; null for none.' })
  get value(): object | null {
    return this.stored === undefined ? null : shownValue(this.field, this.stored);
  }
}

@ObjectType({ implements: Node, description: 'An item of a model.' })
export class ModelItem {
  constructor(readonly row: ModelItemRow) {}

  @Visible(() => Int, {
    name: 'databaseId',
    description: 'The number that apps know it by. All models share one sequence.',
  })
  get id(): number {
    return this.row.id;
  }

  @Visible(() => Int, { description: 'Counts its changes, from 1. Give it with a change.' })
  get version(): number {
    return this.row.version;
  }

  @Visible(() => DateTime, { description: 'When it was made, in UTC.' })
  get createdAt(): Date {
    return this.row.createdAt;
  }

  @Visible(() => DateTime, { description: 'When it was last changed, in UTC.' })
  get updatedAt(): Date {
    return this.row.updatedAt;
  }
}

@ObjectType({ description: 'A page of the items of a model.' })
export class ModelItemConnection extends connectionType(
  ModelItem,
  'ModelItem',
  'an item of a model',
) {}

export const CreateModelItemPayload = payloadType<{ item: ModelItem }>('CreateModelItem', {
  item: { type: () => ModelItem, description: 'The new item.' },
});
export const UpdateModelItemPayload = payloadType<{ item: ModelItem }>('UpdateModelItem', {
  item: { type: () => ModelItem, description: 'The item after the change.' },
});
export const DeleteModelItemPayload = payloadType<{ item: ModelItem }>('DeleteModelItem', {
  item: { type: () => ModelItem, description: 'The item as it was.' },
});
