import { JSONResolver } from 'graphql-scalars';
import { Int, ObjectType } from 'type-graphql';
import { Visible } from '../../../core/access.js';
import { WEIGHTS, Weight } from '../../../core/cost.js';
import { Node, TextKey } from '../../../core/node.js';
import { connectionType } from '../../../core/paging.js';
import { payloadType } from '../../../core/payload.js';
import { DateTime } from '../../../core/scalars.js';
import type { ModelDocument } from '../definition/model.document.js';
import { Model } from '../definition/model.types.js';

@ObjectType({ description: 'A thing in which two versions of a model differ.' })
export class ModelDifference {
  @Visible(() => String, {
    description: 'What differs: `label`, `field street: type`, `field street: option required`.',
  })
  what!: string;

  @Weight(WEIGHTS.text)
  @Visible(() => JSONResolver, { nullable: true, description: 'What it was; null for nothing.' })
  before!: unknown;

  @Weight(WEIGHTS.text)
  @Visible(() => JSONResolver, { nullable: true, description: 'What it is; null for nothing.' })
  after!: unknown;
}

@TextKey()
@ObjectType({ implements: Node, description: 'What a model was like after a change.' })
export class ModelVersion {
  modelId!: number;
  document!: ModelDocument;
  accountId!: number | null;

  @Visible(() => Int, { description: 'Its number, from 1.' })
  number!: number;

  /** The key: the model and the number. */
  get id(): string {
    return `${this.modelId}-${this.number}`;
  }

  @Visible(() => String, { description: 'What was done, in words.' })
  change!: string;

  @Visible(() => DateTime, { description: 'When, in UTC.' })
  createdAt!: Date;
}

@ObjectType({ description: 'A page of the versions of a model, the newest first.' })
export class ModelVersionConnection extends connectionType(
  ModelVersion,
  'ModelVersion',
  'a version of a model',
) {}

export const ReturnModelPayload = payloadType<{ model: Model }>('ReturnModel', {
  model: { type: () => Model, description: 'The model, with the next version.' },
});
