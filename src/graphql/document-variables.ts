import {
  GraphQLError,
  type GraphQLSchema,
  getVariableValues,
  type OperationDefinitionNode,
} from 'graphql';

/** Bounds of the variables of one request: what recurses into values may rely on them. */
const VARIABLES = { depth: 64, values: 10_000 } as const;
/** So many misfits are named; one more says that there are others. */
const MISFITS = 50;

/**
 * Whether variables are nested at most 64 deep and hold at most 10,000 values, nested ones
 * included. Does not recurse.
 */
export function isBounded(variables: unknown): boolean {
  const open: { value: unknown; depth: number }[] = [{ value: variables, depth: 0 }];
  let values = 0;
  for (let next = open.pop(); next; next = open.pop()) {
    const { value, depth } = next;
    if (typeof value !== 'object' || value === null) continue;
    const entries = Object.values(value);
    values += entries.length;
    if (depth >= VARIABLES.depth || values > VARIABLES.values) return false;
    for (const entry of entries) open.push({ value: entry, depth: depth + 1 });
  }
  return true;
}

/**
 * Returns the variables of an operation, coerced to their types, or their mistakes: BAD_USER_INPUT
 * each, at most 51. Values that are nested too deep or too many are not read. `suggests`: whether the
 * mistakes name similar values of enums.
 */
export function coerced(
  schema: GraphQLSchema,
  { variableDefinitions = [] }: OperationDefinitionNode,
  given: Readonly<Record<string, unknown>>,
  suggests = false,
): { readonly values: Record<string, unknown> } | { readonly errors: readonly GraphQLError[] } {
  if (!isBounded(given)) return { errors: [tooManyVariables()] };
  const { errors, coerced: values } = getVariableValues(schema, variableDefinitions, given, {
    maxErrors: MISFITS,
    hideSuggestions: !suggests,
  });
  return errors ? { errors: errors.map((error) => misfit(error.message, error)) } : { values };
}

/** The refusal of variables that are not bounded: BAD_USER_INPUT. */
export function tooManyVariables(): GraphQLError {
  const { depth, values } = VARIABLES;
  return misfit(
    `Variables may be nested ${depth} deep and hold ${values.toLocaleString('en')} values at most.`,
  );
}

/** A code that the scalar chose stays. */
const misfit = (
  message: string,
  { nodes, extensions }: Partial<Pick<GraphQLError, 'nodes' | 'extensions'>> = {},
) =>
  new GraphQLError(message, {
    nodes: nodes ?? null,
    extensions: { code: 'BAD_USER_INPUT', ...extensions },
  });
