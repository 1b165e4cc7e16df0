import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type GraphQLSchema, Kind, parse } from 'graphql';
import { Operation } from './operation.js';

/**
 * Reads every operation document under a folder. Returns the operations by name. Throws when one
 * has no name, and when two share a name.
 */
export function loadOperations(folder: string, schema: GraphQLSchema): Map<string, Operation> {
  const files = readdirSync(folder)
    .filter((file) => file.endsWith('.graphql'))
    .sort();
  const read = (file: string) => readFileSync(join(folder, file), 'utf8');
  const definitions = files.flatMap((file) => parse(read(file), { noLocation: true }).definitions);
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
