import { setTimeout as sleep } from 'node:timers/promises';
import { GraphQLError } from 'graphql';
import type { Incoming } from '../app/incoming.js';
import type { RequestContext } from '../core/context.js';
import { DomainError } from '../core/errors.js';
import { Quota } from '../core/quota.js';
import { TOO_MANY } from './guard.js';
import { namedById, type RawParams } from './request-mistakes.js';
import { type Live, type Prepared, prepare, withCost } from './subscriptions.js';

/** An operation that was paid for, or why it may not run. */
type Begun = (Prepared & { readonly quota: Quota }) | { readonly errors: readonly GraphQLError[] };

/** Begins an operation, later again while no point is left for it and its client is here. */
export async function whenPaid(
  attempt: () => Promise<Begun>,
  isHere: () => boolean,
): Promise<Begun> {
  for (;;) {
    const begun = await attempt();
    const spent =
      'errors' in begun && begun.errors.find(({ extensions }) => extensions.code === TOO_MANY);
    if (!spent) return begun;
    for (let left = Number(spent.extensions.retryAfter ?? 1); left > 0; left--) {
      await sleep(1_000, undefined, { ref: false });
      if (!isHere()) return begun;
    }
  }
}

/** Reads an operation, and pays for it. */
export async function begin(live: Live, incoming: Incoming, asked: RawParams): Promise<Begun> {
  const paid = await payFor(live, incoming);
  if ('refused' in paid) return { errors: [telling(paid.refused, paid.quota)] };
  const { quota } = paid.context;
  const prepared = await prepare(live, paid.context, paramsOf(asked));
  if ('errors' in prepared)
    return { errors: prepared.errors.map((error) => telling(live.show(error), quota)) };
  return { ...prepared, quota };
}

/** Whose operation was paid for, or why it was not. */
type Paid =
  | { readonly context: RequestContext }
  | { readonly quota: Quota; readonly refused: GraphQLError };

/**
 * Returns what is asked. The library takes no payload without a `query`: that of a named document is
 * empty.
 */
const paramsOf = (asked: RawParams): RawParams =>
  namedById({ ...asked, query: asked.query || undefined });

/** Pays for an operation before anything of it is read. */
async function payFor({ app, show }: Live, incoming: Incoming): Promise<Paid> {
  try {
    const context = await app.createContext(incoming);
    const { quota } = context;
    const spent = await quota.arrive();
    return spent ? { quota, refused: show(new DomainError(spent)) } : { context };
  } catch (error) {
    return { quota: Quota.BOUNDLESS, refused: show(error) };
  }
}

/**
 * Tells in an error what a quota has paid: the message of the protocol that refuses an operation is its
 * errors alone.
 */
function telling(error: GraphQLError, quota: Quota): GraphQLError {
  const { message, nodes, source, positions, path } = error;
  const extensions = { ...error.extensions, ...withCost({}, quota).extensions };
  return new GraphQLError(message, { nodes, source, positions, path, extensions });
}
