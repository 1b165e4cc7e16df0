import {
  GraphQLError,
  GraphQLInt,
  GraphQLScalarType,
  GraphQLString,
  Kind,
  type ValueNode,
  valueFromASTUntyped,
} from 'graphql';

/** What a scalar is made of. */
interface Definition<T> {
  readonly name: string;
  readonly description: string;
  readonly jsonSchema: object;
  /** The value as the domain sees it, or undefined when it does not fit. */
  readonly parse: (value: unknown) => T | undefined;
  /** What fits, for the error: `… must be <expected>.` */
  readonly expected: string;
  /** The bound in the served schema. Default: `expected`. Empty where the served type says all. */
  readonly servedBound?: string;
  /** The refusal of a value of another type than this. Default: as for other validation errors. */
  readonly mistyped?: { readonly type: string; readonly code: string; readonly message: string };
  /**
   * The type of such a value in the served schema, where the bound stands in the description of the
   * field. Default: String or Int, by the JSON schema; the scalar itself when that has no type.
   */
  readonly servedAs?: GraphQLScalarType;
}

/** A value that does not fit a bounded type. */
export interface ValidationError {
  readonly code: string;
  /** What is wrong, without the name of the value: `must be …`. */
  readonly message: string;
}

/** What the served schema knows about a bounded type. */
export interface Bounded {
  readonly servedAs: GraphQLScalarType;
  /** What fits, in words. */
  readonly expected: string;
  readonly jsonSchema: object;
  readonly read: (
    value: unknown,
  ) => { readonly value: unknown } | { readonly validationError: ValidationError };
}

/**
 * Makes a type of texts that the served schema shows for a bounded type: it has a name and a
 * meaning, and what it accepts is checked by the bounds.
 */
export const servedText = (name: string, description: string) =>
  new GraphQLScalarType<unknown, unknown>({
    ...GraphQLString.toConfig(),
    name,
    description,
  });

/**
 * Returns the bounds of a scalar that `scalar` made and that the served schema shows as another.
 */
export const boundsOf = (type: GraphQLScalarType): Bounded | undefined =>
  type.extensions.bounded as Bounded | undefined;

const SERVED: Readonly<Record<string, GraphQLScalarType>> = {
  string: GraphQLString,
  integer: GraphQLInt,
};

/**
 * Makes a scalar. It carries the JSON schema of its values in `extensions.jsonSchema`: the REST
 * adapter checks parameters by it and prints it, so that a bound stands in one place. A value that
 * does not fit is BAD_USER_INPUT. Over 40 lines: its functions share the options.
 */
export function scalar<T>({
  name,
  description,
  jsonSchema,
  parse,
  expected,
  servedBound = expected,
  mistyped,
  servedAs = SERVED[(jsonSchema as { type?: string }).type ?? ''],
}: Definition<T>): GraphQLScalarType<T, unknown> {
  const otherType = (value: unknown) =>
    mistyped && typeof value !== mistyped.type ? mistyped : undefined;
  const validationError = (value: unknown, node?: ValueNode) => {
    const { code, message } = otherType(value) ?? {
      code: 'BAD_USER_INPUT',
      message: `${name} must be ${expected}.`,
    };
    return new GraphQLError(message, { nodes: node ?? null, extensions: { code } });
  };
  const bounded: Bounded | undefined = servedAs && {
    servedAs,
    expected: servedBound,
    jsonSchema,
    read(value) {
      const parsed = parse(value);
      if (parsed !== undefined) return { value: parsed };
      return {
        validationError: otherType(value) ?? {
          code: 'BAD_USER_INPUT',
          message: `must be ${expected}`,
        },
      };
    },
  };
  const read = (value: unknown, node?: ValueNode): T => {
    const parsed = parse(value);
    if (parsed === undefined) throw validationError(value, node);
    return parsed;
  };
  const literal = (node: ValueNode, variables?: Record<string, unknown> | null): T => {
    if (node.kind === Kind.INT || node.kind === Kind.FLOAT) return read(Number(node.value), node);
    if (node.kind === Kind.STRING) return read(node.value, node);
    if (node.kind === Kind.OBJECT) return read(valueFromASTUntyped(node, variables), node);
    throw validationError(node, node);
  };
  return new GraphQLScalarType({
    name,
    description,
    serialize: (value) => value,
    parseValue: (value) => read(value),
    parseLiteral: literal,
    extensions: { jsonSchema, ...(bounded && { bounded }) },
  });
}

/**
 * Makes a scalar of texts of `least` (default 0) to `most` UTF-8 bytes. NUL never fits: PostgreSQL
 * cannot store it.
 */
export function text(
  name: string,
  description: string,
  most: number,
  { least = 0, form = undefined as 'raw' | undefined } = {},
) {
  return scalar<string>({
    name,
    description,
    jsonSchema: { type: form ? 'object' : 'string', ...(form && { form }) },
    servedAs: GraphQLString,
    expected: `a text of ${least ? `${least} to ` : 'at most '}${most.toLocaleString('en')} bytes without NUL`,
    parse: (value) => fitsText(value, least, most),
  });
}

/** Bytes of the longest text that is kept as it was written. */
const LONGEST_WRITTEN = 64 * 1024;

/**
 * Returns a value as the text that is kept of it: of what is no text, its JSON. Undefined for more
 * than 64 KiB, and for NUL, which PostgreSQL cannot store.
 */
export function writtenText(value: unknown): string | undefined {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return fitsText(text, 0, LONGEST_WRITTEN);
}

/**
 * Returns a value that is a text of so many UTF-8 bytes without NUL; undefined for any other.
 * Halves of characters become U+FFFD: PostgreSQL cannot store them, and refuses them in JSON.
 */
export function fitsText(value: unknown, least: number, most: number): string | undefined {
  if (typeof value !== 'string' || value.includes('\0')) return undefined;
  const bytes = value.length * 3 <= most ? value.length : Buffer.byteLength(value);
  return bytes >= least && bytes <= most ? value.toWellFormed() : undefined;
}

/** Makes a scalar of whole numbers of `least` to `most`. Default: up to 32 bits. */
export function integer(name: string, description: string, least: number, most?: number) {
  return scalar<number>({
    name,
    description,
    jsonSchema: { type: 'integer', minimum: least, ...(most !== undefined && { maximum: most }) },
    expected:
      most === undefined
        ? `a whole number of at least ${least}`
        : `a whole number of ${least} to ${most}`,
    parse: (value) =>
      Number.isSafeInteger(value) &&
      (value as number) >= least &&
      (value as number) <= (most ?? 2 ** 31 - 1)
        ? (value as number)
        : undefined,
  });
}
