import { EventEmitter } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Tracer } from '@opentelemetry/api';
import { AlwaysOnSampler, RandomIdGenerator, TracerProvider } from '@opentelemetry/sdk-trace';
import { ChosenIds, Spans } from '../../../src/platform/tracing/spans.js';

/** Makes all spans, with traces that last for so many milliseconds. */
function spansOf(longest: number): Spans {
  const sampler = new AlwaysOnSampler();
  const ids = new ChosenIds(new RandomIdGenerator());
  const provider = new TracerProvider({ sampler, idGenerator: ids });
  return new Spans({ tracer: provider.getTracer('test') as Tracer, sampler, ids, longest });
}

/** Begins a request whose response goes on. Returns whether what runs in it is recorded after a time. */
function recordedAfter(spans: Spans, milliseconds: number): Promise<boolean> {
  const request = { url: '/graphql', method: 'GET', headers: {}, socket: {} } as IncomingMessage;
  const response = new EventEmitter() as unknown as ServerResponse;
  return new Promise((resolve) =>
    spans.request(request, response, 0, () => {
      expect(spans.isRecording).toBe(true);
      void sleep(milliseconds).then(() => resolve(spans.isRecording));
    }),
  );
}

describe('A trace that lasts', () => {
  it('is recorded while its response goes on', async () => {
    expect(await recordedAfter(spansOf(60_000), 50)).toBe(true);
  });

  it('gets no more spans after its longest time, so that promises cost no more for hours', async () => {
    expect(await recordedAfter(spansOf(10), 100)).toBe(false);
  });
});
