import { Field, Int, ObjectType } from 'type-graphql';
import { Access, anyone } from '../../../core/access.js';
import { Media } from './media.types.js';

@ObjectType({ description: 'A medium that is gone for good.' })
export class DeletedMedia {
  @Access(anyone)
  @Field(() => Boolean, { description: 'Always true.' })
  deleted!: boolean;

  @Access(anyone)
  @Field(() => Media, { description: 'The medium as it was.' })
  previous!: Media;
}

@ObjectType({ description: 'A page of a list of media, newest first.' })
export class MediaConnection {
  @Access(anyone)
  @Field(() => [Media], { description: 'The media.' })
  nodes!: Media[];

  @Access(anyone)
  @Field(() => Int, { description: 'How many media match and may be read by the caller.' })
  totalCount!: number;
}
