import { join } from 'node:path';
import type { GraphQLSchema } from 'graphql';
import { projectRoot } from '../../platform/root.js';
import { dialectOf } from '../dialect.js';
import { tagOf } from '../edition.js';
import { loadOperations, refuseUnfitDocuments } from '../operation/loading.js';
import { groupRoutes } from '../router.js';
import { NAMESPACES, ROUTES } from '../routes/index.js';
import { editionDocument } from './document.js';
import type { Json } from './json.js';

/**
 * Returns the documents that are committed under schema/, by file: of each edition, without the
 * addresses that a configuration adds. `whole` is the schema with what is internal. Throws when an
 * operation document does not fit it.
 */
export async function committedDocuments(whole: GraphQLSchema): Promise<Record<string, Json>> {
  const schema = dialectOf(whole);
  const folder = join(projectRoot, 'schema/operations');
  refuseUnfitDocuments(folder, schema);
  const operations = loadOperations(folder, schema);
  const documents: Record<string, Json> = {};
  for (const edition of ['A', 'B'] as const) {
    const namespaces = NAMESPACES[edition];
    const groups = groupRoutes(ROUTES, edition, operations, namespaces);
    const described = { groups, namespaces, schema, tagOf };
    documents[`openapi.${edition.toLowerCase()}.json`] = await editionDocument(edition, described);
  }
  return documents;
}
