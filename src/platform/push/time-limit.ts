/**
 * Runs `work` with a signal that is aborted with `outer`, or after `milliseconds`. (On Node 20,
 * AbortSignal.any over AbortSignal.timeout may be garbage-collected before it fires.)
 */
export async function limited<T>(
  outer: AbortSignal,
  milliseconds: number,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const limit = new AbortController();
  const stop = () => limit.abort();
  const timer = setTimeout(stop, milliseconds);
  if (outer.aborted) stop();
  else outer.addEventListener('abort', stop, { once: true });
  try {
    return await work(limit.signal);
  } finally {
    clearTimeout(timer);
    outer.removeEventListener('abort', stop);
  }
}
