import { LocaleResolver } from 'graphql-scalars';
import { Field, ObjectType } from 'type-graphql';
import { Access, anyone } from '../../core/access.js';
import { DatabaseId, Node } from '../../core/node.js';

@ObjectType({ implements: Node, description: 'A language that an account can choose.' })
export class Language {
  @DatabaseId()
  id!: number;

  @Access(anyone)
  @Field(() => LocaleResolver, { description: 'BCP 47 tag, such as "en".' })
  code!: string;

  @Access(anyone)
  @Field({ description: 'Name in English.' })
  name!: string;
}
