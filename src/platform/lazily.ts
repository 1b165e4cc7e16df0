import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/**
 * Returns a function that loads a package at its first call. For packages that few requests need:
 * they would cost every start time and memory. Only for packages in the format CommonJS.
 */
export function lazily<T>(name: string): () => T {
  let loaded: T | undefined;
  return () => (loaded ??= require(name) as T);
}
