import type { IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
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
import { pointsOfAnswer, pointsOfAsking, type Quota } from '../core/quota.js';
import { networkOf } from '../platform/http/address.js';
import { lengthOf } from '../platform/http/response-size.js';
import type { Shares } from '../platform/http/shares.js';
import { charactersOf, coerced } from './document-variables.js';
import { documentsOf } from './documents.js';
import { isOutage } from './format.js';
import { orThrow, priceOf, readingFor, TOO_MANY } from './guard.js';
import { measure } from './measuring.js';
import type { PersistedDocuments } from './persisted-documents.js';
import { mistakeIn, type RawParams, type RequestParams, unresolved } from './request-mistakes.js';

export type Show = (error: unknown) => GraphQLError;

/** Characters of JSON that one event may have. Each subscription may hold one that is not read. */
const LARGEST_EVENT = 256 * 1024;
/** Milliseconds after which an event is made again that an outage has prevented. */
const AGAIN = 1_000;

/** What the faces of subscriptions share. */
export interface Live {
  readonly app: App;
  readonly persisted: PersistedDocuments;
  /** Returns an error as the caller sees it. */
  readonly show: Show;
  /** The subscriptions of accounts to this process. */
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
 * second, without an event. When the token has expired, `expired` is called, and the stream ends
 * without an event. Starting pays for the first event, and `quota` tells the cost in it; each other
 * event is charged the same price and tells its own cost. An event waits while no point is left, and
 * while the database is away: none is lost. Returns errors alone when it may not start. Over
 * 40 lines: each of its steps gives back what the steps before it have taken.
 */
export async function start(
  { app, show, subscriptions }: Live,
  incoming: Incoming,
  { document, operationName, variableValues, price }: Prepared,
  quota: Quota,
  { expired, ended = () => {} }: StreamListeners,
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
  let started: Quota | undefined = quota;
  let owed = 0; // parts of points for the bytes of events
  const respond = async (rootValue: unknown): Promise<Answered> => {
    const fresh = await app.createContext(incoming);
    if (isExpired(fresh)) return { last: true };
    const paying = started ?? fresh.quota;
    const told = (result: ExecutionResult) => withCost(result, paying);
    const { refusal } = fresh.input;
    if (refusal?.reason === TOO_MANY) orThrow(refusal);
    if (refusal) return { last: true, result: told({ errors: [refusalOf(fresh)] }) };
    if (!started) orThrow(await fresh.quota.charge(price));
    started = undefined;
    const result = await execute({ ...run, rootValue, contextValue: fresh });
    const prevented = result.errors?.find(passesIn);
    if (prevented) throw prevented;
    const length = lengthOf(result, LARGEST_EVENT);
    if (length > LARGEST_EVENT) return { last: true, result: told({ errors: [TOO_LARGE] }) };
    owed += pointsOfAnswer(length);
    await fresh.quota.owe(Math.floor(owed));
    owed %= 1;
    return {
      last: !result.data,
      result: told({ ...result, ...(result.errors && { errors: result.errors.map(show) }) }),
    };
  };
  const leaving = new AbortController();
  const left = () => {
    leave();
    leaving.abort();
    ended();
  };
  const untilMade = (event: unknown) => holding(() => respond(event), show, leaving.signal);
  return responsesTo(source[Symbol.asyncIterator](), untilMade, { left, expired, refuse: show });
}

/** Makes an event, later again while what prevents it passes. */
async function holding(
  make: () => Promise<Answered>,
  show: Show,
  leaving: AbortSignal,
): Promise<Answered> {
  for (;;) {
    try {
      return await make();
    } catch (error) {
      const wait = passesIn(error);
      if (wait === undefined) return { last: true, result: { errors: [show(error)] } };
      await sleep(wait, undefined, { signal: leaving, ref: false }).catch(() => {});
      if (leaving.aborted) return { last: true };
    }
  }
}

/** Returns the milliseconds after which what failed may succeed; undefined for what lasts. */
function passesIn(error: unknown): number | undefined {
  const { code, retryAfter } = error instanceof GraphQLError ? error.extensions : {};
  if (code === TOO_MANY) return Number(retryAfter) * 1_000;
  return isOutage(error) ? AGAIN : undefined;
}

const TOO_LARGE = new GraphQLError(
  'The event would have more than 256 KiB. Ask for fewer texts, and read them by a query.',
  { extensions: { code: 'RESPONSE_TOO_LARGE' } },
);

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

/** What is called when a stream ends. */
interface StreamListeners {
  /** Its token has expired. */
  readonly expired: () => void;
  /** It ends, for whatever reason. May be called several times. */
  readonly ended?: () => void;
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
      if (ended) return end();
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
  /** The points of each event. */
  readonly price: number;
}

/** The extension that names a persisted document, where nothing has been checked. */
interface Naming {
  readonly persistedQuery?: { readonly sha256Hash?: unknown } | null;
}

/** Returns the document that is asked for, also by its hash; undefined where that is not known. */
export const textOf = ({ persisted }: Live, asked: RawParams): unknown =>
  asked.query || hashOf(asked) === undefined ? asked.query : persisted.textOf(hashOf(asked) ?? '');

function hashOf({ extensions }: RawParams): string | undefined {
  const hash = (extensions as Naming | null | undefined)?.persistedQuery?.sha256Hash;
  return hash === undefined ? undefined : String(hash);
}

const NOT_FOUND = new GraphQLError('PersistedQueryNotFound', {
  extensions: { code: 'PERSISTED_QUERY_NOT_FOUND' },
});

/**
 * Parses, validates and measures a document, and reads its variables. The quota of the context pays
 * for both, and the price of a query that asks for the same. Only subscriptions pass.
 */
export async function prepare(
  live: Live,
  context: RequestContext,
  asked: RawParams,
): Promise<Prepared | { errors: readonly GraphQLError[] }> {
  const mistake = mistakeIn(asked);
  if (mistake) return { errors: [mistake] };
  const { app } = live;
  const { schema } = app;
  const { quota } = context;
  const { variables, operationName } = asked as RequestParams;
  const text = textOf(live, asked) as string | undefined;
  if (!text) return { errors: [NOT_FOUND] };
  const variableValues = variables ?? {};
  const reading = readingFor(app, context);
  const read = await documentsOf(schema).readFor(quota, text, reading);
  if ('errors' in read) return read;
  const { document } = read;
  const operation = getOperationAST(document, operationName);
  if (!operation) return { errors: [unresolved(operationName)] };
  if (operation.operation !== 'subscription')
    return {
      errors: [refused('Only subscriptions run here; send queries and mutations over HTTP.')],
    };
  try {
    const measured = measure(schema, operation, document, variableValues);
    orThrow(await quota.add(pointsOfAsking(charactersOf(variableValues) ?? 0)));
    const fitting = coerced(schema, operation, variableValues, reading.suggests);
    if ('errors' in fitting) return fitting;
    const price = priceOf(app, operation, measured, fitting.values);
    orThrow(await quota.charge(price));
    const hash = hashOf(asked);
    if (hash !== undefined) live.persisted.keep(hash, text);
    return { document, operationName: operationName ?? undefined, variableValues, price };
  } catch (error) {
    if (!(error instanceof GraphQLError)) throw error;
    return { errors: [error] };
  }
}

const refused = (message: string) =>
  new GraphQLError(message, { extensions: { code: 'BAD_REQUEST' } });
