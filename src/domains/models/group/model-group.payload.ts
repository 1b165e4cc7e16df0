import { Field, ObjectType } from 'type-graphql';
import { Access, anyone } from '../../../core/access.js';
import { DeletionPayload, Model } from '../definition/model.types.js';

@ObjectType({ description: 'What `deleteModelGroup` changed.' })
export class DeleteModelGroupPayload extends DeletionPayload {
  @Access(anyone)
  @Field(() => Model, { description: 'Its model, with the next version.' })
  model!: Model;
}
