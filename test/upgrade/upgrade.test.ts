// An upgrade from the last release, as docs/operating.md describes it, while members use the service.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { projectRoot } from '../../src/platform/root.js';
import { adminUrl } from '../faults/databases.js';
import { Deployment, migrate } from './deployment.js';
import { type Held, watchLocks } from './locks.js';
import { Members, type Timed } from './members.js';
import { releasedTree } from './release.js';

/** How many upgrades are made, each of a copy of the same database; `.ci/nightly` makes ten. */
const UPGRADES = Number(process.env.UPGRADES ?? 1);
/** How large it is: 1 is a million posts and ten million doses. Nothing by default. */
const SCALE = Number(process.env.UPGRADE_SCALE ?? 0);
/** Milliseconds of use before each upgrade, with which it is compared. */
const BEFORE = SCALE > 0 ? 15_000 : 5_000;
/** Longest time of a request and of a lock, in milliseconds; judged where nothing else runs. */
const LONGEST = { request: 1_000, lock: 200 };

const BASE = 'care_scale_released';
/** A database of that size has an audit, sealed under the key of bench/scale-audit.mjs. */
const KEY = SCALE > 0 ? 'only for measurements, never kept' : 's'.repeat(40);

/** The p99 and the longest of some requests, in milliseconds. */
function figuresOf(requests: readonly Timed[]) {
  const took = requests.map((request) => Math.round(request.took)).sort((a, b) => a - b);
  return { p99: took[Math.floor(took.length * 0.99)] ?? 0, longest: took.at(-1) ?? 0 };
}

describe('An upgrade from the last release', () => {
  let released = '';
  let admin: pg.Client;
  const addressOf = (name: string) =>
    Object.assign(new URL(adminUrl ?? ''), { pathname: name }).href;

  beforeAll(async () => {
    if (!adminUrl) throw new Error('Set TEST_DATABASE_URL.');
    released = releasedTree();
    admin = new pg.Client(adminUrl);
    await admin.connect();
    await admin.query(`DROP DATABASE IF EXISTS ${BASE} WITH (FORCE)`);
    await admin.query(`CREATE DATABASE ${BASE} TEMPLATE template0 ENCODING 'UTF8'`);
    if (SCALE > 0) fill(released);
    else await migrate(released, { DATABASE_URL: addressOf(BASE) });
  });
  afterAll(async () => {
    await admin.query(`DROP DATABASE IF EXISTS ${BASE} WITH (FORCE)`);
    await admin.end();
  });

  it('and the way back, process by process, lose and double nothing, and no request fails', async () => {
    for (let round = 0; round < UPGRADES; round++) {
      const name = `care_test_upgrade_${process.pid}`;
      await admin.query(`CREATE DATABASE ${name} TEMPLATE ${BASE}`);
      try {
        const { members, quiet, held, ...checked } = await upgraded(addressOf(name), released);
        const [before, all] = [quiet, members.requests].map(figuresOf) as [Figures, Figures];
        console.log(
          `${members.requests.length} requests, ${checked.reminders} reminders, ${checked.taken} doses taken; ` +
            `p99 ${before.p99} ms before, ${all.p99} ms in all, longest ${before.longest} and ${all.longest} ms; ` +
            `longest lock ${held.longest} ms (${held.tables})`,
        );
        expect(members.failures).toStrictEqual([]);
        if (SCALE === 0) expect(members.others).toStrictEqual([]);
        if (SCALE > 0) expect(all.longest).toBeLessThan(LONGEST.request);
        if (SCALE > 0) expect(held.longest).toBeLessThanOrEqual(LONGEST.lock);
      } finally {
        await admin.query(`DROP DATABASE ${name} WITH (FORCE)`);
      }
    }
  });
});

type Figures = ReturnType<typeof figuresOf>;

/** Upgrades a service in use, goes back, and upgrades it again. */
async function upgraded(url: string, released: string) {
  const members = await Members.make();
  const environment = {
    DATABASE_URL: url,
    SECRET_KEY: KEY,
    RATE_LIMITS: 'off',
    EXPO_URL: members.provider.url,
  };
  const deployment = await Deployment.of(released, environment);
  await members.begin(deployment.url);
  await sleep(BEFORE);
  const quiet: readonly Timed[] = [...members.requests];
  const stopWatching = await watchLocks(url);
  const printed = await migrate(projectRoot, { DATABASE_URL: url });
  expect(printed).toContain('The database is up to date.');
  const held: Held = await stopWatching();
  for (const tree of [projectRoot, released, projectRoot]) await deployment.replace(tree);
  await members.end();
  const checked = await members.check(deployment.url);
  await deployment.end();
  await members.provider.stop();
  return { members, quiet, held, ...checked };
}

/** Fills the database of the last release with its own loaders. */
function fill(released: string): void {
  const script = join(released, 'bench/scale-database.mjs');
  const filled = spawnSync(process.execPath, [script, '--scale', String(SCALE), '--name', BASE], {
    cwd: released,
    encoding: 'utf8',
    env: { ...process.env, BENCH_DATABASE_URL: adminUrl },
  });
  if (filled.status !== 0) throw new Error(`The database could not be filled: ${filled.stderr}`);
}
