import { StartError } from '../../platform/database/database.js';

/**
 * Runs work that SIGTERM and SIGINT end in order, also in process 1, for which the system has no
 * default action. Such a signal aborts the signal that the work gets, with a StartError that ends
 * with what was not done; the work then cleans up, and throws it.
 */
export async function untilStopped<T>(
  undone: string,
  work: (stopping: AbortSignal) => Promise<T>,
): Promise<T> {
  const stop = new AbortController();
  // Terminals and npm both forward a signal, so a second one is the same.
  const heard = (signal: string) => stop.abort(new StartError(`Stopped by ${signal}: ${undone}.`));
  process.on('SIGTERM', heard).on('SIGINT', heard);
  try {
    return await work(stop.signal);
  } finally {
    process.off('SIGTERM', heard).off('SIGINT', heard);
  }
}
