import { useEffect, useState } from 'react';
import { failureText } from '../advice.js';
import { dataOf } from '../sending.js';
import { readCatalogue, type Subject } from './catalogue.js';

/** The catalogue as it is read: what can be asked, or why it is not known. */
export interface Reading {
  readonly subjects?: readonly Subject[];
  readonly problem?: string;
  readonly again: () => void;
}

let read: Promise<readonly Subject[]> | undefined;

/** Returns the catalogue. It is read once; after a failure when somebody asks again. */
export function catalogue(): Promise<readonly Subject[]> {
  read ??= readCatalogue((query) => dataOf({ query }));
  read.catch(() => {
    read = undefined;
  });
  return read;
}

/** Returns the catalogue for a component, once somebody may read it. */
export function useCatalogue(isAllowed = true): Reading {
  const [state, setState] = useState<Omit<Reading, 'again'>>({});
  const [tries, setTries] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is read again for each try
  useEffect(() => {
    if (!isAllowed) return;
    catalogue().then(
      (subjects) => setState({ subjects }),
      (error) => setState({ problem: failureText(error) }),
    );
  }, [tries, isAllowed]);
  return { ...state, again: () => setTries(tries + 1) };
}
