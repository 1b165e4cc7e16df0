import { type DocumentNode, type ExecutionResult, execute, type GraphQLSchema } from 'graphql';
import { type CompiledQuery, compileQuery, isCompiledQuery } from 'graphql-jit';
import type { RequestContext } from '../../core/context.js';
import type { Made } from '../dialect.js';

export type Variables = Record<string, unknown>;

/**
 * A document that is made, and compiled as a query, when it first runs. That takes a few
 * milliseconds once; all documents together would take a tenth of the start and 10 MB.
 */
export class Compiled {
  #compiled: CompiledQuery | undefined;
  #document: DocumentNode | undefined;

  constructor(
    private readonly name: string,
    private readonly schema: GraphQLSchema,
    private readonly make: () => DocumentNode,
  ) {}

  /** Runs the compiled document: for queries alone. */
  async query(context: RequestContext, variables: Variables): Promise<ExecutionResult> {
    this.#compiled ??= this.#compile();
    return (await this.#compiled.query(undefined, context, variables)) as ExecutionResult;
  }

  /**
   * Runs the document by graphql-js. Mutations need it: graphql-jit makes absent input fields null.
   */
  async interpret(
    context: RequestContext,
    variables: Variables,
    rootValue?: Made,
  ): Promise<ExecutionResult> {
    const { schema } = this;
    this.#document ??= this.make();
    return execute({
      schema,
      document: this.#document,
      rootValue,
      contextValue: context,
      variableValues: variables,
    });
  }

  /** Throws when graphql-jit cannot compile the document. */
  #compile(): CompiledQuery {
    const compiled = compileQuery(this.schema, this.make(), this.name);
    if (!isCompiledQuery(compiled))
      throw new Error(
        `Operation ${this.name} does not compile: ${JSON.stringify(compiled.errors)}`,
      );
    return compiled;
  }
}
