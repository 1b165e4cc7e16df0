import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { ownVersion } from '../../src/platform/database/migrations.js';
import { onServer, openServer } from './databases.js';
import { run } from './processes.js';
import { dataFolder, MAIN, type Service, startService, variables } from './service.js';

const POINTS = 1_000;
/** Milliseconds after which a request counts as answered by nobody. */
const LONGEST = 60_000;

/** Starts the service with workers on a database of its own. */
async function startWorkers(url: string, own: Readonly<Record<string, string>> = {}) {
  await openServer(url).then((database) => database.close());
  const service = await startService({
    environment: {
      DATABASE_URL: url,
      SECRET_KEY: 's'.repeat(40),
      HOST: '127.0.0.1',
      WORKERS: '2',
      ...own,
    },
  });
  await service.child.says('workers serve');
  return service;
}

/** The ids of the processes of the workers. */
const workersOf = ({ child }: Service) =>
  readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8')
    .split(' ')
    .filter(Boolean)
    .map(Number);

/** A metric of the service, by the line of it; undefined where there is none. */
async function metricOf({ url }: Service, line: string): Promise<number | undefined> {
  const response = await fetch(`${url}/metrics`, { headers: { connection: 'close' } });
  expect(response.status).toBe(200);
  const found = (await response.text()).split('\n').find((each) => each.startsWith(`${line} `));
  return found === undefined ? undefined : Number(found.split(' ').at(-1));
}

/** Asks over a connection of its own, so that each request may meet another worker. */
const ask = ({ url }: Service) =>
  fetch(`${url}/api/v1/posts`, {
    headers: { connection: 'close' },
    signal: AbortSignal.timeout(LONGEST),
  });

const REQUESTS =
  'care_request_duration_seconds_count{method="GET",route="/v1/posts",operation="ListPosts",status="200"}';

