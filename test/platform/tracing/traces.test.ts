import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Service, startService } from '../../faults/service.js';
import { Collector } from '../../support/collector.js';
import { expoToken, Provider, type Received, tickets } from '../../support/provider.js';
import { whenOver } from '../../support/running.js';

/** What must not be in a trace: each is said somewhere in the requests of these tests. */
const CANARY = 'Xyzcanary';
const JSON_TYPE = { 'content-type': 'application/json' };

/** The service as a process of its own, whose traces go to a collector. */
async function traced(
  collector: Pick<Collector, 'url'>,
  environment: Readonly<Record<string, string>> = {},
): Promise<Service> {
  return startService({
    environment: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, ...environment },
  });
}

async function collecting(...reply: Parameters<typeof Collector.start>): Promise<Collector> {
  const collector = await Collector.start(...reply);
  whenOver(() => collector.provider.stop());
  return collector;
}

/** Sends a request, and returns the body of its answer. */
async function ask(
  { url }: Service,
  path: string,
  body?: object,
  headers: Readonly<Record<string, string>> = {},
) {
  const method = body ? { method: 'POST', body: JSON.stringify(body) } : {};
  const response = await fetch(url + path, { ...method, headers: { ...JSON_TYPE, ...headers } });
  const text = await response.text();
  expect(response.status, text).toBeLessThan(500);
  return JSON.parse(text);
}

const read = (service: Service, headers?: Readonly<Record<string, string>>) =>
  ask(service, `/api/v1/posts?search=${CANARY}`, undefined, headers);

describe('A trace', () => {
  it('of a request leads from it over its operation and the resolver to the statement', async () => {
    const collector = await collecting();
    const service = await traced(collector, { OTEL_SERVICE_NAME: 'care-of-a-test' });
    await ask(service, '/api/v1/posts');
    const resolver = await collector.span('resolver', ({ name }) => name === 'Query.posts');
    const statement = await collector.span(
      'statement of the resolver',
      ({ parentSpanId }) => parentSpanId === resolver.spanId,
    );
    expect(statement.attributes['db.system.name']).toBe('postgresql');
    expect(await collector.path(statement)).toStrictEqual([
      'GET /v1/posts',
      'query ListPosts',
      'Query.posts',
      'SELECT item_count_state',
    ]);
    expect(new Set(collector.services)).toStrictEqual(new Set(['care-of-a-test']));
    const query =
      'query Titles($text: String) { posts(first: 3, filter: { search: $text }) { nodes { title } } }';
    await ask(service, '/graphql', { query, variables: { text: CANARY } });
    const operation = await collector.span('operation', ({ name }) => name === 'query Titles');
    expect(await collector.path(operation)).toStrictEqual(['POST graphql', 'query Titles']);
    const job = await collector.span('job', ({ name }) => name.startsWith('job '));
    expect(await collector.path(job)).toHaveLength(1);
    expect(collector.spans.filter(({ name }) => name.includes('readyz'))).toStrictEqual([]);
  });

  it('leads from a due reminder to the push, and tells nothing of whom or what', async () => {
    const collector = await collecting();
    const provider = await Provider.start((request: Received) =>
      request.path.endsWith('/getReceipts') ? { body: { data: {} } } : tickets(request),
    );
    whenOver(() => provider.stop());
    const service = await traced(collector, { EXPO_URL: provider.url });
    const wrong = { username: `${CANARY}@example.com`, password: `${CANARY}-password` };
    await ask(service, '/api/v1/login', wrong, { authorization: `Bearer ${CANARY}.a.b` });
    const { token } = await ask(service, '/v3/api/v1/guest', { language: 1 });
    const authorization = `Bearer ${token}`;
    await ask(service, '/v3/api/v1/notify', { push_token: expoToken(CANARY) }, { authorization });
    const start_date = new Date(Math.ceil(Date.now() / 1000 + 3) * 1000).toISOString();
    const reminder = { name: CANARY, description: CANARY, frequency_type: 'once', start_date };
    await ask(service, '/v3/api/v1/medicine_reminder', reminder, { authorization });
    const query = `{ posts(first: 3, filter: { search: "${CANARY}" }) { nodes { title } } }`;
    await ask(service, '/graphql', { query }, { authorization });

    const queue = await collector.span('queued reminder', ({ name }) => name === 'queue reminder');
    const delivery = ({ name, traceId }: { name: string; traceId: string }) =>
      name === 'call expo' && traceId === queue.traceId;
    const call = await collector.span('call of the provider', delivery);
    expect(await collector.path(call)).toStrictEqual([
      'queue reminder',
      'deliver expo',
      'call expo',
    ]);
    expect(call.attributes['care.outcome']).toBe('accepted');
    const run = await collector.span(
      'run of the job',
      ({ name, traceId }) => name === 'job hand over' && traceId === queue.links[0]?.traceId,
    );
    expect(run.parentSpanId).toBeUndefined();

    const pushed = provider.received.flatMap(({ json }) => json);
    expect(JSON.stringify(pushed)).toContain(CANARY);
    for (const secret of [CANARY, token, '127.0.0.1', start_date])
      expect(collector.text).not.toContain(secret);
  });

  it('goes on from a trusted proxy alone', async () => {
    const given = (sampled: string) => {
      const traceId = randomBytes(16).toString('hex');
      const parent = randomBytes(8).toString('hex');
      return { traceId, parent, headers: { traceparent: `00-${traceId}-${parent}-${sampled}` } };
    };
    const collector = await collecting();
    const [direct, behind] = [
      await traced(collector),
      await traced(collector, { TRUSTED_PROXIES: '1' }),
    ];
    const [forged, unsampled, sampled] = [given('01'), given('00'), given('01')];
    await read(direct, forged.headers);
    await read(behind, unsampled.headers);
    await read(behind, sampled.headers);
    const request = await collector.span(
      'request of the proxy',
      ({ name, traceId }) => name === 'GET /v1/posts' && traceId === sampled.traceId,
    );
    expect(request.parentSpanId).toBe(sampled.parent);
    await collector.span(
      'request of a stranger',
      ({ name, parentSpanId }) => name === 'GET /v1/posts' && !parentSpanId,
    );
    for (const { traceId } of [forged, unsampled]) expect(collector.text).not.toContain(traceId);
  });

  it('is not made where the sampler leaves it out', async () => {
    const collector = await collecting();
    const service = await traced(collector, {
      OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
      OTEL_TRACES_SAMPLER_ARG: '0',
    });
    await read(service);
    await sleep(3_000);
    service.child.signal('SIGTERM');
    expect(await service.child.ended).toBe(0);
    expect(collector.spans).toStrictEqual([]);
  });
});

