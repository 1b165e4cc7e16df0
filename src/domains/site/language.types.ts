import { LocaleResolver } from 'graphql-scalars';
import { ObjectType } from 'type-graphql';
import { Visible } from '../../core/access.js';
import { DatabaseId, Node } from '../../core/node.js';

@ObjectType({ implements: Node, description: 'A language that an account can choose.' })
export class Language {
  @DatabaseId()
  id!: number;

  @Visible(() => LocaleResolver, { description: 'BCP 47 tag, such as "en".' })
  code!: string;

  @Visible({ description: 'Name in English.' })
  name!: string;
}
