import { setTimeout as sleep } from 'node:timers/promises';
import type { Attributes, HrTime } from '@opentelemetry/api';
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace';
import type { Logger } from 'pino';

/** Milliseconds that a collector may take for one request. */
const TIME_LIMIT = 10_000;
/** Milliseconds before each further try to send the same spans. Then they are dropped. */
const PAUSES = [1_000, 3_000];
/** Statuses after which the same request may succeed (OTLP 1.10, OTLP/HTTP Response). */
const RETRYABLE = new Set([429, 502, 503, 504]);

/** Where spans are sent, and as whose. */
export interface Collector {
  /** Base address; `/v1/traces` is added. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** What the spans are told to come from. */
  readonly resource: Attributes;
}

type Done = Parameters<SpanExporter['export']>[1];

/**
 * Sends spans to a collector by OTLP over HTTP, as JSON. What a collector does not take after three
 * tries is dropped. Logs once when that begins, and once when it is over.
 */
export class OtlpExporter implements SpanExporter {
  #failing = false;
  readonly #stopping = new AbortController();

  constructor(
    private readonly collector: Collector,
    private readonly log: Logger,
  ) {}

  export(spans: ReadableSpan[], done: Done): void {
    const body = JSON.stringify(requestOf(spans, this.collector.resource));
    void this.#send(body).then((failure) => {
      this.#report(failure);
      done({ code: failure ? FAILED : SUCCEEDED });
    });
  }

  /** Gives up what is being sent. */
  async shutdown(): Promise<void> {
    this.#stopping.abort();
  }

  /** Returns why the spans could not be sent; undefined when they were. */
  async #send(body: string): Promise<string | undefined> {
    for (const pause of [...PAUSES, undefined]) {
      const { status, failure } = await this.#post(body);
      if (!failure) return undefined;
      const isLast = pause === undefined || this.#stopping.signal.aborted;
      if (isLast || (status !== undefined && !RETRYABLE.has(status))) return failure;
      await sleep(pause, undefined, { ref: false });
    }
    return undefined;
  }

  async #post(body: string): Promise<{ status?: number; failure?: string }> {
    const { url, headers } = this.collector;
    const signal = AbortSignal.any([AbortSignal.timeout(TIME_LIMIT), this.#stopping.signal]);
    try {
      const response = await fetch(`${url}/v1/traces`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body,
        signal,
        redirect: 'error',
      });
      await response.body?.cancel();
      const { status, ok } = response;
      return ok ? { status } : { status, failure: `status ${status}` };
    } catch (error) {
      const { cause, name } = error as Error;
      return { failure: (cause as NodeJS.ErrnoException | undefined)?.code ?? name };
    }
  }

  #report(failure: string | undefined): void {
    if (failure && !this.#failing)
      this.log.warn({ reason: failure }, 'the collector of traces takes none: they are dropped');
    if (!failure && this.#failing) this.log.info('the collector of traces takes them again');
    this.#failing = failure !== undefined;
  }
}

/** Codes of the SDK for what became of an export. */
const SUCCEEDED = 0;
const FAILED = 1;

/** An ExportTraceServiceRequest in JSON (OTLP 1.10, JSON Protobuf Encoding). */
const requestOf = (spans: readonly ReadableSpan[], resource: Attributes) => ({
  resourceSpans: [
    {
      resource: { attributes: attributesOf(resource) },
      scopeSpans: [{ scope: { name: 'care' }, spans: spans.map(spanOf) }],
    },
  ],
});

function spanOf(span: ReadableSpan) {
  const { traceId, spanId, traceFlags } = span.spanContext();
  return {
    traceId,
    spanId,
    ...(span.parentSpanContext && { parentSpanId: span.parentSpanContext.spanId }),
    flags: traceFlags,
    name: span.name,
    kind: span.kind + 1, // OTLP begins with 1, since 0 says nothing
    startTimeUnixNano: nanoseconds(span.startTime),
    endTimeUnixNano: nanoseconds(span.endTime),
    attributes: attributesOf(span.attributes),
    links: span.links.map(({ context }) => ({ traceId: context.traceId, spanId: context.spanId })),
    status: { code: span.status.code },
  };
}

const nanoseconds = ([seconds, rest]: HrTime) => `${seconds}${String(rest).padStart(9, '0')}`;

const attributesOf = (attributes: Attributes) =>
  Object.entries(attributes).map(([key, value]) => ({
    key,
    value: typeof value === 'number' ? { intValue: value } : { stringValue: String(value) },
  }));