describe('A collector', () => {
  /** What the log says of collectors. */
  const told = ({ child }: Service) =>
    child.output.text.split('\n').filter((line) => line.includes('the collector of traces'));
  const stopped = async ({ child }: Service) => {
    child.signal('SIGTERM');
    expect(await child.ended, child.output.text).toBe(0);
    expect(child.output.text).not.toContain('stopped without waiting');
  };

  it('that is down is one sentence in the log, and one when it is back', async () => {
    const replies = { status: 400 };
    const collector = await collecting(() => replies);
    const service = await traced(collector);
    for (let i = 0; i < 60 && collector.provider.received.length < 3; i++) {
      await read(service);
      await sleep(500);
    }
    expect(collector.provider.received.length).toBeGreaterThanOrEqual(3);
    expect(told(service)).toHaveLength(1);
    expect(told(service)[0]).toMatch(
      /"reason":"status 400","msg":"the collector of traces takes none/,
    );
    replies.status = 200;
    await service.child.says('the collector of traces takes them again');
    await stopped(service);
    const away = await traced({ url: 'http://127.0.0.1:9' });
    await read(away);
    await away.child.says('the collector of traces takes none');
    await read(away);
    expect(told(away)).toHaveLength(1);
    await stopped(away);
  });

  it('that answers slowly gets each span', async () => {
    const collector = await collecting(() => ({ body: {}, after: 4_000 }));
    const service = await traced(collector);
    for (let i = 0; i < 30; i++) await read(service);
    const requests = () => collector.spans.filter(({ name }) => name === 'GET /v1/posts').length;
    for (let i = 0; i < 120 && requests() < 30; i++) await sleep(500);
    expect(requests()).toBe(30);
    expect(told(service)).toStrictEqual([]);
    await stopped(service);
  });

  it('that never answers holds up no request, and not the end of the process', async () => {
    const collector = await collecting(() => ({ after: 600_000 }));
    const service = await traced(collector);
    for (let i = 0; i < 20; i++) await read(service);
    for (let i = 0; i < 100 && collector.provider.received.length === 0; i++) await sleep(100);
    for (let i = 0; i < 20; i++) await read(service);
    await stopped(service);
  });
});
