import {
  coerceInputValue,
  type GraphQLInputType,
  getNamedType,
  isInputObjectType,
  isScalarType,
} from 'graphql';
import { BUILT_IN, snakeCase } from './input-schema.js';
import type { ValidationError } from './validation-error.js';

/** How the type of a variable reads values, beyond what its schema says. */
export interface Reading {
  /** Returns why the type refuses a value; undefined when it fits. */
  readonly fault: (value: unknown) => ValidationError | undefined;
  /** Returns the value as the type parses it for resolvers. */
  readonly parsed: (value: unknown) => unknown;
}

/**
 * Returns whether a type has scalars of ours. They refuse and parse values by rules that no schema
 * says.
 */
export function parses(type: GraphQLInputType): boolean {
  const named = getNamedType(type);
  if (isInputObjectType(named))
    return Object.values(named.getFields()).some((field) => parses(field.type));
  return isScalarType(named) && !Object.hasOwn(BUILT_IN, named.name);
}

/**
 * Returns how a type reads values. A refusal with a reason of the domain is no validation error:
 * the execution of the operation answers it.
 */
export function readingOf(type: GraphQLInputType, name: string): Reading {
  return {
    parsed: (value) => coerceInputValue(value, type, () => {}),
    fault(value) {
      try {
        coerceInputValue(value, type, (path, _invalid, { extensions, message }) => {
          if (extensions.code === MISTYPED) throw new Fault(labelOf(name, path), message);
        });
        return undefined;
      } catch (error) {
        if (error instanceof Fault) return error.validationError;
        throw error;
      }
    },
  };
}

/** Is thrown at the first validation error, so that a long list is not read to its end. */
class Fault {
  readonly validationError: ValidationError;

  constructor(label: string, message: string) {
    const [, expected] = /^\w+ must be (.*)$/.exec(message) ?? [];
    const text = expected ? `${label} must be ${expected}` : 'Invalid parameter.';
    this.validationError = { code: 'rest_invalid_param', message: text, data: null };
  }
}

/** `slug[3]`, `meta[footnotes]`. */
const labelOf = (name: string, path: readonly (string | number)[]) =>
  path.reduce<string>(
    (above, key) => `${above}[${typeof key === 'number' ? key : snakeCase(key)}]`,
    name,
  );

/** The code of a scalar's refusal that has no reason of the domain. */
const MISTYPED = 'BAD_USER_INPUT';
