// Runs the commands of docs/moving.md from top to bottom, as a reader does, from a dump of the original
// on MariaDB and a server that answers what the original answered.
import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { type Connection, createConnection } from 'mysql2/promise';
import { projectRoot } from '../../src/platform/root.js';
import { adminUrl, withServer } from '../faults/databases.js';
import { dataFolder, variables } from '../faults/service.js';

const SERVER = process.env.TEST_MYSQL_URL;
/** A dump of the original, with what it answered. It is not part of a clone. */
const DUMP = resolve(projectRoot, '../shared/import');
const MARK = '--- the next commands';
/** Paths that the shadow reads. */
const MOST_PATHS = 60;

const page = readFileSync(join(projectRoot, 'docs/moving.md'), 'utf8');
const blocks = [...page.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, text = '']) => text);

interface Recorded {
  readonly path: string;
  readonly as: string | null;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}
type Tallies = Readonly<Record<string, Readonly<Record<string, number>>>>;

/** How the original names a path that was recorded. */
const pathThere = (path: string) =>
  path.replace(/^\/api\/models\/v1/, '/wp-json/pods/v1').replace(/^\/api/, '/wp-json');

/** Loads the dump. Returns its address, and what all of its tables are. */
async function load(connection: Connection): Promise<string> {
  const name = `care_test_${randomBytes(6).toString('hex')}`;
  await connection.query(
    `SET SESSION sql_mode = ''; CREATE DATABASE ${name} CHARACTER SET utf8mb4; USE ${name}`,
  );
  await connection.query(gunzipSync(readFileSync(join(DUMP, 'original.sql.gz'))).toString());
  return name;
}

