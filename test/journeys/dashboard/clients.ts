import { openInApollo } from './apollo-screens.js';
import { openInRelay } from './relay-screens.js';
import type { OpenClient } from './screens.js';
import { openInUrql } from './urql-screens.js';

/** The clients whose caches are held against fresh reads. */
export const CLIENTS: readonly (readonly [cache: string, open: OpenClient])[] = [
  ['the cache of Apollo Client', openInApollo],
  ['the store of Relay', openInRelay],
  ['the cache of urql', openInUrql],
];
