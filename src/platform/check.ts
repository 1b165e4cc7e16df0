import { limited } from './push/time-limit.js';

/**
 * A third party does not do what it should. The message is for people, and contains no address and
 * no secret.
 */
export class CheckFailed extends Error {
  override readonly name = 'CheckFailed';
}

/** Returns the status of a response, whose body is not read. */
async function statusOf(url: string, signal: AbortSignal): Promise<number> {
  const response = await fetch(url, { signal, redirect: 'manual' }).catch(() => {
    throw new CheckFailed(signal.aborted ? 'It did not answer in time.' : 'It cannot be reached.');
  });
  await response.body?.cancel().catch(() => undefined);
  return response.status;
}

/**
 * Throws CheckFailed unless an address answers with 200; with `anything`, with any status that is
 * no fault of the server.
 */
export async function checkAddress(
  url: string,
  signal: AbortSignal,
  { anything = false } = {},
): Promise<void> {
  const status = await statusOf(url, signal);
  if (anything ? status >= 500 : status !== 200)
    throw new CheckFailed(`It answered with ${status}.`);
}

/** Runs a check within so many milliseconds, also where the check ignores its signal. */
export function checkWithin<T>(
  milliseconds: number,
  check: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  return limited(new AbortController().signal, milliseconds, (signal) => {
    const late = new Promise<never>((_, reject) =>
      signal.addEventListener('abort', () => reject(new CheckFailed('It did not answer in time.'))),
    );
    return Promise.race([check(signal), late]);
  });
}
