import { once } from 'node:events';
import { createServer, get, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Overload } from '../../../src/platform/http/overload.js';
import { registry } from '../../../src/platform/metrics/metrics.js';
import { errorCode, useService } from '../../support/harness.js';
import { whenOver } from '../../support/running.js';

/** Keeps the event loop busy for so many milliseconds. */
function block(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

/** A server behind the bounds, whose answers wait for the test. */
async function bounded(
  bounds: ConstructorParameters<typeof Overload>[1],
): Promise<{ url: string; waiting: ServerResponse[] }> {
  const overload = new Overload(['https://app.example'], bounds);
  const waiting: ServerResponse[] = [];
  const server = createServer((request, response) => {
    if (!overload.sheds(request, response)) waiting.push(response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  whenOver(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, waiting };
}

describe('A process that has too much to do', () => {
  const service = useService();
  const shed = async (reason: string) =>
    Number(
      new RegExp(`care_requests_shed_total\\{reason="${reason}"\\} (\\d+)`).exec(
        await registry.metrics(),
      )?.[1] ?? 0,
    );
  const lag = async () => {
    for (let i = 0; i < 4; i++) {
      block(300);
      await sleep(0);
    }
  };

  it('answers 503 with Retry-After, in words of both faces, while the event loop lags, and recovers by itself', async () => {
    const { url, waiting } = await bounded({ requests: 400, delay: 50, requestsInDelay: 0 });
    const before = await shed('delay');
    await lag();
    const refused = await fetch(`${url}/graphql`, { headers: { origin: 'https://app.example' } });
    const body = (await refused.json()) as {
      code: string;
      data: object;
      errors: { extensions: { code: string } }[];
    };
    expect([refused.status, refused.headers.get('retry-after')]).toStrictEqual([503, '1']);
    expect(refused.headers.get('access-control-allow-origin')).toBe('https://app.example');
    expect([body.code, body.data]).toStrictEqual(['service_unavailable', { status: 503 }]);
    expect(errorCode(body)).toBe('UNAVAILABLE');
    expect((await shed('delay')) - before).toBe(1);
    for (const path of ['/healthz', '/readyz', '/metrics']) void fetch(url + path);
    while (waiting.length < 3) await sleep(5);
    for (const response of waiting.splice(0)) response.end();
    for (let status = 503; status === 503; await sleep(50)) {
      const asked = fetch(url);
      await sleep(50);
      for (const response of waiting.splice(0)) response.end();
      ({ status } = await asked);
    }
  });

  it('takes on no queue while it lags, and still serves who comes alone', async () => {
    const { url, waiting } = await bounded({ requests: 400, delay: 50, requestsInDelay: 2 });
    await lag();
    const asked = [fetch(url), fetch(url), fetch(url)];
    const first = await Promise.race(asked);
    expect(first.status, 'two wait for their answers, the third is told to come back').toBe(503);
    for (const response of waiting) response.end();
    expect((await Promise.all(asked)).map(({ status }) => status).sort()).toStrictEqual([
      200, 200, 503,
    ]);
    await lag();
    expect((await service().fetch('/api/v1/posts', {})).status).toBe(200);
  });

  it('lets in a bounded number of requests at once, and the next as soon as one is answered or given up', async () => {
    const { url, waiting } = await bounded({
      requests: 2,
      delay: Number.POSITIVE_INFINITY,
      requestsInDelay: 2,
    });
    const ask = () => {
      const request = get(url).on('error', () => {});
      const answered = once(request, 'response').then(
        ([answer]) => (answer as IncomingMessage).resume().statusCode,
      );
      return { request, answer: answered.catch(() => undefined) };
    };
    const one = ask();
    const two = ask();
    while (waiting.length < 2) await sleep(5);
    expect(await ask().answer).toBe(503);
    waiting[0]?.end();
    await Promise.race([one.answer, two.answer]);
    const three = ask();
    while (waiting.length < 3) await sleep(5);
    expect(await ask().answer).toBe(503);
    three.request.destroy();
    // It hears a moment later that one gave up
    while (waiting.length < 4) await Promise.race([ask().answer, sleep(50)]);
    for (const response of waiting) response.end();
  });
});
