import {
  type DocumentNode,
  type ExecutionResult,
  execute,
  type FieldNode,
  type GraphQLField,
  type GraphQLSchema,
  getArgumentValues,
  getVariableValues,
  Kind,
  type OperationDefinitionNode,
  type SelectionNode,
  visit,
} from 'graphql';
import { type CompiledQuery, compileQuery, isCompiledQuery } from 'graphql-jit';
import type { RequestContext } from '../../core/context.js';
import { coercedDefinition, variableOf } from '../../platform/graphql/coerced-variables.js';
import type { Made } from '../dialect.js';

export type Variables = Record<string, unknown>;

/**
 * A document that is made and compiled when it first runs. That takes a few milliseconds once; all
 * documents together would take a tenth of the start and 10 MB.
 */
export class Compiled {
  #compiled: CompiledQuery | undefined;
  /** As graphql-js runs it: of a mutation alone. */
  #document: DocumentNode | undefined;

  constructor(
    private readonly name: string,
    private readonly schema: GraphQLSchema,
    private readonly make: () => DocumentNode,
  ) {}

  /** Runs a query. */
  async query(context: RequestContext, variables: Variables): Promise<ExecutionResult> {
    this.#compiled ??= this.#compile(this.make());
    return (await this.#compiled.query(undefined, context, variables)) as ExecutionResult;
  }

  /**
   * Runs a mutation. Its arguments are coerced by graphql-js, because graphql-jit makes absent
   * input fields null. Where they do not fit, graphql-js runs all of it, and says why.
   */
  async mutate(
    context: RequestContext,
    variables: Variables,
    made?: Made,
  ): Promise<ExecutionResult> {
    this.#document ??= this.make();
    const document = this.#document;
    this.#compiled ??= this.#compile(withCoercedArguments(document));
    const given = this.#coerced(document, variables);
    if (given) return (await this.#compiled.query(made, context, given)) as ExecutionResult;
    return execute({
      schema: this.schema,
      document,
      rootValue: made,
      contextValue: context,
      variableValues: variables,
    });
  }

  /** Returns the variables with the arguments of the root fields; undefined when they do not fit. */
  #coerced(document: DocumentNode, variables: Variables): Variables | undefined {
    const { variableDefinitions = [], selectionSet } = operationOf(document);
    const { coerced } = getVariableValues(this.schema, variableDefinitions, variables);
    if (!coerced) return undefined;
    const given = { ...variables };
    for (const [place, node] of (selectionSet.selections as readonly FieldNode[]).entries()) {
      try {
        const field = this.schema.getMutationType()?.getFields()[node.name.value];
        const values = getArgumentValues(field as GraphQLField<unknown, unknown>, node, coerced);
        for (const name in values) given[argumentVariable(place, name)] = values[name];
      } catch {
        return undefined;
      }
    }
    return given;
  }

  /** Compiles a document, and changes it. Throws when graphql-jit cannot. */
  #compile(document: DocumentNode): CompiledQuery {
    const compiled = compileQuery(this.schema, document, this.name);
    if (!isCompiledQuery(compiled))
      throw new Error(
        `Operation ${this.name} does not compile: ${JSON.stringify(compiled.errors)}`,
      );
    return compiled;
  }
}

const operationOf = ({ definitions: [operation] }: DocumentNode) =>
  operation as OperationDefinitionNode;

/** The variable that bears an argument of a root field. Documents have no such names. */
const argumentVariable = (place: number, name: string) => `argument$${place}$${name}`;

/** Returns a copy of a document whose root fields take each argument from a variable of its own. */
function withCoercedArguments(document: DocumentNode): DocumentNode {
  const { variableDefinitions = [], selectionSet, ...operation } = operationOf(document);
  const names: string[] = [];
  const selections = (selectionSet.selections as readonly FieldNode[]).map((node, place) => ({
    ...node,
    arguments: node.arguments?.map((argument) => {
      const name = argumentVariable(place, argument.name.value);
      names.push(name);
      return { ...argument, value: variableOf(name) };
    }),
  })) as readonly SelectionNode[];
  const rest = { ...selectionSet, selections };
  const used = new Set<string>();
  visit(rest, { Variable: ({ name }) => void used.add(name.value) });
  const own = variableDefinitions.filter(({ variable }) => used.has(variable.name.value));
  const definition = {
    ...operation,
    variableDefinitions: [...own, ...names.map(coercedDefinition)],
    selectionSet: rest,
  };
  return structuredClone({ kind: Kind.DOCUMENT, definitions: [definition] } as DocumentNode);
}
