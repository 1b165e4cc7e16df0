import { JSONObjectResolver, JSONResolver } from 'graphql-scalars';
import { Field, ObjectType } from 'type-graphql';
import { Access, anyone } from '../../../core/access.js';
import { Internal } from '../../../core/marks.js';

@ObjectType({ description: 'Models, groups or fields as REST lists them.' })
export class PodList {
  @Internal()
  @Access(anyone)
  @Field(() => JSONResolver, { description: 'Objects, names, numbers or a count.' })
  result!: unknown;
}

@ObjectType({ description: 'What items of models hold.' })
export class PodSchemas {
  @Internal()
  @Access(anyone)
  @Field(() => JSONObjectResolver, { description: 'JSON schemas by the names of models.' })
  schemas!: object;
}
