import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type DefinitionNode,
  type DocumentNode,
  type GraphQLSchema,
  Kind,
  NoUnusedVariablesRule,
  parse,
  separateOperations,
  specifiedRules,
  validate,
} from 'graphql';
import { Operation } from './operation.js';

/** Parameters that are only checked fill no argument. */
const RULES = specifiedRules.filter((rule) => rule !== NoUnusedVariablesRule);

/**
 * Reads every operation document under a folder. Returns the operations by name. Throws when one
 * has no name, when two share a name, and when the response of one has no body; the message names
 * it. Whether they fit the schema in all else is not checked here: `refuseUnfitDocuments` does.
 */
export function loadOperations(folder: string, schema: GraphQLSchema): Map<string, Operation> {
  const definitions = definitionsIn(folder);
  const fragments = new Map(
    definitions
      .filter((node) => node.kind === Kind.FRAGMENT_DEFINITION)
      .map((node) => [node.name.value, node]),
  );
  const operations = new Map<string, Operation>();
  for (const node of definitions) {
    if (node.kind !== Kind.OPERATION_DEFINITION) continue;
    const name = node.name?.value ?? '';
    if (!name || operations.has(name))
      throw new Error(`Operation documents need names of their own: "${name}".`);
    operations.set(name, new Operation(name, schema, node, fragments));
  }
  return operations;
}

/**
 * Throws for the first operation document under a folder that does not fit the schema; the message
 * names it. `npm run schema` and the tests call it. The service does not: it takes a tenth of its
 * start, and the documents change with the code alone.
 */
export function refuseUnfitDocuments(folder: string, schema: GraphQLSchema): void {
  const document: DocumentNode = { kind: Kind.DOCUMENT, definitions: definitionsIn(folder) };
  for (const [name, operation] of Object.entries(separateOperations(document))) {
    const [validationError] = validate(schema, operation, RULES);
    if (validationError)
      throw new Error(`Operation ${name} does not fit the schema: ${validationError.message}`);
  }
}

function definitionsIn(folder: string): DefinitionNode[] {
  const files = readdirSync(folder)
    .filter((file) => file.endsWith('.graphql'))
    .sort();
  const read = (file: string) => readFileSync(join(folder, file), 'utf8');
  return files.flatMap((file) => [...parse(read(file), { noLocation: true }).definitions]);
}
