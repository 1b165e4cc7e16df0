import {
  type DocumentNode,
  type GraphQLSchema,
  Kind,
  parse,
  TypeInfo,
  validate,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import { refuse } from '../../../core/errors.js';
import { Recent } from '../../../platform/lru.js';
import { SUBJECTS } from '../catalogue/catalogue.js';

/** Tokens of a saved document: more than any that a person writes. */
const MOST_TOKENS = 2_000;

/**
 * Checks that a document is one query that fits the schema, with fragments if it has any. Throws
 * REPORT_DOCUMENT_INVALID with the first mistake.
 */
export function checkDocument(schema: GraphQLSchema, query: string): void {
  const document = parsed(query);
  const operations = document.definitions.filter(({ kind }) => kind !== Kind.FRAGMENT_DEFINITION);
  const [operation] = operations;
  if (operations.length !== 1 || operation?.kind !== Kind.OPERATION_DEFINITION)
    throw invalid('query', 'A report is one operation.');
  if (operation.operation !== 'query') throw invalid('query', 'A report is a query.');
  const [mistake] = validate(schema, document, undefined, { maxErrors: 1 });
  if (mistake) throw invalid('query', mistake.message);
}

/**
 * Checks that a document asks for reports about all members alone, whose numbers anybody may see.
 * Throws REPORT_DOCUMENT_INVALID, REPORT_NOT_EMBEDDABLE.
 */
export function checkEmbeddable(schema: GraphQLSchema, query: string): void {
  checkDocument(schema, query);
  const types = new TypeInfo(schema);
  const root = schema.getQueryType();
  const visitor = visitWithTypeInfo(types, {
    Field({ name: { value } }) {
      if (types.getParentType() !== root || REPORTS.has(value)) return;
      throw refuse(
        'REPORT_NOT_EMBEDDABLE',
        `Reports about all members can be shown to everybody, and ${value} is none.`,
      );
    },
  });
  visit(parsed(query), visitor);
}

const REPORTS: ReadonlySet<string> = new Set([
  ...SUBJECTS.map(({ name }) => `${name}Report`),
  '__typename',
]);

const problems = new WeakMap<GraphQLSchema, Recent<string, string>>();
/** Documents whose problem is remembered: a page of the list. */
const REMEMBERED = 200;

/** Returns why a document, once saved, no longer fits the schema; null for one that fits. */
export function problemOf(schema: GraphQLSchema, query: string): string | null {
  const known = problems.get(schema) ?? new Recent<string, string>(REMEMBERED);
  problems.set(schema, known);
  const told = known.get(query) ?? found(schema, query);
  known.set(query, told);
  return told || null;
}

function found(schema: GraphQLSchema, query: string): string {
  try {
    checkDocument(schema, query);
    return '';
  } catch (error) {
    return `This report asks for what is not there any more: ${(error as Error).message}`;
  }
}

/** Checks that variables are a JSON object. Throws REPORT_DOCUMENT_INVALID. */
export function checkVariables(variables: string): void {
  if (!isObject(variables)) throw invalid('variables', 'Variables are a JSON object.');
}

function parsed(query: string): DocumentNode {
  try {
    return parse(query, { maxTokens: MOST_TOKENS, noLocation: true });
  } catch (error) {
    throw invalid('query', (error as Error).message);
  }
}

function isObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

const invalid = (param: string, message: string) =>
  refuse('REPORT_DOCUMENT_INVALID', message, { param });
