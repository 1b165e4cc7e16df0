import {
  type ExecutionResult,
  execute,
  type GraphQLError,
  type GraphQLSchema,
  getOperationAST,
  getVariableValues,
  NoUnusedFragmentsRule,
  NoUnusedVariablesRule,
  parse,
  specifiedRules,
  validate,
} from 'graphql';
import type { RequestContext } from '../../src/core/context.js';
import { fragmentsIn } from '../../src/graphql/execution/asked-parts.js';
import { CompiledQuery } from '../../src/graphql/execution/compiled-query.js';
import { jitSchemaOf } from '../../src/graphql/execution/jit-schema.js';
import { fragmentsOf } from '../../src/graphql/shape.js';

export type Variables = Record<string, unknown>;

/** What the engines answer; `compiled` is undefined for what it leaves to the other one. */
export interface Answers {
  readonly interpreted: Shown;
  readonly compiled: Shown | undefined;
  /** Whether a fault was told that graphql-js tells otherwise. */
  readonly isFaulty: boolean | undefined;
}

type Shown = ReturnType<typeof shown>;

/**
 * Expects equal answers. Where several parts of one value fail and make it null, graphql-js may
 * leave out errors that come after the first.
 */
export function expectEqual({ interpreted, compiled }: Answers): void {
  expect(compiled?.data).toBe(interpreted.data);
  const [told = [], more = []] = [interpreted.errors, compiled?.errors];
  for (const error of told) expect(more).toContainEqual(error);
  const data = JSON.parse(interpreted.data ?? 'null');
  const nulls = told.map(({ path }) => nullOn(data, path));
  for (const { path } of more.filter((error) => !told.some((one) => equal(one, error))))
    expect(nulls).toContain(nullOn(data, path));
}

const equal = (one: object, other: object) => JSON.stringify(one) === JSON.stringify(other);

/** Where on a path the data are null. */
function nullOn(data: unknown, path: readonly (string | number)[] = []): string {
  let value = data;
  const until = path.findIndex((step) => {
    if (value === null) return true;
    value = (value as Record<string | number, unknown>)[step];
    return false;
  });
  return path.slice(0, until < 0 ? path.length : until).join('.');
}

/** The tables of the tests share definitions, which not every query uses. */
const RULES = specifiedRules.filter(
  (rule) => rule !== NoUnusedVariablesRule && rule !== NoUnusedFragmentsRule,
);

/**
 * Executes one query by graphql-js and by graphql-jit, each in a context of its own. Returns
 * undefined for a query that is not valid, or whose variables do not fit.
 */
export async function byBoth(
  schema: GraphQLSchema,
  query: string,
  variables: Variables,
  context: () => unknown | Promise<unknown>,
): Promise<Answers | undefined> {
  const document = parse(query);
  const operation = getOperationAST(document);
  if (!operation || validate(schema, document, RULES).length > 0) return undefined;
  const values = getVariableValues(schema, operation.variableDefinitions ?? [], variables);
  if (!values.coerced) return undefined;
  const { coerced } = values;
  const fragments = fragmentsIn(operation, fragmentsOf(document));
  const jit = CompiledQuery.of(jitSchemaOf(schema), operation, fragments, coerced);
  if (!jit) throw new Error(`graphql-jit does not compile ${query}`);
  const interpreted = await execute({
    schema,
    document,
    variableValues: variables,
    contextValue: await context(),
  });
  const fitting = jit.variablesOf(coerced);
  const ran = fitting && (await jit.run((await context()) as RequestContext, fitting));
  return {
    interpreted: shown(interpreted),
    compiled: ran && shown(ran.result),
    isFaulty: ran?.isFaulty,
  };
}

/** A result as JSON, with what faces read of errors. The order of errors says nothing. */
function shown({ data, errors, ...others }: ExecutionResult) {
  const told = errors?.map((error: GraphQLError) => ({
    ...error.toJSON(),
    extensions: error.extensions,
    cause: error.originalError,
    name: error.name,
    text: String(error.message),
  }));
  told?.sort((a, b) => (String(a.path) < String(b.path) ? -1 : 1));
  return { data: JSON.stringify(data), ...(told && { errors: told }), ...others };
}
