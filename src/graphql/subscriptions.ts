import {
  createSourceEventStream,
  type DocumentNode,
  type ExecutionResult,
  execute,
  GraphQLError,
  getOperationAST,
  parse,
  validate,
} from 'graphql';
import type { App, Incoming } from '../app.js';
import type { RequestContext } from '../context.js';
import { DomainError } from '../errors.js';
import { POINTS } from '../quota.js';
import { LIMITS, refuseTooMuch } from './limits.js';

/** What a client sends, whatever the transport. */
export interface Asked {
  readonly query?: unknown;
  readonly variables?: unknown;
  readonly operationName?: unknown;
}

export type Show = (error: unknown) => GraphQLError;

/**
 * Starts a subscription that `prepare` has let through. Each event is answered under a context of its own, made from the same
 * credentials: who was signed out, whose token has expired or whose rights have ended gets the refusal in place of the event, and
 * the stream ends. Answers errors alone when it may not start. `show` decides what a caller sees of an error.
 */
export async function start(
  app: App,
  incoming: Incoming,
  { document, operationName, variableValues }: Prepared,
  show: Show,
): Promise<AsyncIterableIterator<ExecutionResult> | { errors: readonly GraphQLError[] }> {
  const context = await app.createContext(incoming);
  if (context.input.refusal) return { errors: [refusalOf(context)] };
  const spent = await context.quota.charge(POINTS.read);
  if (spent) return { errors: [show(new DomainError(spent))] };
  const run = { schema: app.schema, document, variableValues, operationName };
  const source = await createSourceEventStream({ ...run, contextValue: context });
  if (!(Symbol.asyncIterator in source)) return { errors: (source.errors ?? []).map(show) };
  return answers(source[Symbol.asyncIterator](), async (rootValue) => {
    const fresh = await app.createContext(incoming);
    if (fresh.input.refusal) return { last: true, result: { errors: [refusalOf(fresh)] } };
    const result = await execute({ ...run, rootValue, contextValue: fresh });
    return { last: !result.data, result: { ...result, ...(result.errors && { errors: result.errors.map(show) }) } };
  });
}

const refusalOf = ({ input: { refusal } }: RequestContext) =>
  new GraphQLError(refusal?.message ?? '', { extensions: { code: refusal?.reason } });

interface Answered {
  readonly result: ExecutionResult;
  /** Whether nothing can follow. */
  readonly last: boolean;
}

function answers(
  source: AsyncIterator<unknown>,
  answer: (event: unknown) => Promise<Answered>,
): AsyncIterableIterator<ExecutionResult> {
  let ended = false;
  const end = async (): Promise<IteratorResult<ExecutionResult>> => {
    ended = true;
    await source.return?.();
    return { done: true, value: undefined };
  };
  return {
    async next() {
      if (ended) return end();
      const event = await source.next();
      if (event.done) return end();
      const { result, last } = await answer(event.value);
      if (last) await end();
      return { done: false, value: result };
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

/** Parses, validates and measures a document; only subscriptions pass. */
export function prepare(
  { schema }: App,
  { query, variables, operationName }: Asked,
): Prepared | { errors: readonly GraphQLError[] } {
  const refused = (message: string, code = 'BAD_REQUEST') => ({ errors: [new GraphQLError(message, { extensions: { code } })] });
  if (typeof query !== 'string') return refused('Send a `query`.');
  if (variables !== undefined && variables !== null && (typeof variables !== 'object' || Array.isArray(variables)))
    return refused('`variables` must be an object.');
  const variableValues = (variables ?? {}) as Record<string, unknown>;
  const name = typeof operationName === 'string' ? operationName : undefined;
  try {
    const document = parse(query, { maxTokens: LIMITS.tokens });
    const errors = validate(schema, document);
    if (errors.length > 0) return { errors: errors.map(misfit) };
    const operation = getOperationAST(document, name);
    if (operation?.operation !== 'subscription')
      return refused('Only subscriptions run here; send queries and mutations over HTTP.');
    refuseTooMuch(operation, document, variableValues);
    return { document, operationName: name, variableValues };
  } catch (error) {
    if (!(error instanceof GraphQLError)) return refused('The document cannot be read.');
    return error.extensions.code ? { errors: [error] } : refused(error.message, 'GRAPHQL_PARSE_FAILED');
  }
}

/** Where a document does not fit, without the names that would have fitted. */
const misfit = ({ message, nodes }: GraphQLError) =>
  new GraphQLError(message.replace(/ Did you mean .+\?$/, ''), {
    nodes: nodes ?? null,
    extensions: { code: 'GRAPHQL_VALIDATION_FAILED' },
  });
