import {
  GraphQLError,
  GraphQLScalarType,
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
  /** The refusal of a value of another type than this. Default: as for other misfits. */
  readonly mistyped?: { readonly type: string; readonly code: string; readonly message: string };
}

/**
 * Makes a scalar. It carries the JSON schema of its values in `extensions.jsonSchema`: the REST
 * adapter checks parameters by it and prints it, so that a bound stands in one place. A value that
 * does not fit is BAD_USER_INPUT.
 */
export function scalar<T>({
  name,
  description,
  jsonSchema,
  parse,
  expected,
  mistyped,
}: Definition<T>): GraphQLScalarType<T, unknown> {
  const misfit = (value: unknown) => {
    const other = mistyped && typeof value !== mistyped.type ? mistyped : undefined;
    const { code, message } = other ?? {
      code: 'BAD_USER_INPUT',
      message: `${name} must be ${expected}.`,
    };
    return new GraphQLError(message, { extensions: { code } });
  };
  const read = (value: unknown): T => {
    const parsed = parse(value);
    if (parsed === undefined) throw misfit(value);
    return parsed;
  };
  const literal = (node: ValueNode, variables?: Record<string, unknown> | null): T => {
    if (node.kind === Kind.INT) return read(Number(node.value));
    if (node.kind === Kind.STRING) return read(node.value);
    if (node.kind === Kind.OBJECT) return read(valueFromASTUntyped(node, variables));
    throw misfit(node);
  };
  return new GraphQLScalarType({
    name,
    description,
    serialize: (value) => value,
    parseValue: read,
    parseLiteral: literal,
    extensions: { jsonSchema },
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
    expected: `a text of ${least ? `${least} to ` : 'at most '}${most.toLocaleString('en')} bytes without NUL`,
    parse: (value) => {
      if (typeof value !== 'string' || value.includes('\0')) return undefined;
      const bytes = value.length * 3 <= most ? value.length : Buffer.byteLength(value);
      return bytes >= least && bytes <= most ? value : undefined;
    },
  });
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
