import type { GraphQLField } from 'graphql';
import { Extensions } from 'type-graphql';
import { Turns } from '../platform/mutex.js';
import type { RequestContext } from './context.js';

/** A request that costs more points is dear: a change costs ten, beside its body. */
const DEAR = 12;
/** Dear requests of one network address that run at a time in this process. Others wait. */
const AT_ONCE = 2;

const turns = new Turns<string>(AT_ONCE);

/** Declares that most of what a root field costs is known only after it ran: it is always dear. */
export const Dear = () => Extensions({ dear: true });

/** Returns whether a root field is declared to be dear. */
export const isDear = ({ extensions }: Pick<GraphQLField<unknown, unknown>, 'extensions'>) =>
  extensions.dear === true;

/**
 * Runs the operation of a request. Dear ones wait while two others of the same network address run:
 * the process does one thing at a time, and else every request waited for all of them. The quota
 * bounds how many can wait. With RATE_LIMITS=off none waits.
 */
export function inTurn<Result>(
  context: RequestContext,
  dear: boolean,
  work: () => Promise<Result>,
): Promise<Result> {
  const { deps, quota, input } = context;
  const isCostly = dear || (quota.cost()?.asked ?? 0) > DEAR;
  if (!isCostly || !deps.limits.on || input.address === undefined) return work();
  return turns.take(input.address, work);
}
