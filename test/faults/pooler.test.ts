import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { openDatabase } from '../../src/platform/database/open.js';
import { onServer, openServer, startError, withFolder } from './databases.js';
import { serving } from './serving.js';

const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin'];
const program = folders.map((folder) => join(folder, 'pgbouncer')).find(existsSync);
/** PgBouncer refuses the administrator, so it runs as nobody then. */
const USER = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/**
 * Registers a test that runs behind PgBouncer in transaction mode, which shares three connections;
 * where there is one.
 */
function onPooler(title: string, body: (url: string) => Promise<void>): void {
  if (!program) test.skip(`${title} (pgbouncer is not installed)`, () => {});
  else
    onServer(title, (url) =>
      withFolder(async (folder) => {
        const server = new URL(url);
        const port = await freePort();
        const file = join(folder, 'pgbouncer.ini');
        writeFileSync(
          file,
          `[databases]
${server.pathname.slice(1)} = host=${server.hostname} port=${server.port || 5432} user=${server.username}${server.password && ` password=${server.password}`}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 3
`,
        );
        if (USER.uid) for (const path of [folder, file]) chownSync(path, USER.uid, USER.gid);
        const pooler = spawn(program, ['-q', file], { ...USER, stdio: 'ignore' });
        try {
          const pooled = Object.assign(new URL(url), { host: `127.0.0.1:${port}` }).href;
          for (let tries = 0; tries < 50; tries++) {
            const client = new pg.Client(pooled);
            const connected = await client.connect().then(
              () => true,
              () => false,
            );
            await client.end().catch(() => {});
            if (connected) break;
            await sleep(100);
          }
          await body(pooled);
        } finally {
          const ended = once(pooler, 'exit');
          pooler.kill('SIGKILL');
          await ended;
        }
      }),
    );
}

onPooler(
  'behind PgBouncer in transaction mode the migrations, both faces and the jobs work, with ' +
    'nothing to set',
  (url) =>
    serving(url, async (service) => {
      for (let round = 0; round < 5; round++) {
        const answers = (await Promise.all(Array.from({ length: 6 }, () => service.ask()))).flat();
        expect(
          [...new Set(answers.map(({ status }) => status))].filter((status) => status >= 500),
        ).toStrictEqual([]);
      }
      const failed = service.lines.filter((line) => /"level":[56]0/.test(line));
      expect(failed).toStrictEqual([]);
      expect(
        service.lines.some((line) =>
          /A pooler stands before PostgreSQL, so its statements have no time limit there/.test(
            line,
          ),
        ),
      ).toBe(true);
    }),
);

onPooler(
  'behind PgBouncer many prepared texts and transactions share few connections, and instants ' +
    'stay in UTC',
  async (url) => {
    const database = await openServer(url);
    const { prisma } = database;
    const work = (i: number) => [
      database
        .query(`SELECT $1::int + ${i % 7} AS n`, [i])
        .then(([row]) => expect(row?.n).toBe(i + (i % 7))),
      prisma.$transaction(async (tx) => {
        await tx.language.count();
        await tx.site.findFirst();
      }),
      prisma.$queryRaw<{ at: Date }[]>`SELECT '2026-03-01 12:00:00+00'::timestamptz AS at`.then(
        ([row]) => expect(row?.at.toISOString()).toBe('2026-03-01T12:00:00.000Z'),
      ),
    ];
    for (let i = 0; i < 40; i += 4) await Promise.all([i, i + 1, i + 2, i + 3].flatMap(work));
    expect(await database.trouble()).toBeUndefined();
    await database.close();
  },
);

onPooler('what a pooler refuses is one sentence at the start', async (url) => {
  const asking = `${url}?options=-c%20work_mem%3D64MB`;
  const opening = openDatabase({ url: asking, dataDir: '/nowhere', wait: 30, migrate: true });
  await expect(opening).rejects.toSatisfy(
    startError(
      /^PostgreSQL at 127\.0\.0\.1:\d+\/\w+ is a pooler that refuses what DATABASE_URL asks for: .*\.$/,
    ),
  );
});
