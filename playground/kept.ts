import { Observed } from './observed.js';

/** Characters of a value that the tab keeps: browsers give a page about five million. */
const MOST = 1_500_000;

/**
 * Returns an observed value that survives a reload: it is kept in the tab and ends with it. What is
 * too long is not kept.
 */
export function kept<T>(key: string, initial: T): Observed<T> {
  const observed = new Observed<T>(readKept<T>(key) ?? initial);
  observed.watch(() => {
    const text = JSON.stringify(observed.value);
    try {
      if (text !== undefined && text.length <= MOST) sessionStorage.setItem(key, text);
      else sessionStorage.removeItem(key);
    } catch {
      sessionStorage.removeItem(key);
    }
  });
  return observed;
}

function readKept<T>(key: string): T | undefined {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? 'null') ?? undefined;
  } catch {
    return undefined;
  }
}
