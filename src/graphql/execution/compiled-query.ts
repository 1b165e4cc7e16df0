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
    private readonly needed: ReadonlySet<string>,
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
    const { document, literals, needed } = runnableOf(schema, operation, fragments, variables);
    const compiled = compileQuery(schema, document);
    return isCompiledQuery(compiled)
      ? new CompiledQuery(compiled.query as Run, literals, needed)
      : undefined;
  }

  /**
   * Returns what `run` takes, of coerced variables. Returns undefined for variables that do not fit
   * their places, which graphql-js has to refuse: a null in place of a default of the variable or
   * of the argument, where null may not be.
   */
  variablesOf(coerced: Variables): Variables | undefined {
    for (const name of this.needed) if (coerced[name] === null) return undefined;
    // Nothing is inherited: graphql-jit would take `constructor` for a variable that is given.
    const variables: Record<string, unknown> = Object.assign(Object.create(null), coerced);
    for (const { name, node, type } of this.literals) {
      const value = valueFromAST(node, type, coerced);
      if (value === undefined) return undefined;
      variables[name] = value;
    }
    return variables;
  }

  /**
   * Runs once, with what `variablesOf` returned. Data and refusals are those of graphql-js. Faults
   * of ours have other words and perhaps other places; where a property cannot be read at all, the
   * data are null. `isFaulty` says that there was such a fault.
   */
  async run(context: RequestContext, variables: Variables): Promise<Ran> {
    let result: ExecutionResult;
    try {
      result = (await this.query(undefined, context, variables)) as ExecutionResult;
    } catch (cause) {
      const error = new GraphQLError('A value cannot be read.', { originalError: cause as Error });
      return { result: { errors: [error], data: null }, isFaulty: true };
    }
    const { data, errors } = result;
    if (!errors) return { result, isFaulty: false };
    const told = errors.map(ofGraphql);
    return { result: { errors: told, data }, isFaulty: !errors.every(isTold) };
  }
}

/** Outcome of a compiled query. */
export interface Ran {
  readonly result: ExecutionResult;
  /** Whether a fault of ours was told otherwise than graphql-js would tell it. */
  readonly isFaulty: boolean;
}

/**
 * Returns whether graphql-jit tells an error as graphql-js does: one that a resolver threw. It has
 * other words for faults of values, misplaces items of a list that fail, and places what has a
 * place.
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

/**
 * Returns the error as graphql-js makes it: those of graphql-jit lack what others rely on. A fault
 * has an original error, so that nobody takes it for a mistake of the caller.
 */
function ofGraphql({ message, path, originalError, locations }: GraphQLError): GraphQLError {
  const cause = originalError instanceof Unreadable ? originalError.cause : originalError;
  const error = new GraphQLError(message, {
    path: path ?? null,
    originalError: cause instanceof Error ? cause : new Error(message, { cause }),
  });
  return Object.assign(error, { locations });
}
