import { Int, ObjectType } from 'type-graphql';
import { Visible } from '../../../core/access.js';
import { Rows, WEIGHTS, Weight } from '../../../core/cost.js';
import { DatabaseId } from '../../../core/node.js';
import type { GroupPart, ModelRow } from './model.document.js';
import { ModelOption, optionsOf } from './model-option.types.js';

/** What a group and a field of a model have in common. */
@ObjectType()
export abstract class ModelPart<T extends GroupPart> {
  constructor(
    readonly model: ModelRow,
    readonly part: T,
    position: number,
    /** The name before the change that is answered. */
    readonly oldName?: string,
  ) {
    this.position = position;
  }

  @DatabaseId()
  get id(): number {
    return this.part.id;
  }

  @Visible(() => String, { description: 'Its name: unique in the model.' })
  get name(): string {
    return this.part.name;
  }

  @Weight(WEIGHTS.text)
  @Visible(() => String, { description: 'Its name for people.' })
  get label(): string {
    return this.part.label;
  }

  @Weight(WEIGHTS.text)
  @Visible(() => String, { description: 'What it is for; may be empty.' })
  get description(): string {
    return this.part.description;
  }

  @Visible(() => Int, { description: 'Its place among those of its model, from 0.' })
  readonly position: number;

  @Rows(20)
  @Visible(() => [ModelOption], {
    description: 'Its options, in the order in which they were set.',
  })
  get options(): ModelOption[] {
    return optionsOf(this.part.options);
  }
}
