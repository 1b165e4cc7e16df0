import { refuse } from '../../../core/errors.js';

/** Throws CONFLICT when a reminder has another version than the one that a change is based on. */
export function refuseStale(
  read: { readonly version: number },
  version: number | null | undefined,
): void {
  if (typeof version !== 'number' || version === read.version) return;
  const detail = { version: read.version };
  throw refuse('CONFLICT', 'The reminder has changed since it was read.', { detail });
}
