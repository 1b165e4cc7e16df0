import type { IncomingMessage } from 'node:http';
import {
  createSourceEventStream,
  type DocumentNode,
  type ExecutionResult,
  execute,
  GraphQLError,
  getOperationAST,
} from 'graphql';
import type { App } from '../app/app.js';
import type { Incoming } from '../app/incoming.js';
import type { RequestContext } from '../core/context.js';
import { DomainError } from '../core/errors.js';
import { pointsOfAsking, type Quota } from '../core/quota.js';
import { networkOf } from '../platform/http/address.js';
import { passes } from '../platform/http/response-size.js';
import type { Shares } from '../platform/http/shares.js';
import { charactersOf, coerced } from './document-variables.js';
import { documentsOf } from './documents.js';
import { tooLarge } from './guard.js';
import { measure } from './measuring.js';
import { mistakeIn, type RawParams, type RequestParams, unresolved } from './request-mistakes.js';

export type Show = (error: unknown) => GraphQLError;

/** What the faces of subscriptions share. */
export interface Live {
  readonly app: App;
  /** Returns an error as the caller sees it. */
  readonly show: Show;
  /** The subscriptions of accounts. */
  readonly subscriptions: Shares;
  /** The connections that carry subscriptions, by address. */
  readonly streams: Shares;
  /** Reads what a request says of its caller. */
  readonly incomingOf: (request: IncomingMessage) => Incoming;
}

/** Returns the holder of a stream, for `Live.streams`; undefined when the address is not known. */
export const addressOf = ({ address }: Incoming) => (address ? networkOf(address) : undefined);

/** Returns whether the token has expired: a new one would be taken. */
export const isExpired = ({ input: { refusal } }: RequestContext) =>
  refusal?.reason === 'TOKEN_EXPIRED';

/**
 * Calls back when the token of a context expires; never for credentials that do not. Returns a
 * function that cancels it.
 */
export function whenExpired(
  { deps, input: { expiresAt } }: RequestContext,
  expired: () => void,
): () => void {
  if (expiresAt === undefined) return () => {};
  const timer = setTimeout(expired, Math.max(0, expiresAt - deps.clock())).unref();
  return () => clearTimeout(timer);
}

/**
 * Starts a subscription that `prepare` has accepted and the caller has paid for. Each event runs in
 * a context of its own, made from the same credentials. After the end of the sign-in or of a right,
 * the refusal takes the place of the event, and the stream ends; that of a sign-in comes within a
 * second, without an event. When the token has expired, `expired`
 * is called, and the stream ends without an event. The first event tells what starting has cost, by the
 * `quota` that paid, the others what they cost themselves. Returns errors alone when it may not start. Over
 * 40 lines: each of its steps gives back what the steps before it have taken.
 */
export async function start(
  { app, show, subscriptions }: Live,
  incoming: Incoming,
  { document, operationName, variableValues }: Prepared,
  quota: Quota,
  expired: () => void,
): Promise<AsyncIterableIterator<ExecutionResult> | { errors: readonly GraphQLError[] }> {
  const context = await app.createContext(incoming);
  if (context.input.refusal) return { errors: [refusalOf(context)] };
  const { id } = context.viewer;
  const leave = subscriptions.take(id ? String(id) : addressOf(incoming));
  if (!leave)
    return {
      errors: [tooMany('Too many subscriptions are open. End some of them.')],
    };
  const run = { schema: app.schema, document, variableValues, operationName };
  const source = await createSourceEventStream({ ...run, contextValue: context }).catch(
    (error: unknown) => {
      leave();
      throw error;
    },
  );
  if (!(Symbol.asyncIterator in source)) {
    leave();
    return { errors: (source.errors ?? []).map(show) };
  }
  let untold: Quota | undefined = quota;
  const respond = async (rootValue: unknown): Promise<Answered> => {
    const fresh = await app.createContext(incoming);
    if (isExpired(fresh)) return { last: true };
    const told = (result: ExecutionResult): ExecutionResult => {
      const paid = untold ?? fresh.quota;
      untold = undefined;
      return withCost(result, paid);
    };
    if (fresh.input.refusal) return { last: true, result: told({ errors: [refusalOf(fresh)] }) };
    const result = await execute({ ...run, rootValue, contextValue: fresh });
    if (passes(result)) return { last: true, result: told({ errors: [tooLarge()] }) };
    return {
      last: !result.data,
      result: told({ ...result, ...(result.errors && { errors: result.errors.map(show) }) }),
    };
  };
  const safely = (event: unknown) =>
    respond(event).catch(
      (error: unknown): Answered => ({ last: true, result: { errors: [show(error)] } }),
    );
  const ends = { left: leave, expired, refuse: show };
  return responsesTo(source[Symbol.asyncIterator](), safely, ends);
}

