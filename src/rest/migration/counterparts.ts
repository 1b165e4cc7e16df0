import { readFileSync } from 'node:fs';
import {
  type GraphQLInputType,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  parse,
  separateOperations,
  typeFromAST,
  validate,
} from 'graphql';
import type { ServedOperation } from './served-operation.js';

/**
 * Reads the operations that stand for routes whose documents the served schema cannot answer. They
 * keep the comments above them. Throws when one does not fit the schema.
 */
export function counterpartsIn(
  file: string,
  served: GraphQLSchema,
): ReadonlyMap<string, ServedOperation> {
  const text = readFileSync(file, 'utf8');
  const document = parse(text);
  const texts = new Map<string | undefined, string>();
  let end = text.indexOf('\n\n');
  for (const node of document.definitions) {
    if ('name' in node) texts.set(node.name?.value, text.slice(end, node.loc?.end).trim());
    end = node.loc?.end ?? end;
  }
  const found = new Map<string, ServedOperation>();
  for (const [name, { definitions }] of Object.entries(separateOperations(document))) {
    const [mistake] = validate(served, { kind: Kind.DOCUMENT, definitions });
    if (mistake) throw new Error(`The counterpart ${name} does not fit: ${mistake.message}`);
    const [operation] = definitions.filter((node) => node.kind === Kind.OPERATION_DEFINITION);
    const parts = definitions.map((node) => ('name' in node ? texts.get(node.name?.value) : ''));
    const query = `${parts.join('\n\n')}\n`;
    found.set(name, { query, variables: variablesOf(operation, served), leftOut: [] });
  }
  return found;
}

function variablesOf(operation: OperationDefinitionNode | undefined, served: GraphQLSchema) {
  const types = new Map<string, GraphQLInputType>();
  for (const { variable, type } of operation?.variableDefinitions ?? []) {
    const found = typeFromAST(served, type);
    if (found) types.set(variable.name.value, found as GraphQLInputType);
  }
  return types;
}

/** Returns the counterpart of an operation. One for `GetPod` also stands for `GetPodBySlug`. */
export const counterpartOf = (
  counterparts: ReadonlyMap<string, ServedOperation>,
  name: string,
): ServedOperation | undefined =>
  counterparts.get(name) ?? counterparts.get(name.replace(/BySlug$/, ''));
