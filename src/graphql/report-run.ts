import {
  execute,
  type FieldNode,
  type GraphQLError,
  type GraphQLSchema,
  getOperationAST,
  isObjectType,
  Kind,
  parse,
  print,
  type SelectionSetNode,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import type { App } from '../app/app.js';
import { inTurn } from '../core/dear-work.js';
import { DomainError, refuse } from '../core/errors.js';
import { checkEmbeddable } from '../domains/reports/saved/saved-document.js';
import { ABOUT_REPORT, type RunReport } from '../domains/reports/saved/saved-report.types.js';
import { documentsOf } from './documents.js';
import { admit } from './guard.js';
import { SHAPE } from './shape.js';

/** Codes of documents and variables that were good when they were saved. */
const OUTDATED = new Set(['GRAPHQL_VALIDATION_FAILED', 'GRAPHQL_PARSE_FAILED', 'BAD_USER_INPUT']);

/** Why numbers of a type are hidden, and whether a report has more rows: fields by their keys. */
const REASON = { withheld: 'withheld', isCut: 'isCut' };
const EMBEDDED = { ...REASON, ...ABOUT_REPORT };

/**
 * Returns what runs saved reports, with the rights, the price and the limits of their documents at
 * /graphql. Reports tell why numbers are hidden, and whether they have more rows than are asked for,
 * whether they ask or not; embedded ones also what they are of and up to when they are counted. Throws
 * REPORT_DOCUMENT_INVALID for a report that asks for what is not there any more, and the first
 * error of the response: a part of a report is none.
 */
export function reportRunner(app: App): RunReport {
  const { schema } = app;
  return async (context, { query, variables }, { embedded = false } = {}) => {
    if (embedded) checkEmbeddable(schema, query);
    const read = await documentsOf(schema).readFor(
      context.quota,
      completed(schema, query, embedded ? EMBEDDED : REASON),
      {
        suggests: true,
      },
    );
    if ('errors' in read) throw outdated(read.errors);
    const { document } = read;
    const operation = getOperationAST(document);
    if (operation?.operation !== 'query')
      throw refuse('REPORT_DOCUMENT_INVALID', 'A report is a query.');
    const given = JSON.parse(variables) as Record<string, unknown>;
    const judged = await admit(app, context, operation, document, given);
    if ('errors' in judged) throw outdated(judged.errors);
    context.isQuery = true;
    const { data, errors } = await inTurn(context, judged.isDear, async () =>
      execute({ schema, document, contextValue: context, variableValues: given }),
    );
    const [error] = errors ?? [];
    if (error) throw error.originalError instanceof DomainError ? error.originalError : error;
    return data ?? {};
  };
}

function outdated([error]: readonly GraphQLError[]): Error {
  if (!error || !OUTDATED.has(String(error.extensions.code)))
    return error ?? refuse('REPORT_DOCUMENT_INVALID', 'The report asks nothing.');
  return refuse(
    'REPORT_DOCUMENT_INVALID',
    `This report asks for what is not there any more: ${error.message}`,
  );
}

/**
 * Returns the document with some fields, by their keys, wherever the type has them. One that cannot be
 * read stays as it is: its reader says why.
 */
function completed(
  schema: GraphQLSchema,
  query: string,
  fields: Readonly<Record<string, string>>,
): string {
  const types = new TypeInfo(schema);
  try {
    const document = parse(query, { maxTokens: SHAPE.tokens, noLocation: true });
    const leave = (set: SelectionSetNode) => {
      const type = types.getParentType();
      if (!isObjectType(type)) return undefined;
      const missing = Object.entries(fields).filter(
        ([key, name]) => type.getFields()[name] && !isTaken(set, key),
      );
      return { ...set, selections: [...set.selections, ...missing.map(fieldOf)] };
    };
    return print(visit(document, visitWithTypeInfo(types, { SelectionSet: { leave } })));
  } catch {
    return query;
  }
}

const fieldOf = ([key, name]: readonly [key: string, name: string]): FieldNode => ({
  kind: Kind.FIELD,
  name: { kind: Kind.NAME, value: name },
  ...(key !== name && { alias: { kind: Kind.NAME, value: key } }),
});

const isTaken = ({ selections }: SelectionSetNode, name: string) =>
  selections.some((node) => node.kind === Kind.FIELD && (node.alias ?? node.name).value === name);
