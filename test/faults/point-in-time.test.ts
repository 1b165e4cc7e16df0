// docs/operating.md, "To a point in time": a server whose log is archived, a copy of it, and a mistake.
import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { serviceContext } from '../../src/core/service-context.js';
import { sealAudit } from '../../src/domains/audit/chain/sealing.service.js';
import { projectRoot } from '../../src/platform/root.js';
import { COMMON, depsOf, type Environment, fill, opened, PASSWORD } from '../app/backed-up.js';
import { onCluster } from './cluster.js';
import { withFolder } from './databases.js';
import { run } from './processes.js';
import { dataFolder, startService } from './service.js';
import { tell, until } from './standby.js';

const TOOLS = join(projectRoot, 'dist-service/tools.js');

/** Runs a service while something is done with it, as the administrator. */
async function serving(
  environment: Environment,
  work: (ask: (query: string) => Promise<Record<string, never>>) => Promise<void>,
): Promise<void> {
  const { url, child } = await startService({
    environment: { ...environment, LOG_LEVEL: 'info', RATE_LIMITS: 'off' },
  });
  let token: string | undefined;
  const ask = async (query: string) => {
    const response = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(token && { authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify({ query }),
    });
    const { data, errors } = await response.json();
    expect(errors, query).toBeUndefined();
    return data;
  };
  const { login } = (await ask(
    `mutation { login(input: { username: "admin", password: "${PASSWORD}" }) { token } }`,
  )) as unknown as { login: { token: string } };
  token = login.token;
  await work(ask);
  child.signal('SIGTERM');
  expect(await child.ended).toBe(0);
}

const publish = (title: string) =>
  `mutation { createPost(input: { title: "${title}", status: PUBLISH }) { post { databaseId } } }`;

/** Seals what was recorded, and exports the head, as the job does every 30 seconds. */
async function seal(environment: Environment): Promise<void> {
  const database = await opened(environment);
  await sealAudit(await serviceContext(depsOf(environment, database), 'test'));
  await database.close();
}

/** Verifies the audit. Returns the exit code and what was said. */
async function verified(environment: Environment): Promise<[number | null, string]> {
  const child = run('audit:verify', [process.execPath, TOOLS, 'audit:verify'], {
    env: { PATH: process.env.PATH, ...environment },
  });
  return [await child.ended, child.output.text];
}

onCluster('A database comes back as of an instant, and its service starts on it', (cluster) =>
  withFolder((archive) =>
    withFolder(async (base) => {
      await cluster.archive(archive);
      const environment = { ...COMMON, DATA_DIR: dataFolder() };
      const before = { ...environment, DATABASE_URL: cluster.url };
      await fill(before);
      const copy = await cluster.copy(base);

      await serving(before, async (ask) => {
        await ask(publish('Before the mistake'));
      });
      await seal(before);
      const now = await tell(cluster.url, 'SELECT now()::text AS now');
      const instant = now.rows[0].now;
      await serving(before, async (ask) => {
        await ask(publish('After it'));
        await tell(cluster.url, 'DELETE FROM content_item');
      });
      await seal(before);
      const { rows } = await tell(cluster.url, 'SELECT pg_walfile_name(pg_switch_wal()) AS name');
      await until(async () => {
        const { rows: done } = await tell(
          cluster.url,
          'SELECT last_archived_wal AS name FROM pg_stat_archiver',
        );
        return done[0].name >= rows[0].name;
      });
      expect(await verified(before)).toStrictEqual([0, expect.stringContaining('whole')]);
      await cluster.crash();

      const after = { ...environment, DATABASE_URL: copy.url };
      copy.recoverTo(instant, archive);
      await copy.start();
      try {
        await until(async () => {
          const { rows } = await tell(copy.url, 'SELECT pg_is_in_recovery() AS is');
          return !rows[0].is;
        });
        await serving(after, async (ask) => {
          const { posts } = (await ask('{ posts { nodes { title } } }')) as unknown as {
            posts: { nodes: { title: string }[] };
          };
          expect(posts.nodes.map(({ title }) => title)).toStrictEqual(['Before the mistake']);
        });
        const [code, said] = await verified(after);
        expect([code, said.split('\n')[0]]).toStrictEqual([
          1,
          'seal 3: was exported with rows up to 3, and is gone: the tail was cut',
        ]);
        const heads = join(environment.DATA_DIR, 'audit-heads');
        renameSync(heads, `${heads}.before`);
        await seal(after);
        expect(await verified(after)).toStrictEqual([0, expect.stringContaining('whole')]);
      } finally {
        await copy.crash();
      }
    }),
  ),
);
