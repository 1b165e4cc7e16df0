import { Field, Int, ObjectType } from 'type-graphql';
import { Access, anyone } from '../../core/access.js';

@ObjectType({ description: 'A language that an account can choose.' })
export class Language {
  @Access(anyone)
  @Field(() => Int, { description: 'What `language` parameters name.' })
  id!: number;

  @Access(anyone)
  @Field({ description: 'BCP 47 tag, such as "en".' })
  code!: string;

  @Access(anyone)
  @Field({ description: 'Name in English.' })
  name!: string;
}
