import type { Failure, RestRequest } from '../message.js';
import type { Variables } from '../operation/compiling.js';
import type { Endpoint, Match } from '../router.js';

/** A request that has found its route, with its parameters checked. Nothing of it has run. */
export interface Plan {
  readonly request: RestRequest;
  readonly match: Match;
  readonly endpoint: Endpoint;
  readonly variables: Variables;
  /** Why it will not run. */
  readonly failure?: Failure | undefined;
}