async function checksums(connection: Connection): Promise<unknown> {
  const [tables] = await connection.query('SHOW TABLES');
  const names = (tables as object[]).map((row) => Object.values(row)[0] as string);
  const [rows] = await connection.query(`CHECKSUM TABLE ${names.map((one) => `\`${one}\``)}`);
  return rows;
}

/** Answers as the original answered. */
const replay = (answers: ReadonlyMap<string, Recorded>): Server =>
  createServer(({ url = '' }, response) => {
    const { status, headers, body } = answers.get(url) ?? { status: 404, headers: {}, body: null };
    response.writeHead(status, { ...headers, 'content-type': 'application/json' });
    response.end(JSON.stringify(body));
  });

/** The variables of the original's database. */
function sourceIn(name: string): NodeJS.ProcessEnv {
  const { password } = new URL(SERVER as string);
  const address = Object.assign(new URL(SERVER as string), { pathname: `/${name}`, password: '' });
  return { SOURCE: address.href, SOURCE_PASSWORD: decodeURIComponent(password) };
}

/** A port that nobody listens at. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** Runs commands one after the other in one shell. Returns what each printed, and how the last ended. */
async function runAll(commands: readonly string[], env: NodeJS.ProcessEnv) {
  const script = commands.map((text) => `echo '${MARK}'\n${text}`).join('\n');
  const shell = spawn('bash', ['-euo', 'pipefail', '-c', script], {
    ...{ cwd: projectRoot, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] },
  });
  let printed = '';
  for (const stream of [shell.stdout, shell.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (printed += text));
  const [status] = await once(shell, 'close');
  try {
    process.kill(-(shell.pid as number), 'SIGKILL'); // what a command that failed left behind
  } catch {
    // nothing
  }
  return { status, printed: printed.split(`${MARK}\n`).slice(1) };
}

const isThere = existsSync(join(DUMP, 'original.sql.gz'));

(SERVER && isThere ? describe : describe.skip)('The plan of a move', () => {
  const recorded = isThere
    ? gunzipSync(readFileSync(join(DUMP, 'answers.ndjson.gz')))
        .toString()
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Recorded)
    : [];
  const link = recorded.find(({ headers }) => headers.link)?.headers.link ?? '';
  const site = /<(https?:\/\/[^/>]+)/.exec(link)?.[1] ?? '';
  const answers = new Map(
    recorded
      .filter(({ as, status, body }) => !as && status === 200 && typeof body === 'object')
      .slice(0, MOST_PATHS)
      .map((one) => [pathThere(one.path), one]),
  );

  /** Moves into a database, or into the embedded one. */
  async function move(databaseUrl: string | undefined) {
    const folder = dataFolder();
    const at = (name: string) => join(folder, name);
    const moved = at('moved');
    for (const name of ['data', 'uploads', 'moved']) mkdirSync(at(name), { recursive: true });
    spawnSync('tar', ['-xzf', join(DUMP, 'uploads.tar.gz'), '-C', at('uploads')]);
    writeFileSync(at('paths'), `${[...answers.keys()].join('\n')}\n`);
    const [admin] = JSON.parse(readFileSync(join(DUMP, 'accounts.json'), 'utf8'));
    const port = await freePort();
    const original = replay(answers).listen(0, '127.0.0.1');
    await once(original, 'listening');
    const connection = await createConnection({ uri: SERVER as string, multipleStatements: true });
    const name = await load(connection);
    try {
      const before = await checksums(connection);
      const place = {
        ...(databaseUrl && { DATABASE_URL: databaseUrl }),
        ...{ SECRET_KEY: 's'.repeat(40), DATA_DIR: at('data') },
      };
      const { status, printed } = await runAll(blocks, {
        ...variables(place),
        ...sourceIn(name),
        ...{ UPLOADS: at('uploads/uploads'), MAPPING: 'docs/import-mapping.yaml' },
        ...{ ORIGINAL: `http://127.0.0.1:${(original.address() as AddressInfo).port}`, SITE: site },
        ...{ PORT: String(port), OURS: `http://localhost:${port}` },
        ...{ SHADOW_PORT: String(await freePort()), PATHS: at('paths'), MOVE: moved },
        LOGIN: `${admin.username}:${admin.application_passwords[0].password}`,
      });
      const read = (file: string) => JSON.parse(readFileSync(join(moved, file), 'utf8'));
      const last = printed.at(-1) as string;
      expect([status, printed.length], last).toStrictEqual([0, blocks.length]);
      expect(await checksums(connection)).toStrictEqual(before);
      return { read, printed };
    } finally {
      original.close();
      await connection.query(`DROP DATABASE ${name}`);
      await connection.end();
    }
  }

  function judge({ read }: Awaited<ReturnType<typeof move>>): void {
    const sums = (file: string, field: string) => {
      const tallies = Object.values(read(file).kinds as Tallies);
      return tallies.reduce((sum, tally) => sum + (tally[field] ?? 0), 0);
    };
    expect(sums('check.json', 'imported')).toBeGreaterThan(2_000);
    expect(sums('first.json', 'imported')).toBe(sums('check.json', 'imported'));
    const first = (read('first.json').kinds as Tallies).medicine?.imported;
    for (const file of ['last.json', 'compared.json']) {
      expect([sums(file, 'imported'), sums(file, 'refused')]).toStrictEqual([0, 0]);
      // Medicines that began in a minute before the stop of the original begin again at it: none, all, or
      // those of the first minute of an import that took two.
      const { medicine, ...others } = read(file).kinds as Tallies;
      expect(Object.values(others).filter(({ changed }) => changed !== 0)).toStrictEqual([]);
      const most = file === 'last.json' ? (first as number) : 0;
      expect(medicine?.changed).toBeLessThanOrEqual(most);
    }
    expect(read('login.json')).toMatchObject({ name: 'Recorder' });
    const shadow = read('shadow.json');
    expect(shadow).toMatchObject({ requests: answers.size, unavailable: 0, differences: [] });
    expect(shadow.equal + shadow.departed).toBeGreaterThan(answers.size / 2);
    // One account stands in for an author who is gone.
    expect(read('export/manifest.json').lines).toMatchObject({ account: 15, post: 302 });
  }

  it('names every variable that its commands use, and no other', () => {
    const table = page.split('\n## ')[0] as string;
    const rows = table.split('\n').filter((line) => line.startsWith('| `'));
    const named = rows.flatMap((row) =>
      [...(row.split(' | ')[0] as string).matchAll(/`([A-Z_]+)`/g)].map(([, name]) => name),
    );
    const used = [...blocks.join('').matchAll(/\$\{?([A-Z_]+)/g)].map(([, name]) => name);
    // By the service itself, and by the import.
    const read = ['SECRET_KEY', 'DATA_DIR', 'PORT', 'SOURCE_PASSWORD'];
    expect([...new Set([...used, ...read])].sort()).toStrictEqual([...named].sort());
  });

  it('runs from top to bottom, and leaves the original as it was', async () => {
    if (adminUrl) await withServer(async (url) => judge(await move(url)));
    else judge(await move(undefined));
  });
});
