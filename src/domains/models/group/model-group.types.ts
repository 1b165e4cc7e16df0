import { ObjectType } from 'type-graphql';
import { Node } from '../../../core/node.js';
import type { GroupPart } from '../definition/model.document.js';
import { ModelPart } from '../definition/model-part.types.js';

@ObjectType({ implements: Node, description: 'A group of fields, as a form shows them together.' })
export class ModelGroup extends ModelPart<GroupPart> {}
