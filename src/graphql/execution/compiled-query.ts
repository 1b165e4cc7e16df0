import {
  type ExecutionResult,
  type FragmentDefinitionNode,
  GraphQLError,
  type GraphQLSchema,
  type OperationDefinitionNode,
  valueFromAST,
} from 'graphql';
import { compileQuery, isCompiledQuery } from 'graphql-jit';
import type { RequestContext } from '../../core/context.js';
import { Unreadable } from './jit-schema.js';
import { type Literal, runnableOf } from './runnable.js';

export type Variables = Readonly<Record<string, unknown>>;

type Run = (root: unknown, context: RequestContext, variables: Variables) => unknown;

/** A query that graphql-jit has compiled. */
export class CompiledQuery {
  private constructor(
    private readonly query: Run,
    private readonly literals: readonly Literal[],
  ) {}

  /**
   * Compiles a query for requests whose variables decide about its selections as these do. Returns
   * undefined for one that graphql-jit cannot compile.
   */
  static of(
    schema: GraphQLSchema,
    operation: OperationDefinitionNode,
    fragments: Iterable<FragmentDefinitionNode>,
    variables: Variables,
  ): CompiledQuery | undefined {
    const { document, literals } = runnableOf(schema, operation, fragments, variables);
    const compiled = compileQuery(schema, document);
    return isCompiledQuery(compiled)
      ? new CompiledQuery(compiled.query as Run, literals)
      : undefined;
  }

  /**
   * Runs with coerced variables. Returns undefined for a result that graphql-jit does not tell as
   * graphql-js would; the query is then to be interpreted.
   */
  async run(context: RequestContext, coerced: Variables): Promise<ExecutionResult | undefined> {
    // Nothing is inherited: graphql-jit would take `constructor` for a variable that is given.
    const variables: Record<string, unknown> = Object.assign(Object.create(null), coerced);
    for (const { name, node, type } of this.literals) {
      const value = valueFromAST(node, type, coerced);
      if (value === undefined) return undefined;
      variables[name] = value;
    }
    let result: ExecutionResult;
    try {
      result = (await this.query(undefined, context, variables)) as ExecutionResult;
    } catch {
      return undefined;
    }
    const { data, errors } = result;
    if (!errors) return result;
    if (!errors.every(isTold) || nullsTwice(errors, data)) return undefined;
    return { errors: errors.map(ofGraphql), data };
  }
}

/**
 * Whether graphql-jit tells an error as graphql-js does: one that a resolver threw. It has other
 * words for faults of values, misplaces items of a list that fail, and places what has a place.
 */
function isTold({ originalError, path }: GraphQLError): boolean {
  const placed =
    originalError instanceof GraphQLError && (originalError.path ?? originalError.locations);
  return (
    originalError instanceof Error &&
    !(originalError instanceof Unreadable) &&
    !placed &&
    typeof path?.at(-1) === 'string'
  );
}

/** The error as graphql-js makes it: those of graphql-jit lack what others rely on. */
function ofGraphql({ message, path, originalError, locations }: GraphQLError): GraphQLError {
  const error = new GraphQLError(message, {
    path: path ?? null,
    originalError: originalError ?? null,
  });
  return Object.assign(error, { locations });
}

/**
 * Whether several errors lie within one value that became null, because a field that may not be
 * null failed: graphql-js tells others of them. Where all data are null, both tell the first of
 * those that made them so; which others are told depends on what failed earlier.
 */
function nullsTwice(errors: readonly GraphQLError[], data: ExecutionResult['data']): boolean {
  const nulls = errors.flatMap(({ path = [] }) => {
    const depth = depthOfNull(data, path);
    return depth > 0 && depth < path.length ? path.slice(0, depth).join('.') : [];
  });
  return new Set(nulls).size < nulls.length;
}

/** How many steps of a path there are until the null. */
function depthOfNull(data: unknown, path: readonly (string | number)[]): number {
  let value = data;
  let depth = 0;
  for (const step of path) {
    if (value === null || value === undefined) break;
    value = (value as Record<string | number, unknown>)[step];
    depth++;
  }
  return depth;
}
