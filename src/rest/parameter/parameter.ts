import {
  type DirectiveNode,
  type DocumentNode,
  type GraphQLInputType,
  GraphQLList,
  GraphQLNonNull,
  type GraphQLSchema,
  getNamedType,
  isEnumType,
  isInputObjectType,
  Kind,
  type OperationDefinitionNode,
  TypeInfo,
  typeFromAST,
  type VariableDefinitionNode,
  valueFromAST,
  valueFromASTUntyped,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import type { RequestContext } from '../../core/context.js';
import type { Refusal } from '../../core/errors.js';
import type { Marks } from '../../core/marks.js';
import { isReason, type Reason } from '../../core/reasons.js';
import { check } from './check.js';
import { type Conversion, conversionOf, narrowed, schemaOf } from './input-schema.js';
import type { Schema } from './json-schema.js';
import { parses, type Reading, readingOf } from './reading.js';

/** One REST parameter, derived from one variable of an operation. The descriptor prints it. */
export interface Parameter extends Partial<Reading> {
  readonly name: string;
  readonly schema: Schema;
  readonly required: boolean;
  /** Value when absent, as the operation takes it; undefined when there is none. */
  readonly preset: unknown;
  /** Judged in the first stage: the others are looked at only when all of these fit. */
  readonly first: boolean;
  /** JSON null is a value of its own. */
  readonly nullable: boolean;
  /** Read, but listed nowhere. */
  readonly undeclared: boolean;
  /**
   * An empty text counts as absent, because forms send every field. This holds for an optional
   * parameter without a printed type that has a default or takes no empty text, unless its schema
   * says that it reads one. Where a text is stored as it is sent, an empty one is stored: so an
   * update takes a text away.
   */
  readonly blank: boolean;
  /**
   * The names of all parameters, when this one is an object of the fields of the body that are
   * none.
   */
  readonly others?: ReadonlySet<string>;
  /** Its name in camel case, where that is read too: see `hasOpenNames`. */
  readonly also?: string;
  /** Its presence is this refusal. */
  readonly refusal?: Refusal & { readonly zero?: Reason };
  /** A right that depends on the value. It is asked with the values as sent, before the check. */
  readonly permit?: (
    viewer: RequestContext['viewer'],
    values: readonly unknown[],
  ) => Refusal | undefined;
  /** Makes the value of the variable from the checked value. */
  readonly convert?: Conversion;
}

/** Returns whether the adapter computes a variable: then it is no parameter. */
export const isReserved = (name: string) =>
  name === 'edit' || name === 'embed' || name.startsWith('embed_');

/** Returns the parameters of an operation, in the order of its variables. */
export function parametersOf(
  schema: GraphQLSchema,
  operation: OperationDefinitionNode,
): Parameter[] {
  const uses = usesOf(schema, operation);
  const used = (operation.variableDefinitions ?? [])
    .filter((definition) => !isReserved(definition.variable.name.value))
    .map((definition) => parameterOf(schema, definition, uses.get(definition.variable.name.value)))
    .map((parameter, _i, all) => (parameter.others ? besides(parameter, all) : parameter))
    .map((parameter, _i, all) => (hasOpenNames(all) ? spelledTwice(parameter) : parameter));
  const unused = wordsOf(operation).get('unused') as
    | { name: string; description: string }
    | undefined;
  return unused ? [unusedParameter(unused), ...used] : used;
}

/**
 * Returns whether the specification leaves the names of an operation's parameters open: it declares
 * no type of any that may be absent, and names that are no parameters have no meaning.
 */
const hasOpenNames = (parameters: readonly Parameter[]) =>
  parameters.every(
    ({ required, undeclared, schema, others }) =>
      !others && (required || undeclared || !isTyped(schema)),
  );

/** Returns whether a type is printed. */
const isTyped = ({ loose, untyped, type, oneOf }: Schema) =>
  !loose && !untyped && Boolean(type || oneOf);

function spelledTwice(parameter: Parameter): Parameter {
  const also = parameter.name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
  return also === parameter.name ? parameter : { ...parameter, also };
}

const besides = (parameter: Parameter, all: readonly Parameter[]): Parameter => ({
  ...parameter,
  others: new Set(all.map(({ name }) => name)),
});

const unusedParameter = ({
  name,
  description,
}: {
  name: string;
  description: string;
}): Parameter => ({
  name,
  schema: { description, type: 'integer' },
  required: false,
  preset: undefined,
  first: false,
  nullable: false,
  undeclared: false,
  blank: false,
});

/** Returns the directives of a node with their arguments. */
function wordsOf({
  directives,
}: Pick<VariableDefinitionNode | OperationDefinitionNode, 'directives'>): Map<
  string,
  Record<string, unknown>
> {
  const argumentsOf = (directive: DirectiveNode) =>
    Object.fromEntries(
      directive.arguments?.map((argument) => [
        argument.name.value,
        valueFromASTUntyped(argument.value),
      ]) ?? [],
    );
  return new Map(directives?.map((directive) => [directive.name.value, argumentsOf(directive)]));
}

interface Use {
  readonly description?: string | null | undefined;
  readonly extensions: Readonly<Record<string, unknown>> & Marks;
}

/** Where each variable goes: the argument or input field that it fills. */
function usesOf(schema: GraphQLSchema, operation: OperationDefinitionNode): Map<string, Use> {
  const uses = new Map<string, Use>();
  const info = new TypeInfo(schema);
  const document: DocumentNode = { kind: Kind.DOCUMENT, definitions: [operation] };
  visit(
    document,
    visitWithTypeInfo(info, {
      Variable(node, _key, parent) {
        const holder = parent as { kind?: string; name?: { value: string } } | undefined;
        const field =
          holder?.kind === Kind.OBJECT_FIELD ? getNamedType(info.getParentInputType()) : undefined;
        const use = isInputObjectType(field)
          ? field.getFields()[holder?.name?.value ?? '']
          : info.getArgument();
        if (use && holder?.kind !== Kind.VARIABLE_DEFINITION && !uses.has(node.name.value))
          uses.set(node.name.value, use);
      },
    }),
  );
  return uses;
}

function parameterOf(
  schema: GraphQLSchema,
  definition: VariableDefinitionNode,
  use: Use | undefined,
): Parameter {
  const type = typeFromAST(schema, definition.type) as GraphQLInputType;
  const words = wordsOf(definition);
  const { defaultValue } = definition;
  const printed = defaultValue && { default: untyped(type, valueFromASTUntyped(defaultValue)) };
  const description = use?.extensions.restDescription ?? use?.description;
  const described = { ...(description && { description }) };
  const fitted = narrowed(schemaOf(type), words);
  const convert = conversionOf(type);
  const permit = use?.extensions.permit as Parameter['permit'];
  const name = definition.variable.name.value;
  const reading = parses(type) ? readingOf(type, name) : undefined;
  const required = type instanceof GraphQLNonNull && !defaultValue;
  const untypedOne = fitted.loose !== undefined || !(fitted.type || fitted.oneOf);
  const mayBeBlank = untypedOne && !required && !fitted.readsBlank;
  const refusesBlank =
    'validationError' in check('', fitted, name) || reading?.fault('') !== undefined;
  return {
    name,
    schema: { ...described, ...fitted, ...printed },
    required,
    preset: defaultValue && valueFromAST(defaultValue, type),
    blank: mayBeBlank && (defaultValue !== undefined || refusesBlank),
    first: words.has('first'),
    nullable: words.has('nullable'),
    undeclared: words.has('undeclared') || words.has('refuse') || words.has('others'),
    ...(words.has('others') && { others: new Set<string>() }),
    ...(words.has('refuse') && { refusal: refusalFrom(words.get('refuse')) }),
    ...(permit && { permit }),
    ...(convert && { convert }),
    ...reading,
  };
}

/**
 * Reads `@refuse`. Throws when it names a reason that does not exist, so that the service does not
 * start.
 */
function refusalFrom(word: unknown): Parameter['refusal'] & object {
  const refusal = word as Refusal & { readonly zero?: Reason };
  for (const reason of [refusal.reason, refusal.zero ?? refusal.reason])
    if (!isReason(reason)) throw new Error(`@refuse names ${reason}, which is no reason.`);
  return refusal;
}

/**
 * Returns a default as it is printed: an enum by its REST value. The single value of a list stays
 * single.
 */
function untyped(type: GraphQLInputType, value: unknown): unknown {
  const inner =
    type instanceof GraphQLNonNull || (type instanceof GraphQLList && !Array.isArray(value))
      ? type.ofType
      : undefined;
  if (inner) return untyped(inner as GraphQLInputType, value);
  if (type instanceof GraphQLList)
    return (value as unknown[]).map((item) => untyped(type.ofType as GraphQLInputType, item));
  return isEnumType(type) ? type.getValue(value as string)?.value : value;
}
