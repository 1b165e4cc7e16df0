import { type GraphQLSchema, isObjectType } from 'graphql';
import { buildSchemaSync, getMetadataStorage } from 'type-graphql';
import { enforceAccess } from './access.js';
import { AccountResolver } from './domains/accounts/account.resolver.js';
import { ApplicationPasswordResolver } from './domains/accounts/application-password.resolver.js';
import { IdentityResolver } from './domains/accounts/identity.resolver.js';
import { AuthorResolver } from './domains/content/author.resolver.js';
import { ITEM_RESOLVERS } from './domains/content/item.resolver.js';
import { RevisionResolver } from './domains/content/revision.resolver.js';
import { TermResolver } from './domains/content/term.resolver.js';
import { SiteResolver } from './domains/site/site.resolver.js';

/** The one schema of the service, with its access rules in force. Every domain's resolvers stand here, one line each. */
export function makeSchema(): GraphQLSchema {
  const schema = buildSchemaSync({
    resolvers: [
      AccountResolver,
      ApplicationPasswordResolver,
      AuthorResolver,
      IdentityResolver,
      ...ITEM_RESOLVERS,
      RevisionResolver,
      SiteResolver,
      TermResolver,
    ],
    validate: false,
  });
  Object.assign(schema.getQueryType() ?? {}, { description: 'What can be asked.' });
  Object.assign(schema.getMutationType() ?? {}, {
    description: 'What can be changed. Each takes one `input` and answers what it changed.',
  });
  return enforceAccess(readDirectly(schema));
}

/**
 * Lets GraphQL itself read the properties and getters of our classes: the resolver that type-graphql puts around each costs more than
 * the read, and a list of posts has hundreds. What a resolver class computes stays.
 */
function readDirectly(schema: GraphQLSchema): GraphQLSchema {
  const { fieldResolvers, objectTypes } = getMetadataStorage();
  const names = new Map(objectTypes.map(({ target, name }) => [target, name]));
  const computed = new Set(
    fieldResolvers.flatMap(({ kind, getObjectType, schemaName }) =>
      kind === 'external' && getObjectType ? [`${names.get(getObjectType() as never)}.${schemaName}`] : [],
    ),
  );
  const roots = new Set([schema.getQueryType(), schema.getMutationType()]);
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || roots.has(type) || type.name.startsWith('__')) continue;
    for (const field of Object.values(type.getFields())) if (!computed.has(`${type.name}.${field.name}`)) delete field.resolve;
  }
  return schema;
}
