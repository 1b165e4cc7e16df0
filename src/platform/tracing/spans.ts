import { AsyncLocalStorage } from 'node:async_hooks';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type * as Api from '@opentelemetry/api';
import type { IdGenerator, ReadableSpan, Sampler } from '@opentelemetry/sdk-trace';
import { holderOf, type Trust } from '../http/address.js';
import { lazily } from '../lazily.js';
import { Recent } from '../lru.js';
import { summaryOf } from './statement-summary.js';

const api = lazily<typeof Api>('@opentelemetry/api');

/** A traceparent of version 00 (W3C Trace Context, 3.2). */
const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
/** What operators ask every few seconds. */
const UNTRACED = new Set(['/healthz', '/readyz', '/metrics']);
/** What may be told of the code of an error: letters and digits of a table, never a message. */
const CODE = /^[A-Z0-9_]{1,30}$/;
/** How many texts of statements are remembered with their summaries. */
const MOST_SUMMARIES = 3_000;

/** Milliseconds for which a trace keeps the storage on: event streams and downloads last for hours. */
const LONGEST_HOLD = 60_000;

/** Part of a trace that runs now. */
interface Scope {
  /** Its span, which begins now if it has not begun. */
  open(): Api.Span;
  /** Its span if it has begun. */
  readonly span: Api.Span | undefined;
}

/** How a span begins. */
interface Beginning {
  readonly name: string;
  readonly kind?: Api.SpanKind;
  readonly attributes?: Api.Attributes;
}

/** Gives the next root span the ids that it is to have, and all others random ones. */
export class ChosenIds implements IdGenerator {
  #next: { readonly traceId: string; readonly spanId: string } | undefined;

  constructor(private readonly random: IdGenerator) {}

  /** Runs `begin`, whose root span gets these ids. */
  give<T>(ids: { traceId: string; spanId: string }, begin: () => T): T {
    this.#next = ids;
    try {
      return begin();
    } finally {
      this.#next = undefined;
    }
  }

  generateTraceId = (): string => this.#next?.traceId ?? this.random.generateTraceId();
  generateSpanId = (): string => this.#next?.spanId ?? this.random.generateSpanId();
}

/** A message that was sent to one device or channel. */
export interface SentMessage {
  readonly messageId: string;
  /** The kind of recipient, such as `expo`. */
  readonly provider: string;
  /** What the provider made of it, such as `accepted`. */
  readonly outcome: string;
  /** When the call began, by `performance.now()`. */
  readonly began: number;
}

/** What spans are made with. */
export interface SpansOptions {
  readonly tracer: Api.Tracer;
  readonly sampler: Sampler;
  readonly ids: ChosenIds;
  /** Milliseconds after which a trace that lasts gets no more spans. Default: a minute. */
  readonly longest?: number;
}

/**
 * Makes the spans of a process. What runs in a trace that is not sampled costs one comparison. No
 * span holds a path, an argument, a value of a statement, a message of an error, or who asks.
 */
export class Spans {
  readonly #scopes = new AsyncLocalStorage<Scope>();
  /** Traces that keep the storage on. */
  #held = 0;
  readonly #summaries = new Recent<string, string>(MOST_SUMMARIES);

  constructor(private readonly options: SpansOptions) {}

