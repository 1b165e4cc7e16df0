import type { DocumentNode, GraphQLSchema, OperationDefinitionNode } from 'graphql';
import { Recent } from '../platform/lru.js';
import { LIMITS, type Measured, refuseTooMuch, UNLIMITED } from './document-limits.js';
import { documentsOf } from './documents.js';

type VariableValues = Readonly<Record<string, unknown>>;

interface MeasuredDocument {
  /** The variables that the measure depends on: sizes of pages and lists. */
  readonly counting: readonly string[];
  readonly byCounts: Recent<string, Measured>;
}

/** So many measures of one operation are kept. */
const KEPT = 8;
const known = new WeakMap<OperationDefinitionNode, MeasuredDocument>();

/**
 * Measures like `refuseTooMuch`, registered documents without limits, and remembers it for the
 * document: an operation is measured again when a variable counts that has another value.
 */
export function measure(
  schema: GraphQLSchema,
  operation: OperationDefinitionNode,
  document: DocumentNode,
  given: VariableValues,
): Measured {
  const before = known.get(operation);
  const remembered = before?.byCounts.get(countsOf(before.counting, given));
  if (remembered) return remembered;
  const limits = documentsOf(schema).isRegistered(document) ? UNLIMITED : LIMITS;
  const measured = refuseTooMuch(schema, operation, document, given, limits);
  const kept = before ?? { counting: [...measured.counting], byCounts: new Recent(KEPT) };
  kept.byCounts.set(countsOf(kept.counting, given), measured);
  known.set(operation, kept);
  return measured;
}

/**
 * Returns what measuring sees of variables: numbers, the lengths of lists, and whether one is
 * absent.
 */
const countsOf = (counting: readonly string[], given: VariableValues) =>
  counting
    .map((name) => {
      const value = Object.hasOwn(given, name) ? given[name] : undefined;
      if (Array.isArray(value)) return `[${value.length}]`;
      return typeof value === 'number' || value === undefined ? String(value) : 'other';
    })
    .join();
