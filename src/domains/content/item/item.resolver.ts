import type { Kind } from './item.kinds.js';
import { ITEM_CLASSES } from './item-kinds.types.js';
import { autosaveResolver, deleteResolver, writeResolver } from './item-mutation.resolver.js';
import { itemResolver, listResolver } from './item-query.resolver.js';
import {
  authorResolver,
  historyResolver,
  ParentResolver,
  relationResolver,
} from './item-relation.resolver.js';

/** The fields of one kind of content. Kinds differ in names and inputs alone. */
const resolversOf = (kind: Kind) =>
  [
    listResolver(kind),
    itemResolver(kind),
    writeResolver(kind),
    autosaveResolver(kind),
    deleteResolver(kind),
    relationResolver(ITEM_CLASSES[kind]),
  ] as const;

/** The resolvers of all kinds of content. */
export const ITEM_RESOLVERS = [
  ...resolversOf('post'),
  ...resolversOf('page'),
  ...resolversOf('healthcare'),
  authorResolver(ITEM_CLASSES.post),
  authorResolver(ITEM_CLASSES.page),
  historyResolver(ITEM_CLASSES.post),
  historyResolver(ITEM_CLASSES.page),
  ParentResolver,
] as const;