  /** Whether what runs now is in a trace that is recorded. */
  get isRecording(): boolean {
    return isRecorded(this.#scopes.getStore());
  }

  request(
    request: IncomingMessage,
    response: ServerResponse,
    trust: Trust,
    handle: () => void,
  ): void {
    if (UNTRACED.has(request.url ?? '')) {
      handle();
      return;
    }
    const { method = '' } = request;
    const known = METHODS.has(method) ? method : '_OTHER';
    const span = this.options.tracer.startSpan(
      known,
      { kind: api().SpanKind.SERVER, attributes: { 'http.request.method': known } },
      callerOf(request, trust),
    );
    if (!span.isRecording()) {
      handle();
      return;
    }
    const release = this.#hold();
    response.once('close', () => {
      span.setAttribute('http.response.status_code', response.statusCode);
      if (response.statusCode >= 500) span.setStatus({ code: api().SpanStatusCode.ERROR });
      span.end();
      release();
    });
    this.#scopes.run(opened(span), handle);
  }

  nameRequest(route: string): void {
    const span = this.#scopes.getStore()?.span;
    if (!span?.isRecording()) return;
    const { attributes } = span as unknown as ReadableSpan;
    span.updateName(`${attributes['http.request.method']} ${route}`);
    span.setAttribute('http.route', route);
  }

  operation<T>(kind: string, name: string | undefined, run: () => Promise<T>): Promise<T> {
    const attributes = {
      'graphql.operation.type': kind,
      ...(name && { 'graphql.operation.name': name }),
    };
    return this.#within({ name: name ? `${kind} ${name}` : kind, attributes }, run);
  }

  resolver<T>(field: string, resolve: () => T): T {
    const parent = this.#scopes.getStore();
    if (!isRecorded(parent)) return resolve();
    const scope = this.#late({ name: field }, parent);
    const result = this.#scopes.run(scope, resolve);
    if (!isPromise(result)) {
      scope.span?.end();
      return result;
    }
    return ended(result as Promise<unknown>, () => scope.span) as T;
  }

  statement<T>(text: string, send: () => Promise<T>): Promise<T> {
    const parent = this.#scopes.getStore();
    if (!isRecorded(parent)) return send();
    const parts = this.#summaryOf(text);
    const attributes = { 'db.system.name': 'postgresql', 'db.query.summary': parts };
    return this.#within({ name: parts, kind: api().SpanKind.CLIENT, attributes }, send);
  }

  job<T>(name: string, run: () => Promise<T>): Promise<T> {
    const span = this.#start({ name: `job ${name}`, attributes: { 'care.job': name } }, undefined);
    if (!span.isRecording()) return run();
    let isUsed = false;
    const scope = {
      span,
      open: () => {
        isUsed = true;
        return span;
      },
    };
    // A span that does not end is not sent: most runs find nothing to do.
    const work = () => ended(run(), () => (isUsed ? span : undefined));
    const release = this.#hold();
    return this.#scopes.run(scope, work).finally(release);
  }

  call<T>(provider: string, call: () => Promise<T>): Promise<T> {
    const attributes = { 'care.provider': provider };
    return this.#within(
      { name: `call ${provider}`, kind: api().SpanKind.CLIENT, attributes },
      call,
    );
  }

  queued(messageId: string, kind: string, dueAt: Date): void {
    const { tracer, ids } = this.options;
    const own = idsOf(messageId);
    if (!this.#isSampled(own.traceId)) return;
    const now = new Date();
    const cause = this.#scopes.getStore()?.span?.spanContext();
    const begin = {
      kind: api().SpanKind.PRODUCER,
      startTime: dueAt < now ? dueAt : now,
      attributes: { 'care.message': kind },
      links: cause ? [{ context: cause }] : [],
    };
    ids.give(own, () => tracer.startSpan(`queue ${kind}`, begin, api().ROOT_CONTEXT)).end(now);
  }

  sent({ messageId, provider, outcome, began: startTime }: SentMessage): void {
    const { traceId, spanId } = idsOf(messageId);
    if (!this.#isSampled(traceId)) return;
    const attributes = { 'care.provider': provider, 'care.outcome': outcome };
    const { CONSUMER, CLIENT } = api().SpanKind;
    const queued = remote({ traceId, spanId, traceFlags: api().TraceFlags.SAMPLED });
    const delivery = this.options.tracer.startSpan(
      `deliver ${provider}`,
      { kind: CONSUMER, startTime, attributes },
      queued,
    );
    this.options.tracer
      .startSpan(
        `call ${provider}`,
        { kind: CLIENT, startTime, attributes },
        api().trace.setSpan(api().ROOT_CONTEXT, delivery),
      )
      .end();
    delivery.end();
  }

  /**
   * Keeps the storage on for a trace. Returns what ends that, which also comes after the longest time.
   * While no trace needs it the storage is off: until Node 24 it makes each promise of the process
   * three times as dear.
   */
  #hold(): () => void {
    this.#held++;
    let isHeld = true;
    const release = () => {
      if (!isHeld) return;
      isHeld = false;
      clearTimeout(limit);
      this.#held--;
      if (this.#held === 0) this.#scopes.disable();
    };
    const limit = setTimeout(release, this.options.longest ?? LONGEST_HOLD).unref();
    return release;
  }

  /** Returns whether a trace of this id is sampled: all processes decide alike. */
  #isSampled(traceId: string): boolean {
    const { ROOT_CONTEXT, SpanKind, SamplingDecision } = api();
    const { decision } = this.options.sampler.shouldSample(
      ROOT_CONTEXT,
      traceId,
      '',
      SpanKind.PRODUCER,
      {},
      [],
    );
    return decision === (SamplingDecision.RECORD_AND_SAMPLED as number);
  }

  /** Runs work in a span of what runs now; without one where nothing is recorded. */
  #within<T>(beginning: Beginning, work: () => Promise<T>): Promise<T> {
    const parent = this.#scopes.getStore();
    if (!isRecorded(parent)) return work();
    const span = this.#start(beginning, parent.open());
    if (!span.isRecording()) return work();
    return this.#scopes.run(opened(span), () => ended(work(), () => span));
  }

