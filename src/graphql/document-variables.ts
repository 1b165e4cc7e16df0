import {
  type ArgumentNode,
  coerceInputValue,
  GraphQLError,
  type GraphQLInputType,
  type GraphQLSchema,
  getVariableValues,
  isInputType,
  isNonNullType,
  Kind,
  type ObjectFieldNode,
  type OperationDefinitionNode,
  typeFromAST,
  type VariableDefinitionNode,
  valueFromAST,
  visit,
} from 'graphql';
import type { Path, Problem } from '../app/schema/problems.js';
import { boundProblems } from './bound-problems.js';

/** Bounds of the variables of one request: what recurses into values may rely on them. */
const VARIABLES = { depth: 64, values: 10_000 } as const;
/** Maximum number of named validation errors; one more says that there are others. */
const VALIDATION_ERRORS = 50;

/**
 * So many characters of variables the messages of their mistakes may hold: each message has the
 * whole value of its variable.
 */
const TOLD_CHARACTERS = 50_000;

/**
 * Returns whether variables are nested at most 64 deep and hold at most 10,000 values, nested ones
 * included. Does not recurse.
 */
export const isBounded = (variables: unknown): boolean => charactersOf(variables) !== undefined;

/** Returns about how many characters variables have; undefined where they are out of bounds. */
export function charactersOf(variables: unknown): number | undefined {
  const open: { value: unknown; depth: number }[] = [{ value: variables, depth: 0 }];
  let values = 0;
  let characters = 0;
  for (let next = open.pop(); next; next = open.pop()) {
    const { value, depth } = next;
    if (typeof value === 'string') characters += value.length;
    if (typeof value !== 'object' || value === null) continue;
    const entries = Object.entries(value);
    values += entries.length;
    if (depth >= VARIABLES.depth || values > VARIABLES.values) return undefined;
    for (const [name, entry] of entries) {
      characters += name.length + 1;
      open.push({ value: entry, depth: depth + 1 });
    }
  }
  return characters;
}

/**
 * Returns the variables of an operation, coerced to their types, or their mistakes: BAD_USER_INPUT
 * each, at most 51, and fewer of long variables. The first has `problems`, which name the place of
 * each in the arguments, and with them what is out of bounds. Values that are nested too deep or
 * too many are not read. `suggests`: whether the mistakes name similar values of enums.
 */
export function coerced(
  schema: GraphQLSchema,
  operation: OperationDefinitionNode,
  given: Readonly<Record<string, unknown>>,
  suggests = false,
): { readonly values: Record<string, unknown> } | { readonly errors: readonly GraphQLError[] } {
  const characters = charactersOf(given);
  if (characters === undefined) return { errors: [tooManyVariables()] };
  const definitions = operation.variableDefinitions ?? [];
  const { errors, coerced: values } = getVariableValues(schema, definitions, given, {
    maxErrors: Math.min(VALIDATION_ERRORS, Math.ceil(TOLD_CHARACTERS / (characters + 1))),
    hideSuggestions: !suggests,
  });
  if (!errors) return { values };
  const [first, ...others] = errors.map((error, i) =>
    // What says that there are others has no place of its own.
    validationError(error.message, { ...error, nodes: error.nodes ?? errors[i - 1]?.nodes }),
  );
  if (!first) return { errors: [] };
  const problems = problemsOf(schema, operation, given, suggests);
  if (problems.length > 0) Object.assign(first.extensions, { problems });
  return { errors: [first, ...others] };
}

/**
 * Returns the values that do not fit their types or their bounds, by their places in the arguments;
 * at most 50.
 */
function problemsOf(
  schema: GraphQLSchema,
  operation: OperationDefinitionNode,
  given: Readonly<Record<string, unknown>>,
  suggests: boolean,
): Problem[] {
  const problems: Problem[] = [];
  const values: Record<string, unknown> = {};
  const places = placesIn(operation);
  for (const definition of operation.variableDefinitions ?? []) {
    const name = definition.variable.name.value;
    const type = typeFromAST(schema, definition.type);
    if (!isInputType(type)) continue;
    const place = places.get(name) ?? [name];
    const note = (path: Path, _: unknown, { message, extensions }: GraphQLError) => {
      const code = String(extensions.code ?? 'BAD_USER_INPUT');
      problems.push({ path: [...place, ...path], code, message });
      if (problems.length === VALIDATION_ERRORS) throw ENOUGH;
    };
    try {
      values[name] = fittingOf(definition, type, given, note, !suggests);
    } catch (error) {
      if (error === ENOUGH) return problems;
      throw error;
    }
  }
  return [...problems, ...boundProblems(schema, operation, values)].slice(0, VALIDATION_ERRORS);
}

/** Returns what of a variable fits its type. Tells `note` what does not. */
function fittingOf(
  { variable, defaultValue }: VariableDefinitionNode,
  type: GraphQLInputType,
  given: Readonly<Record<string, unknown>>,
  note: (path: Path, value: unknown, error: GraphQLError) => void,
  hideSuggestions: boolean,
): unknown {
  const name = variable.name.value;
  if (Object.hasOwn(given, name)) return coerceInputValue(given[name], type, note, hideSuggestions);
  if (defaultValue) return valueFromAST(defaultValue, type);
  if (isNonNullType(type))
    note([], undefined, new GraphQLError(`Expected a value of type "${type}".`));
  return undefined;
}

/** Ends the reading of values: enough problems are reported. */
const ENOUGH = Symbol('enough');

/** Where the operation itself, not its fragments, first uses each variable. */
function placesIn(operation: OperationDefinitionNode): ReadonlyMap<string, Path> {
  const places = new Map<string, Path>();
  visit(operation, {
    VariableDefinition: () => false,
    Variable({ name: { value: name } }, _key, _parent, path) {
      if (!places.has(name)) places.set(name, placeAt(operation, path));
    },
  });
  return places;
}

/** Returns the place in the arguments to which the keys of a document lead. */
function placeAt(operation: OperationDefinitionNode, keys: Path): Path {
  let node: unknown = operation;
  return keys.flatMap((key, i) => {
    node = childOf(node, key);
    const { kind, name } = node as ArgumentNode | ObjectFieldNode;
    if (kind === Kind.ARGUMENT || kind === Kind.OBJECT_FIELD) return [name.value];
    return keys[i - 1] === 'values' ? [key] : [];
  });
}

const childOf = (parent: unknown, key: string | number): unknown =>
  (parent as Record<string | number, unknown>)[key];

/** Returns the refusal of variables that are not bounded: BAD_USER_INPUT. */
export function tooManyVariables(): GraphQLError {
  const { depth, values } = VARIABLES;
  const may = `may be nested ${depth} deep and hold ${values.toLocaleString('en')} values at most`;
  const problems = [{ path: ['variables'], code: 'BAD_USER_INPUT', message: may }];
  return validationError(`Variables ${may}.`, { extensions: { problems } });
}

/** A code that the scalar chose stays. */
const validationError = (
  message: string,
  { nodes, extensions }: Partial<Pick<GraphQLError, 'nodes' | 'extensions'>> = {},
) =>
  new GraphQLError(message, {
    nodes: nodes ?? null,
    extensions: { code: 'BAD_USER_INPUT', ...extensions },
  });
