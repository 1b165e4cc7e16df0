import { MapperKind, mapSchema } from '@graphql-tools/utils';
import {
  defaultFieldResolver,
  GraphQLEnumType,
  type GraphQLField,
  type GraphQLFieldConfig,
  GraphQLInputObjectType,
  type GraphQLInputType,
  GraphQLList,
  type GraphQLNamedType,
  GraphQLNonNull,
  type GraphQLOutputType,
  GraphQLSchema,
  type GraphQLType,
  isInterfaceType,
  isListType,
  isNonNullType,
  isObjectType,
  isScalarType,
} from 'graphql';
import type { RequestContext } from '../../core/context.js';
import type { Marks } from '../../core/marks.js';
import { keyKindOf } from '../../core/node.js';
import { INTERNAL_REASONS, REASONS } from '../../core/reasons.js';
import { type Bounded, boundsOf } from '../../core/scalars/scalar.js';
import { type ArgumentReader, argumentReader, type KindOfKey, READER } from './arguments.js';
import { type Problem, problemsError, withProblems } from './problems.js';

type Field = GraphQLField<unknown, unknown>;
type FieldConfig = GraphQLFieldConfig<unknown, RequestContext>;
type Resolver = NonNullable<FieldConfig['resolve']>;

/**
 * Makes the schema that GraphQL callers see of the whole one. It leaves out what is marked internal
 * and requires what is marked as required. Bounded types are String, Int and the like in it: their
 * bounds stand in the descriptions and are checked when the field runs. All mistakes in the
 * arguments of a field are reported at once, in `extensions.problems`.
 */
export function servedSchema(whole: GraphQLSchema): GraphQLSchema {
  const kindOfKey: KindOfKey = (name) => keyKindOf(whole.getType(name));
  const mapped = mapSchema(whole, {
    [MapperKind.ENUM_VALUE]: (value) => (isInternal(value) ? null : undefined),
    [MapperKind.INPUT_OBJECT_FIELD]: (input, name, typeName) =>
      isInternal(input) || !isServed(whole, typeName, name) ? null : servedInput(input),
    [MapperKind.INPUT_OBJECT_TYPE]: (type) =>
      (type.extensions as Marks).oneOf
        ? new GraphQLInputObjectType({ ...type.toConfig(), isOneOf: true })
        : undefined,
    [MapperKind.COMPOSITE_FIELD]: (config, name, typeName) => {
      if (isInternal(config)) return null;
      const field = fieldOf(whole, typeName, name);
      return field && servedField(config as FieldConfig, field, kindOfKey);
    },
  });
  return withoutUnused(mapped, [ERROR_CODE]);
}

/**
 * Returns a schema with these types and those that its roots reach. Objects count as reached when
 * an interface of theirs is.
 */
function withoutUnused(schema: GraphQLSchema, types: readonly GraphQLNamedType[]): GraphQLSchema {
  const reached = new GraphQLSchema({ ...schema.toConfig(), types });
  const known = reached.getTypeMap();
  const more = Object.values(schema.getTypeMap()).filter(
    (type) =>
      isObjectType(type) &&
      !(type.name in known) &&
      type.getInterfaces().some(({ name }) => name in known),
  );
  return more.length > 0 ? withoutUnused(schema, [...types, ...more]) : reached;
}

/** Codes of errors that are no refusals of the domain. */
const FACE_CODES = {
  BAD_USER_INPUT: 'A value does not fit its type or its bounds. `problems` names each.',
  BAD_REQUEST: 'The request is malformed.',
  GRAPHQL_PARSE_FAILED: 'The document is not valid GraphQL.',
  GRAPHQL_VALIDATION_FAILED: 'The document does not fit the schema.',
  OPERATION_RESOLUTION_FAILURE: 'The document has no such operation, or several.',
  DOCUMENT_TOO_LARGE: 'The document asks for more than one request may.',
  RESPONSE_TOO_LARGE:
    'The response would have more than 16 MiB, or an event of a subscription more than 256 KiB.',
  PERSISTED_QUERY_NOT_FOUND: 'No document with this hash is stored: send its text with it.',
  DOCUMENT_NOT_REGISTERED: 'The service executes registered documents alone.',
  INTROSPECTION_FORBIDDEN: 'The viewer may not read the schema.',
  INTERNAL_ERROR: 'Something went wrong in the service. It has been recorded.',
} as const;