  /** A scope whose span begins when something in it is to have a span. */
  #late(beginning: Beginning, parent: Scope | undefined) {
    const startTime = performance.now();
    let span: Api.Span | undefined;
    return {
      open: () => (span ??= this.#start({ ...beginning, startTime }, parent?.open())),
      get span() {
        return span;
      },
    };
  }

  #start(
    { name, ...options }: Beginning & { startTime?: number },
    parent: Api.Span | undefined,
  ): Api.Span {
    const { ROOT_CONTEXT, trace } = api();
    const context = parent ? trace.setSpan(ROOT_CONTEXT, parent) : ROOT_CONTEXT;
    return this.options.tracer.startSpan(name, options, context);
  }

  #summaryOf(text: string): string {
    let summary = this.#summaries.get(text);
    if (summary === undefined) {
      summary = summaryOf(text);
      this.#summaries.set(text, summary);
    }
    return summary;
  }
}

const opened = (span: Api.Span): Scope => ({ open: () => span, span });

/** Whether what runs may have spans: it has none yet, or one that is recorded. */
const isRecorded = (scope: Scope | undefined): scope is Scope =>
  scope !== undefined && scope.span?.isRecording() !== false;

const isPromise = (value: unknown): boolean =>
  typeof (value as { then?: unknown } | null | undefined)?.then === 'function';

/** Ends a span with work, and notes its failure. */
async function ended<T>(work: Promise<T>, spanOf: () => Api.Span | undefined): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const span = spanOf();
    span?.setAttribute('error.type', typeOf(error));
    span?.setStatus({ code: api().SpanStatusCode.ERROR });
    throw error;
  } finally {
    spanOf()?.end();
  }
}

/** Returns the code of an error, else the name of its class. Its message may tell of anything. */
function typeOf(error: unknown): string {
  const { code } = Object(error) as { code?: unknown };
  if (typeof code === 'string' && CODE.test(code)) return code;
  return error instanceof Error ? error.constructor.name : typeof error;
}

/** The ids of the trace of a message, and of its first span: its UUID, and the second half of it. */
function idsOf(messageId: string): { traceId: string; spanId: string } {
  const traceId = messageId.replaceAll('-', '');
  return { traceId, spanId: traceId.slice(16) };
}

const remote = (context: Api.SpanContext): Api.Context =>
  api().trace.setSpanContext(api().ROOT_CONTEXT, { ...context, isRemote: true });

/**
 * Returns the trace that a request continues. Whoever names one decides whether it is sampled, so
 * only a trusted proxy may: its own header is the one that counts.
 */
function callerOf({ headers, socket }: IncomingMessage, trust: Trust): Api.Context {
  const { traceparent: given } = headers;
  const isProxy = () => trust !== 0 && holderOf(socket.remoteAddress, trust) === undefined;
  const [, traceId = '', spanId = '', flags = ''] =
    (typeof given === 'string' && isProxy() && TRACEPARENT.exec(given)) || [];
  const context = { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1 };
  return api().isSpanContextValid(context) ? remote(context) : api().ROOT_CONTEXT;
}
