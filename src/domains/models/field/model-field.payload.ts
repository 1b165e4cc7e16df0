import { JSONResolver } from 'graphql-scalars';
import { Int, ObjectType } from 'type-graphql';
import { Visible } from '../../../core/access.js';
import { Rows } from '../../../core/cost.js';
import { payloadType } from '../../../core/payload.js';
import { DeletionPayload, Model } from '../definition/model.types.js';
import { ModelField } from './model-field.types.js';
import type { StoredValue } from './value-rule.js';

/** What a change of a field answers. */
export interface FieldChange {
  field: ModelField;
  model: Model;
}

const PARTS = {
  field: { type: () => ModelField, description: 'The field after the change.' },
  model: { type: () => Model, description: 'Its model, with the next version.' },
};
export const CreateModelFieldPayload = payloadType<FieldChange>('CreateModelField', PARTS);
export const UpdateModelFieldPayload = payloadType<FieldChange>('UpdateModelField', PARTS);
export const RestoreModelFieldPayload = payloadType<FieldChange>('RestoreModelField', PARTS);

@ObjectType({ description: 'What `deleteModelField` changed.' })
export class DeleteModelFieldPayload extends DeletionPayload {
  @Visible(() => Model, { description: 'Its model, with the next version.' })
  model!: Model;
}

@ObjectType({ description: 'A value of an item before and after a change of its field.' })
export class ModelValueChange {
  @Visible(() => Int, { description: 'The number of the item.' })
  itemId!: number;

  @Visible(() => JSONResolver, { description: 'The value as it is.' })
  before!: StoredValue;

  @Visible(() => JSONResolver, {
    nullable: true,
    description: 'What it becomes; null: it is lost.',
  })
  after!: StoredValue | null;
}

@ObjectType({ description: 'What a change of a field would do to the values of items.' })
export class ModelFieldChange {
  @Visible(() => Int, { description: 'How many values there are.' })
  values!: number;

  @Visible(() => Int, {
    description: 'How many become another value, and could be had back from it.',
  })
  converted!: number;

  @Visible(() => Int, { description: 'How many would be lost.' })
  lost!: number;

  @Visible(() => Int, { description: 'How many items would lack a value that becomes required.' })
  missing!: number;

  @Visible(() => Int, { description: 'How many items would get the default of the field.' })
  filled!: number;

  @Rows(10)
  @Visible(() => [ModelValueChange], {
    description: 'Some of the values that change, at most 10; none of a password.',
  })
  examples!: ModelValueChange[];
}
