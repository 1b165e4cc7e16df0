import type { GraphQLSchema } from 'graphql';
import { buildSchemaSync } from 'type-graphql';
import { enforceAccess } from './access.js';
import { AccountResolver } from './domains/accounts/account.resolver.js';
import { AuthorResolver } from './domains/content/author.resolver.js';
import { ITEM_RESOLVERS } from './domains/content/item.resolver.js';
import { RevisionResolver } from './domains/content/revision.resolver.js';
import { TermResolver } from './domains/content/term.resolver.js';
import { SiteResolver } from './domains/site/site.resolver.js';

/** The one schema of the service, with its access rules in force. Every domain's resolvers stand here, one line each. */
export function makeSchema(): GraphQLSchema {
  const schema = buildSchemaSync({
    resolvers: [AccountResolver, AuthorResolver, ...ITEM_RESOLVERS, RevisionResolver, SiteResolver, TermResolver],
    validate: false,
  });
  Object.assign(schema.getQueryType() ?? {}, { description: 'What can be asked.' });
  Object.assign(schema.getMutationType() ?? {}, {
    description: 'What can be changed. Each takes one `input` and answers what it changed.',
  });
  return enforceAccess(schema);
}