describe('Workers', () => {
  onServer('serve at one port, and count limits and metrics together', async (url) => {
    // What comes from the cache is counted in each worker.
    const service = await startWorkers(url, { RESPONSE_CACHE: 'off' });
    expect(workersOf(service)).toHaveLength(2);
    /** What is left after each of twenty requests, one after the other. */
    const leftAfter = async () => {
      const left: number[] = [];
      while (left.length < 20) {
        const response = await ask(service);
        expect(response.status).toBe(200);
        left.push(Number(/r=(\d+)/.exec(response.headers.get('ratelimit') ?? '')?.[1]));
      }
      return left;
    };
    // On a busy machine a minute of the limit may end amid them: then they are asked anew.
    let left = await leftAfter();
    expect(left[0]).toBe(POINTS - 1);
    let runs = 1;
    for (; left.lastIndexOf(POINTS - 1) > 0 && runs < 3; runs++) left = await leftAfter();
    // Every request found one point less than the one before, whichever worker it met.
    const [most = 0] = left;
    expect(left).toStrictEqual(Array.from({ length: 20 }, (_, i) => most - i));
    expect(await metricOf(service, REQUESTS)).toBe(20 * runs);
    expect(await metricOf(service, 'care_workers')).toBe(2);
    expect(await metricOf(service, 'care_job_interval_seconds{name="plan"}')).toBe(60);
    const { version } = process;
    const info = `care_build_info{version="${ownVersion}",node="${version.slice(1)}",database="server"}`;
    expect(await metricOf(service, info)).toBe(1);
    service.child.signal('SIGTERM');
    expect(await service.child.ended, service.child.output.errors).toBe(0);
  });

  onServer('that die are replaced, and what they counted stays', async (url) => {
    const service = await startWorkers(url, { RATE_LIMITS: 'off' });
    for (let i = 0; i < 6; i++) expect((await ask(service)).status).toBe(200);
    expect(await metricOf(service, REQUESTS)).toBe(6);
    const [first = 0] = workersOf(service);
    process.kill(first, 'SIGKILL');
    for (
      let i = 0;
      i < 300 &&
      (workersOf(service).includes(first) || (await metricOf(service, 'care_workers')) !== 2);
      i++
    ) {
      expect((await ask(service)).status).toBe(200);
      await sleep(50);
    }
    expect(await metricOf(service, 'care_workers')).toBe(2);
    expect(await metricOf(service, 'care_worker_exits_total{how="died"}')).toBe(1);
    expect(await metricOf(service, REQUESTS)).toBeGreaterThanOrEqual(6);
    expect(service.child.output.text).toMatch(/"signal":"SIGKILL","msg":"worker died"/);
    service.child.signal('SIGTERM');
    expect(await service.child.ended).toBe(0);
  });

  onServer('that end while metrics are read are counted once in them', async (url) => {
    const service = await startWorkers(url, { RATE_LIMITS: 'off' });
    for (let i = 0; i < 20; i++) expect((await ask(service)).status).toBe(200);
    const counts = async () => [
      await metricOf(service, REQUESTS),
      (await metricOf(service, 'care_database_statements')) ?? 0,
    ];
    const [requests, statements = 0] = await counts();
    expect(requests).toBe(20);
    for (const stopped of workersOf(service)) {
      process.kill(stopped, 'SIGSTOP');
      const amid = metricOf(service, REQUESTS);
      await sleep(400);
      process.kill(stopped, 'SIGKILL');
      expect(await amid).toBe(20);
      for (let i = 0; i < 400 && (await metricOf(service, 'care_workers')) !== 2; i++)
        await sleep(50);
      const [later, sent] = await counts();
      expect(later).toBe(20);
      expect(sent).toBeGreaterThanOrEqual(statements);
    }
    service.child.signal('SIGTERM');
    expect(await service.child.ended).toBe(0);
  });

  onServer('serve every request while one of them is stopped and then killed', async (url) => {
    const service = await startWorkers(url, { RATE_LIMITS: 'off' });
    const [first = 0] = workersOf(service);
    process.kill(first, 'SIGSTOP');
    const requests = Array.from({ length: 10 }, () => ask(service));
    await Promise.any(requests);
    process.kill(first, 'SIGKILL');
    for (const response of await Promise.all(requests)) expect(response.status).toBe(200);
    service.child.signal('SIGTERM');
    expect(await service.child.ended).toBe(0);
  });

  onServer('that hang are replaced, and metrics are read meanwhile', async (url) => {
    const service = await startWorkers(url, { RATE_LIMITS: 'off' });
    const [first = 0] = workersOf(service);
    process.kill(first, 'SIGSTOP');
    const exits = () => metricOf(service, 'care_worker_exits_total{how="died"}');
    expect(await exits()).toBe(0);
    for (let i = 0; i < 400 && !((await exits()) ?? 0); i++) {
      expect((await ask(service)).status).toBe(200);
      await sleep(250);
    }
    await service.child.says('worker does not respond');
    for (let i = 0; i < 400 && (await metricOf(service, 'care_workers')) !== 2; i++)
      await sleep(50);
    expect(workersOf(service)).not.toContain(first);
    expect(workersOf(service)).toHaveLength(2);
    service.child.signal('SIGTERM');
    expect(await service.child.ended).toBe(0);
  });

  onServer('that die in a loop are replaced ever more slowly, and the log says so', async (url) => {
    const service = await startWorkers(url);
    const rests = () =>
      [...service.child.output.text.matchAll(/"milliseconds":(\d+),"msg":"workers die soon/g)].map(
        ([, milliseconds]) => Number(milliseconds),
      );
    for (let i = 0; i < 2_000 && rests().length < 2; i++) {
      for (const pid of workersOf(service).slice(1)) process.kill(pid, 'SIGKILL');
      await sleep(25);
    }
    expect(rests().slice(0, 2)).toStrictEqual([1_000, 2_000]);
    const died = await metricOf(service, 'care_worker_exits_total{how="died"}');
    expect(died).toBeGreaterThan(2); // CareWorkersDie fires above that
    expect((await ask(service)).status).toBe(200);
    service.child.signal('SIGTERM');
    expect(await service.child.ended).toBe(0);
  });

  onServer('end with the first process, also when it is killed', async (url) => {
    const service = await startWorkers(url);
    const workers = workersOf(service);
    await service.child.kill();
    const isThere = (pid: number) => {
      try {
        return process.kill(pid, 0);
      } catch {
        return false;
      }
    };
    for (let i = 0; i < 200 && workers.some(isThere); i++) await sleep(50);
    expect(workers.filter(isThere)).toStrictEqual([]);
  });

  onServer('that cannot start end the start, with one sentence', async (url) => {
    const child = run('the service', [process.execPath, MAIN], {
      env: variables({
        DATABASE_URL: url, // without the migrations
        SECRET_KEY: 's'.repeat(40),
        DATA_DIR: dataFolder(),
        WORKERS: '2',
      }),
    });
    expect(await child.ended).toBe(1);
    expect(child.output.errors).toMatch(/^[^\n]*npm run migrate[^\n]*\n$/);
  });

  test('are refused on the embedded database, with one sentence', async () => {
    for (const [number, sentence] of [
      ['2', /^WORKERS needs DATABASE_URL: [^\n]+\n$/],
      ['many', /^WORKERS must be auto, or a whole number from 1 to 64\.\n$/],
    ] as const) {
      const child = run('the service', [process.execPath, MAIN], {
        env: variables({ DATA_DIR: dataFolder(), WORKERS: number }),
      });
      expect(await child.ended).toBe(1);
      expect(child.output.errors).toMatch(sentence);
    }
  });
});
