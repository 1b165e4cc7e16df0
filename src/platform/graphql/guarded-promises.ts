import type { GraphQLObjectType } from 'graphql';

type Wrap = (error: unknown) => unknown;

/**
 * Guards the resolvers of a type for graphql-jit. It reads the fields of a promised value in the
 * promise's own callback, and never ends when one of them throws there. Such an error becomes that
 * of the field of the promise, as `wrap` returns it. Promises within a list are guarded too.
 */
export function guardPromises(type: GraphQLObjectType, wrap: Wrap = (error) => error): void {
  for (const field of Object.values(type.getFields())) {
    const { resolve } = field;
    if (!resolve) continue;
    field.resolve = (...args) => guarded(resolve(...args), wrap);
  }
}

function guarded(value: unknown, wrap: Wrap): unknown {
  if (isPromise(value)) return guardedPromise(value, wrap);
  return Array.isArray(value) && value.some(isPromise)
    ? value.map((item) => (isPromise(item) ? guardedPromise(item, wrap) : item))
    : value;
}

const isPromise = (value: unknown): value is PromiseLike<unknown> =>
  typeof value === 'object' &&
  value !== null &&
  'then' in value &&
  typeof value.then === 'function';

const guardedPromise = (promise: PromiseLike<unknown>, wrap: Wrap) => ({
  // biome-ignore lint/suspicious/noThenProperty: executors take whatever has one
  then: (onValue: (value: unknown) => unknown, onError?: (reason: unknown) => unknown) =>
    promise.then((value) => {
      try {
        return onValue(guarded(value, wrap));
      } catch (error) {
        if (!onError) throw error;
        return onError(wrap(error));
      }
    }, onError),
});
