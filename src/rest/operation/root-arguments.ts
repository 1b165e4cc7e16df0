import {
  type ArgumentNode,
  type FieldNode,
  type GraphQLField,
  type GraphQLInputType,
  getNullableType,
  isInputObjectType,
  isListType,
  Kind,
  type ObjectFieldNode,
  print,
  type ValueNode,
  valueFromAST,
} from 'graphql';
import type { Parameter } from '../parameter/parameter.js';
import type { Variables } from './compiling.js';

type Parameters = ReadonlyMap<string, Parameter>;
type Reader = (variables: Variables) => unknown;

/** The arguments of the root field of an operation, as its access rule gets them. */
export class RootArguments {
  readonly #readers: object = {};

  constructor({ args }: GraphQLField<unknown, unknown>, node: FieldNode, parameters: Parameters) {
    const given = new Map(node.arguments?.map((argument) => [argument.name.value, argument.value]));
    for (const { name, type, defaultValue } of args) {
      const value = given.get(name);
      if (!value && defaultValue === undefined) continue;
      const read = value ? readerOf(value, type, parameters) : () => undefined;
      const get = function (this: { variables: Variables }) {
        return read(this.variables) ?? defaultValue;
      };
      Object.defineProperty(this.#readers, name, { get, enumerable: true });
    }
  }

  /** Returns the arguments. Each is made when it is read, because rules read few of them. */
  of(variables: Variables): object {
    return Object.create(this.#readers, { variables: { value: variables } });
  }
}

/** Yields each argument or input field that is filled by a variable, with the variable's name. */
export function* parametersByInput(
  given: readonly (ArgumentNode | ObjectFieldNode)[],
): Generator<[string, string]> {
  for (const { name, value } of given) {
    if (value.kind === Kind.VARIABLE) yield [name.value, value.name.value];
    if (value.kind === Kind.OBJECT) yield* parametersByInput(value.fields);
  }
}

/**
 * Reads a value of a document as resolvers get it: literals by their type, enums as their values,
 * variables as they were checked, scalars as their type parses them. Throws for a literal that its
 * type does not take.
 */
function readerOf(value: ValueNode, type: GraphQLInputType, parameters: Parameters): Reader {
  if (value.kind === Kind.VARIABLE) return variableReader(value.name.value, parameters);
  const bare = getNullableType(type);
  if (value.kind === Kind.LIST && isListType(bare)) {
    const items = value.values.map((item) =>
      readerOf(item, bare.ofType as GraphQLInputType, parameters),
    );
    return (variables) => items.map((read) => read(variables));
  }
  if (value.kind === Kind.OBJECT && isInputObjectType(bare)) {
    const types = bare.getFields();
    const fields = value.fields.map(({ name, value: held }) => {
      const field = types[name.value];
      if (!field) throw new Error(`${bare.name} has no field ${name.value}.`);
      return [name.value, readerOf(held, field.type, parameters)] as const;
    });
    return (variables) => Object.fromEntries(fields.map(([name, read]) => [name, read(variables)]));
  }
  const literal = valueFromAST(value, type);
  if (literal === undefined) throw new Error(`${print(value)} is no ${String(type)}.`);
  return () => literal;
}

function variableReader(name: string, parameters: Parameters): Reader {
  return (variables) => {
    const held = variables[name];
    return held === undefined || held === null
      ? held
      : (parameters.get(name)?.parsed?.(held) ?? held);
  };
}
