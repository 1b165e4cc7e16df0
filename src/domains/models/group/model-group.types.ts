import { Field, ObjectType } from 'type-graphql';
import { Access, anyone } from '../../../core/access.js';
import { Rows } from '../../../core/cost.js';
import { Node } from '../../../core/node.js';
import { fieldsInUse, type GroupPart } from '../definition/model.document.js';
import { ModelPart } from '../definition/model-part.types.js';
import { ModelField } from '../field/model-field.types.js';

@ObjectType({ implements: Node, description: 'A group of fields, as a form shows them together.' })
export class ModelGroup extends ModelPart<GroupPart> {
  @Access(anyone)
  @Rows(50)
  @Field(() => [ModelField], { description: 'Its fields, in their order.' })
  get fields(): ModelField[] {
    return fieldsInUse(this.model.document).flatMap((field, position) =>
      field.groupId === this.part.id ? [new ModelField(this.model, field, position)] : [],
    );
  }
}
