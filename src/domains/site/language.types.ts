import { LocaleResolver } from 'graphql-scalars';
import { Field, Int, ObjectType } from 'type-graphql';
import { Access, anyone } from '../../core/access.js';
import { Node } from '../../core/node.js';

@ObjectType({ implements: Node, description: 'A language that an account can choose.' })
export class Language {
  @Access(anyone)
  @Field(() => Int, { name: 'databaseId', description: 'The number that apps know it by.' })
  id!: number;

  @Access(anyone)
  @Field(() => LocaleResolver, { description: 'BCP 47 tag, such as "en".' })
  code!: string;

  @Access(anyone)
  @Field({ description: 'Name in English.' })
  name!: string;
}
