import {
  type GraphQLArgument,
  GraphQLError,
  type GraphQLField,
  getNamedType,
  isInputObjectType,
} from 'graphql';
import { DomainError, type Refusal } from '../../core/errors.js';

/** Where a value stands in the arguments of a field: `["input", "title"]`. */
export type Path = readonly (string | number)[];

/** One mistake in the arguments of a field. */
export interface Problem {
  readonly path: Path;
  readonly code: string;
  /** What is wrong, without the name of the value: `must be a text of at most 255 bytes`. */
  readonly message: string;
}

/** Maximum number of problems reported for one field. */
const MOST = 50;

/**
 * Makes the error of several mistakes. Its code is that of the first one; `extensions.problems` has
 * all of them, at most 50.
 */
export function problemsError(problems: readonly Problem[]): GraphQLError {
  const told = problems.slice(0, MOST);
  const sentences = told.slice(0, 3).map(({ path, message }) => `${path.join('.')} ${message}.`);
  const others = problems.length > 3 ? ` There are ${problems.length - 3} more.` : '';
  return new GraphQLError(sentences.join(' ') + others, {
    extensions: { code: problems[0]?.code ?? 'BAD_USER_INPUT', problems: told },
  });
}

/**
 * Returns an error as GraphQL callers see it: a refusal because of an argument has `problems`, with
 * the place of that argument in the field.
 */
export function withProblems(error: unknown, { args }: GraphQLField<unknown, unknown>): unknown {
  if (!(error instanceof DomainError)) return error;
  const problems = error.refusals.flatMap(({ param, input, reason, message }: Refusal) => {
    const name = param ?? input;
    return name ? [{ path: pathOf(name, args), code: reason, message }] : [];
  });
  if (problems.length === 0) return error;
  const { param: _, ...extensions } = error.extensions;
  return new DomainError(error.refusal, error.refusals, { ...extensions, problems });
}

/**
 * Returns the path of an argument, or of a field of the input object that has one of this name.
 * Dots in the name separate the steps of the path: `values.2.value`.
 */
function pathOf(name: string, args: readonly GraphQLArgument[]): Path {
  const [param = '', ...inside] = name.split('.');
  const rest = inside.map((key) => (/^\d+$/.test(key) ? Number(key) : key));
  return [...placeOf(param, args), ...rest];
}

function placeOf(param: string, args: readonly GraphQLArgument[]): Path {
  if (args.some(({ name }) => name === param)) return [param];
  const holder = args.find(({ type }) => {
    const input = getNamedType(type);
    return isInputObjectType(input) && Object.hasOwn(input.getFields(), param);
  });
  return holder ? [holder.name, param] : [param];
}
