import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, get, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Overload } from '../../../src/platform/http/overload.js';
import { registry } from '../../../src/platform/metrics/metrics.js';
import { type Answer, useService } from '../../support/harness.js';

/** Keeps the event loop busy for so many milliseconds. */
function block(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

describe('A process that has too much to do', () => {
  const service = useService();
  const fetched = (path: string) => service().fetch(path, {});
  const shed = async (reason: string) =>
    Number(new RegExp(`care_requests_shed_total\\{reason="${reason}"\\} (\\d+)`).exec(await registry.metrics())?.[1] ?? 0);

  it('answers 503 with Retry-After on both faces while the event loop lags and many wait, and recovers by itself', async () => {
    assert.equal((await fetched('/api/v1/posts')).status, 200);
    const before = await shed('delay');
    for (let i = 0; i < 4; i++) {
      block(1_000);
      await sleep(0);
    }
    const ask = [() => fetched('/api/v1/posts'), () => service().graphql('{ viewer { id } }'), () => fetched('/')];
    const crowd = Promise.all(Array.from({ length: 90 }, (_, i) => ask[i % 3]?.() as Promise<Answer>));
    const health = await Promise.all([fetched('/healthz'), fetched('/readyz')]);
    const refused = (await crowd).filter(({ status }) => status === 503);
    assert.ok(refused.length >= 30, `${refused.length} of 90`);
    for (const { headers, body } of refused) {
      assert.equal(headers.get('retry-after'), '1');
      assert.deepEqual(
        [body.code, body.data.status, body.errors[0].extensions.code],
        ['service_unavailable', 503, 'UNAVAILABLE'],
      );
    }
    assert.deepEqual(
      health.map(({ status }) => status),
      [200, 200],
      'operators still get an answer',
    );
    assert.equal((await shed('delay')) - before, refused.length);
    await sleep(2_000);
    assert.equal((await fetched('/api/v1/posts')).status, 200);
  });

  it('sheds nothing because of one long pause', async () => {
    await sleep(1_000);
    const waiting = fetched('/api/v1/posts');
    block(1_000);
    assert.equal((await waiting).status, 200);
  });

  it('lets in a bounded number of requests at once, and the next as soon as one is answered or given up', async () => {
    const overload = new Overload([], { delay: Number.POSITIVE_INFINITY, busy: 0, requests: 2 });
    const waiting: ServerResponse[] = [];
    const server = createServer((request, response) => {
      if (!overload.sheds(request, response)) waiting.push(response);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    after(() => server.closeAllConnections());
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const ask = () => {
      const request = get(url).on('error', () => {});
      const answered = once(request, 'response').then(([answer]) => (answer as IncomingMessage).resume().statusCode);
      return { request, answer: answered.catch(() => undefined) };
    };
    const one = ask();
    const two = ask();
    while (waiting.length < 2) await sleep(5);
    assert.equal(await ask().answer, 503);
    waiting[0]?.end();
    await Promise.race([one.answer, two.answer]);
    const three = ask();
    while (waiting.length < 3) await sleep(5);
    assert.equal(await ask().answer, 503);
    three.request.destroy();
    await sleep(50);
    ask();
    while (waiting.length < 4) await sleep(5);
    for (const response of waiting) response.end();
    server.close();
  });
});
