import { Field, Int, ObjectType } from 'type-graphql';
import { Access, type RowRule, Visible } from '../../../core/access.js';
import { Rows, WEIGHTS, Weight } from '../../../core/cost.js';
import { Internal } from '../../../core/marks.js';
import { DatabaseId, Node } from '../../../core/node.js';
import { connectionType } from '../../../core/paging.js';
import { payloadType } from '../../../core/payload.js';
import { DateTime } from '../../../core/scalars.js';
import type { Viewer } from '../../../core/viewer.js';
import { isPublicModel, type ModelDocument, type ModelRow, optionOf } from './model.document.js';
import { ModelKind } from './model-kinds.js';
import { ModelOption, optionsOf } from './model-option.types.js';

/** Access rule: who manages models. */
export const managers: RowRule = (viewer: Viewer) =>
  viewer.can('manage_models')
    ? undefined
    : { reason: 'FORBIDDEN', message: 'Only administrators see this.' };

const KINDS: ReadonlySet<string> = new Set(Object.values(ModelKind));

@ObjectType({
  implements: Node,
  description: 'What items hold: a definition that administrators change while the service runs.',
})
export class Model {
  readonly document: ModelDocument;

  constructor(
    readonly row: ModelRow,
    /** The name before the change that is answered. */
    readonly oldName?: string,
  ) {
    this.document = row.document;
  }

  @DatabaseId()
  get id(): number {
    return this.row.id;
  }

  @Visible(() => String, { description: 'Its name: unique, in lower case.' })
  get name(): string {
    return this.document.name;
  }

  @Weight(WEIGHTS.text)
  @Visible(() => String, { description: 'Its name for people, of several items.' })
  get label(): string {
    return this.document.label;
  }

  @Visible(() => String, { description: 'Its name for people, of one item.' })
  get labelSingular(): string {
    return optionOf(this.document, 'label_singular') ?? this.document.label;
  }

  @Weight(WEIGHTS.text)
  @Visible(() => String, { description: 'What it is for; may be empty.' })
  get description(): string {
    return this.document.description;
  }

  @Visible(() => ModelKind, {
    nullable: true,
    description: 'What it is of. Null for a type that an app has made up.',
  })
  get type(): ModelKind | null {
    return KINDS.has(this.document.type) ? (this.document.type as ModelKind) : null;
  }

  @Visible(() => String, {
    nullable: true,
    description: 'The name of what it adds fields to. Null for most.',
  })
  get extends(): string | null {
    return optionOf(this.document, 'object') ?? null;
  }

  @Visible(() => Boolean, {
    description:
      'Whether everybody may read its items: the options `public` and `publicly_queryable` are ' +
      '`1`.',
  })
  get isPublic(): boolean {
    return isPublicModel(this.document);
  }

  @Visible(() => Int, { description: 'Counts its changes, from 1. Give it with a change.' })
  get version(): number {
    return this.row.version;
  }

  @Access(managers)
  @Rows(100)
  @Field(() => [ModelOption], {
    nullable: true,
    description: 'Its options, in the order in which they were set. For administrators.',
  })
  get options(): ModelOption[] {
    return optionsOf(this.document.options);
  }

  @Visible(() => DateTime, { description: 'When it was made, in UTC.' })
  get createdAt(): Date {
    return this.row.createdAt;
  }

  @Visible(() => DateTime, { description: 'When it was last changed, in UTC.' })
  get updatedAt(): Date {
    return this.row.updatedAt;
  }

  @Access(managers)
  @Field(() => DateTime, {
    nullable: true,
    description: 'When it went into the trash, in UTC; null for a model in use.',
  })
  get removedAt(): Date | null {
    return this.row.removedAt;
  }
}

@ObjectType({ description: 'A page of a list of models, by name.' })
export class ModelConnection extends connectionType(Model, 'Model', 'a model') {}

/** What a deletion answers. */
@ObjectType()
export abstract class DeletionPayload {
  @Internal()
  @Visible(() => String, { description: 'Always `deleted`.' })
  get status(): string {
    return 'deleted';
  }
}

@ObjectType({ description: 'What `deleteModel` changed.' })
export class DeleteModelPayload extends DeletionPayload {
  @Visible(() => Int, { description: 'The number that apps know it by.' })
  databaseId!: number;

  @Visible(() => Int, { description: 'How many items it had.' })
  itemCount!: number;
}

export const CreateModelPayload = payloadType<{ model: Model }>('CreateModel', {
  model: { type: () => Model, description: 'The new model.' },
});
export const UpdateModelPayload = payloadType<{ model: Model }>('UpdateModel', {
  model: { type: () => Model, description: 'The model after the change.' },
});
export const RestoreModelPayload = payloadType<{ model: Model }>('RestoreModel', {
  model: { type: () => Model, description: 'The model that came back.' },
});
