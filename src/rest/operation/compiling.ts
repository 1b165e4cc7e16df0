import { type DocumentNode, type ExecutionResult, execute, type GraphQLSchema } from 'graphql';
import { type CompiledQuery, compileQuery, isCompiledQuery } from 'graphql-jit';
import type { RequestContext } from '../../core/context.js';
import type { Made } from '../dialect.js';

export type Variables = Record<string, unknown>;

/** A document that is compiled before it first runs as a query. */
export class Compiled {
  #compiled: CompiledQuery | undefined;

  constructor(
    private readonly name: string,
    private readonly schema: GraphQLSchema,
    private readonly document: DocumentNode,
  ) {}

  /** Runs the compiled document: for queries alone. */
  async query(context: RequestContext, variables: Variables): Promise<ExecutionResult> {
    return (await this.compile().query(undefined, context, variables)) as ExecutionResult;
  }

  /**
   * Runs the document by graphql-js. Mutations need it: graphql-jit makes absent input fields null.
   */
  async interpret(
    context: RequestContext,
    variables: Variables,
    rootValue?: Made,
  ): Promise<ExecutionResult> {
    const { schema, document } = this;
    return execute({
      schema,
      document,
      rootValue,
      contextValue: context,
      variableValues: variables,
    });
  }

  /** Compiles the document at the first call. Throws when graphql-jit cannot compile it. */
  compile(): CompiledQuery {
    if (this.#compiled) return this.#compiled;
    const compiled = compileQuery(this.schema, this.document, this.name);
    if (!isCompiledQuery(compiled))
      throw new Error(
        `Operation ${this.name} does not compile: ${JSON.stringify(compiled.errors)}`,
      );
    this.#compiled = compiled;
    return compiled;
  }
}
