import { Field, Int, ObjectType } from 'type-graphql';
import { Access, anyone } from '../../../core/access.js';
import { Rows, WEIGHTS, Weight } from '../../../core/cost.js';
import { Node } from '../../../core/node.js';
import { fieldsInUse, type GroupPart, type ModelRow } from '../definition/model.document.js';
import { ModelOption } from '../definition/model-option.types.js';
import { ModelField } from '../field/model-field.types.js';

@ObjectType({ implements: Node, description: 'A group of fields, as a form shows them together.' })
export class ModelGroup {
  constructor(
    readonly model: ModelRow,
    readonly group: GroupPart,
    position: number,
    /** The name before the change that is answered. */
    readonly oldName?: string,
  ) {
    this.position = position;
  }

  @Access(anyone)
  @Field(() => Int, { name: 'databaseId', description: 'The number that apps know it by.' })
  get id(): number {
    return this.group.id;
  }

  @Access(anyone)
  @Field(() => String, { description: 'Its name: unique in the model.' })
  get name(): string {
    return this.group.name;
  }

  @Access(anyone)
  @Weight(WEIGHTS.text)
  @Field(() => String, { description: 'Its name for people.' })
  get label(): string {
    return this.group.label;
  }

  @Access(anyone)
  @Weight(WEIGHTS.text)
  @Field(() => String, { description: 'What it is for; may be empty.' })
  get description(): string {
    return this.group.description;
  }

  @Access(anyone)
  @Field(() => Int, { description: 'Its place among the groups of the model, from 0.' })
  readonly position: number;

  @Access(anyone)
  @Rows(50)
  @Field(() => [ModelField], { description: 'Its fields, in their order.' })
  get fields(): ModelField[] {
    return fieldsInUse(this.model.document).flatMap((field, position) =>
      field.groupId === this.group.id ? [new ModelField(this.model, field, position)] : [],
    );
  }

  @Access(anyone)
  @Rows(20)
  @Field(() => [ModelOption], { description: 'Its options, in the order in which they were set.' })
  get options(): ModelOption[] {
    return this.group.options.map(([name, value]) =>
      Object.assign(new ModelOption(), { name, value }),
    );
  }
}
