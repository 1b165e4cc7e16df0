import { setTimeout as sleep } from 'node:timers/promises';
import { Provider, type Reply } from './provider.js';

/** A span as a collector receives it. */
export interface CollectedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  /** 1 internal, 2 server, 3 client, 4 producer, 5 consumer. */
  readonly kind: number;
  readonly attributes: Readonly<Record<string, string | number>>;
  readonly links: readonly { readonly traceId: string }[];
}

interface Attribute {
  readonly key: string;
  readonly value: { readonly stringValue?: string; readonly intValue?: number };
}
type SentSpan = Omit<CollectedSpan, 'attributes'> & { readonly attributes: readonly Attribute[] };

/** A collector of traces on loopback, which takes OTLP over HTTP as JSON. */
export class Collector {
  private constructor(readonly provider: Provider) {}

  /** `reply`: how it answers; by default it takes everything. */
  static async start(reply: () => Reply = () => ({ body: {} })): Promise<Collector> {
    return new Collector(await Provider.start(reply));
  }

  get url(): string {
    return this.provider.url;
  }

  /** All bytes that it received. */
  get text(): string {
    return this.provider.received.map(({ bytes }) => bytes.toString()).join('\n');
  }

  get spans(): CollectedSpan[] {
    return this.provider.received.flatMap(({ json }) =>
      (json.resourceSpans[0].scopeSpans[0].spans as SentSpan[]).map((span) => ({
        ...span,
        attributes: Object.fromEntries(
          span.attributes.map(({ key, value }) => [key, value.stringValue ?? value.intValue ?? '']),
        ),
      })),
    );
  }

  /** What the spans come from. */
  get services(): string[] {
    return this.provider.received.flatMap(({ json }) =>
      (json.resourceSpans[0].resource.attributes as Attribute[])
        .filter(({ key }) => key === 'service.name')
        .map(({ value }) => value.stringValue ?? ''),
    );
  }

  /** Resolves with the first span that fits; rejects when none came within half a minute. */
  async span(what: string, fits: (span: CollectedSpan) => boolean): Promise<CollectedSpan> {
    for (let tries = 0; tries < 300; tries++) {
      const found = this.spans.find(fits);
      if (found) return found;
      await sleep(100);
    }
    const names = this.spans.map(({ name }) => name);
    throw new Error(`The collector got no ${what}, but ${names.join(', ')}`);
  }

  /** The names of what a span is part of, the root first, with its own at the end. */
  async path({ traceId, ...span }: CollectedSpan): Promise<string[]> {
    if (!span.parentSpanId) return [span.name];
    const parent = await this.span(
      `parent of ${span.name}`,
      (one) => one.traceId === traceId && one.spanId === span.parentSpanId,
    );
    return [...(await this.path(parent)), span.name];
  }
}
