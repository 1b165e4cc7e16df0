import { randomUUID } from 'node:crypto';
import type * as Api from '@opentelemetry/api';
import type * as Sdk from '@opentelemetry/sdk-trace';
import type { Logger } from 'pino';
import { lazily } from '../lazily.js';
import { OtlpExporter } from './otlp-exporter.js';
import { ChosenIds, Spans } from './spans.js';
import { useSpans } from './tracing.js';

const sdk = lazily<typeof Sdk>('@opentelemetry/sdk-trace');

/** Spans that wait for the collector. More are dropped, so that a slow one costs no memory. */
const MOST_WAITING = 4_096;
const EXPORT_EVERY = 2_000;
/** Milliseconds that the end of the process waits for the collector. */
const LAST_EXPORT = 1_000;

/** The values of OTEL_TRACES_SAMPLER. */
export const SAMPLERS = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;

/** How traces are made, by the variables of OpenTelemetry. */
export interface TracingOptions {
  /** OTEL_EXPORTER_OTLP_ENDPOINT; without it no traces are made. */
  readonly endpoint: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly service: string;
  readonly version: string;
  readonly sampler: (typeof SAMPLERS)[number];
  /** The share of traces that is sampled where the sampler is a ratio. */
  readonly ratio: number;
}

/**
 * Makes traces from now on, and sends them to a collector. Returns what sends the last of them and
 * ends that; within a second, whatever the collector does. Loads the SDK only with an endpoint.
 */
export function openTracing(options: TracingOptions, log: Logger): () => Promise<void> {
  const { endpoint: url, headers } = options;
  if (!url) return async () => {};
  const { BatchSpanProcessor, RandomIdGenerator, TracerProvider } = sdk();
  const resource = {
    'service.name': options.service,
    'service.version': options.version,
    'service.instance.id': randomUUID(),
  };
  const exporter = new OtlpExporter({ url, headers, resource }, log);
  const processor = new BatchSpanProcessor({
    exporter,
    maxQueueSize: MOST_WAITING,
    scheduledDelayMillis: EXPORT_EVERY,
  });
  const sampler = samplerOf(options);
  const ids = new ChosenIds(new RandomIdGenerator());
  const provider = new TracerProvider({ sampler, idGenerator: ids, spanProcessors: [processor] });
  useSpans(new Spans({ tracer: provider.getTracer('care') as Api.Tracer, sampler, ids }));
  return async () => {
    useSpans(undefined);
    setTimeout(() => void exporter.shutdown(), LAST_EXPORT).unref();
    await provider.shutdown();
  };
}

function samplerOf({ sampler, ratio }: TracingOptions): Sdk.Sampler {
  const { AlwaysOffSampler, AlwaysOnSampler, ParentBasedSampler, TraceIdRatioBasedSampler } = sdk();
  const [, parent, root] = /^(parentbased_)?(.+)$/.exec(sampler) ?? [];
  const own =
    root === 'traceidratio'
      ? new TraceIdRatioBasedSampler(ratio)
      : root === 'always_off'
        ? new AlwaysOffSampler()
        : new AlwaysOnSampler();
  return parent ? new ParentBasedSampler({ root: own }) : own;
}