/** Tells in the extensions of a response what a quota has paid; nothing where nothing is charged. */
export function withCost(result: ExecutionResult, quota: Quota): ExecutionResult {
  const cost = quota.cost();
  return cost ? { ...result, extensions: { cost } } : result;
}

/** Refuses a subscription beyond a bound. */
export const tooMany = (message: string) =>
  new GraphQLError(message, { extensions: { code: 'TOO_MANY_SUBSCRIPTIONS' } });

const refusalOf = ({ input: { refusal } }: RequestContext) =>
  new GraphQLError(refusal?.message ?? '', { extensions: { code: refusal?.reason } });

interface Answered {
  /** Nothing: the token has expired. */
  readonly result?: ExecutionResult;
  /** Whether nothing can follow. */
  readonly last: boolean;
}

/** How a stream ends. */
interface StreamEnds {
  readonly left: () => void;
  readonly expired: () => void;
  /** Makes the last error of what the source threw. */
  readonly refuse: Show;
}

/** Returns the next event, or why there is none: the sign-in has ended. */
const nextOf = (source: AsyncIterator<unknown>) =>
  source.next().catch((refused: unknown) => ({ refused }) as const);

function responsesTo(
  source: AsyncIterator<unknown>,
  respond: (event: unknown) => Promise<Answered>,
  { left, expired, refuse }: StreamEnds,
): AsyncIterableIterator<ExecutionResult> {
  let ended = false;
  const end = async (): Promise<IteratorResult<ExecutionResult>> => {
    ended = true;
    left();
    await source.return?.();
    return { done: true, value: undefined };
  };
  return {
    async next() {
      if (ended) return end();
      const event = await nextOf(source);
      if ('refused' in event) {
        await end();
        return { done: false, value: { errors: [refuse(event.refused)] } };
      }
      if (event.done) return end();
      const { result, last } = await respond(event.value);
      if (last) await end();
      if (result) return { done: false, value: result };
      expired();
      return end();
    },
    return: end,
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

export interface Prepared {
  readonly document: DocumentNode;
  readonly operationName: string | undefined;
  readonly variableValues: Record<string, unknown>;
}

/**
 * Parses, validates and measures a document, and reads its variables. `quota` pays for both. Only
 * subscriptions pass.
 */
export async function prepare(
  { schema, deps }: App,
  quota: Quota,
  asked: RawParams,
): Promise<Prepared | { errors: readonly GraphQLError[] }> {
  const mistake = mistakeIn(asked);
  if (mistake) return { errors: [mistake] };
  const { query, variables, operationName } = asked as RequestParams;
  if (!query) return { errors: [refused('Subscriptions take their document as `query`.')] };
  const variableValues = variables ?? {};
  const onlyRegistered = deps.config.PERSISTED_DOCUMENTS_ONLY === 'on';
  const read = await documentsOf(schema).readFor(quota, query, { onlyRegistered });
  if ('errors' in read) return read;
  const { document } = read;
  const operation = getOperationAST(document, operationName);
  if (!operation) return { errors: [unresolved(operationName)] };
  if (operation.operation !== 'subscription')
    return {
      errors: [refused('Only subscriptions run here; send queries and mutations over HTTP.')],
    };
  try {
    measure(schema, operation, document, variableValues);
  } catch (error) {
    if (!(error instanceof GraphQLError)) throw error;
    return { errors: [error] };
  }
  const spent = await quota.add(pointsOfAsking(charactersOf(variableValues) ?? 0));
  if (spent) return { errors: [new DomainError(spent)] };
  const fitting = coerced(schema, operation, variableValues);
  return 'errors' in fitting
    ? fitting
    : { document, operationName: operationName ?? undefined, variableValues };
}

const refused = (message: string) =>
  new GraphQLError(message, { extensions: { code: 'BAD_REQUEST' } });
