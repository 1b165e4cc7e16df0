import { ConnectionError } from './database-errors.js';

/**
 * Resolves as `answer` does. Rejects with ConnectionError when that takes longer than
 * `milliseconds`.
 */
export async function within<T>(milliseconds: number, result: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new ConnectionError('The database did not answer in time.')),
      milliseconds,
    );
  });
  return Promise.race([result, late]).finally(() => clearTimeout(timer));
}
