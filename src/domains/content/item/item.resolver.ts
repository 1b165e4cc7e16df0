import { ContentResolver } from './content.resolver.js';
import type { Kind } from './item.kinds.js';
import { autosaveResolver, deleteResolver, writeResolver } from './item-mutation.resolver.js';
import { itemResolver, listResolver } from './item-query.resolver.js';
import {
  ArticleResolver,
  HealthcareTermResolver,
  ItemRelationResolver,
  ParentResolver,
  PostTermResolver,
} from './item-relation.resolver.js';

/** Returns the root fields of one kind of content. Kinds differ in names and inputs alone. */
const resolversOf = (kind: Kind) =>
  [
    listResolver(kind),
    itemResolver(kind),
    writeResolver(kind),
    autosaveResolver(kind),
    deleteResolver(kind),
  ] as const;

/** The resolvers of all kinds of content. */
export const ITEM_RESOLVERS = [
  ...resolversOf('post'),
  ...resolversOf('page'),
  ...resolversOf('healthcare'),
  ContentResolver,
  ItemRelationResolver,
  ArticleResolver,
  PostTermResolver,
  HealthcareTermResolver,
  ParentResolver,
] as const;
