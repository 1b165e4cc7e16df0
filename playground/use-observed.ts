import { useSyncExternalStore } from 'react';
import type { Observed } from './observed.js';

/** Returns the value of an observed one, in a component. */
export const useObserved = <T>(observed: Observed<T>): T =>
  useSyncExternalStore(observed.watch, () => observed.value);