const ERROR_CODE = new GraphQLEnumType({
  name: 'ErrorCode',
  description:
    'Codes of errors: in `extensions.code`, and in `extensions.problems[{path, code, message}]`, ' +
    'which names every mistake in the arguments of a field by its path in them.',
  values: Object.fromEntries(
    Object.entries({ ...FACE_CODES, ...REASONS })
      .filter(([code]) => !INTERNAL_REASONS.has(code))
      .map(([code, description]) => [code, { description }]),
  ),
});

const isInternal = ({ extensions }: { readonly extensions?: object | null }) =>
  (extensions as Marks | undefined)?.internal === true;

function isServed(schema: GraphQLSchema, typeName: string, name: string): boolean {
  const marks = schema.getType(typeName)?.extensions as Marks | undefined;
  return marks?.servedFields?.includes(name) ?? true;
}

function fieldOf(schema: GraphQLSchema, typeName: string, name: string): Field | undefined {
  const type = schema.getType(typeName);
  return isObjectType(type) || isInterfaceType(type) ? type.getFields()[name] : undefined;
}

/**
 * Returns a field as it is served. Its resolver reads the arguments, and names the mistakes in
 * them.
 */
function servedField(config: FieldConfig, field: Field, kindOfKey: KindOfKey): FieldConfig {
  const args = Object.entries(config.args ?? {}).flatMap(([name, argument]) =>
    isInternal(argument) ? [] : [[name, servedInput(argument)] as const],
  );
  const served: FieldConfig = {
    ...config,
    type: servedType(config.type) as GraphQLOutputType,
    args: Object.fromEntries(args),
  };
  if (args.length === 0) return served;
  const reader = argumentReader(field, kindOfKey);
  if (reader) served.extensions = { ...config.extensions, [READER]: reader };
  const read = reader ? refusingProblems(reader) : (values: Values) => values;
  const reading =
    (resolve: Resolver): Resolver =>
    async (source, values, context, info) => {
      const readValues = read(values);
      try {
        return await resolve(source, readValues, context, info);
      } catch (error) {
        throw withProblems(error, field);
      }
    };
  served.resolve = reading(config.resolve ?? defaultFieldResolver);
  if (config.subscribe) served.subscribe = reading(config.subscribe);
  return served;
}

type Values = Readonly<Record<string, unknown>>;

/** Reads arguments, and throws all problems at once. */
const refusingProblems = (reader: ArgumentReader) => (values: Values) => {
  const problems: Problem[] = [];
  const found = reader(values, problems);
  if (problems.length > 0) throw problemsError(problems);
  return found;
};

interface Input {
  type: GraphQLInputType;
  description?: string | null | undefined;
  extensions?: object | null | undefined;
}

/** Returns an argument or input field as it is served: bounded by its description. */
function servedInput<T extends Input>(input: T): T {
  const bounds = boundsOfType(input.type);
  const type = servedType(input.type) as GraphQLInputType;
  const required = (input.extensions as Marks | undefined)?.required && !isNonNullType(type);
  return {
    ...input,
    type: required ? new GraphQLNonNull(type) : type,
    ...(bounds && {
      description: [input.description, bounds.expected && `Must be ${bounds.expected}.`]
        .filter(Boolean)
        .join(' '),
      extensions: { ...input.extensions, jsonSchema: bounds.jsonSchema },
    }),
  };
}

/** Returns a type in which bounded types are replaced by those that are served. */
function servedType(type: GraphQLType): GraphQLType {
  if (isNonNullType(type)) return new GraphQLNonNull(servedType(type.ofType) as GraphQLOutputType);
  if (isListType(type)) return new GraphQLList(servedType(type.ofType));
  return isScalarType(type) ? (boundsOf(type)?.servedAs ?? type) : type;
}

function boundsOfType(type: GraphQLInputType): Bounded | undefined {
  if (isNonNullType(type) || isListType(type)) return boundsOfType(type.ofType);
  return isScalarType(type) ? boundsOf(type) : undefined;
}
