// A PostgreSQL server of a test's own, which may crash as it likes. It listens on loopback, and
// lives in a temporary folder.
import { execFile } from 'node:child_process';
import {
  appendFileSync,
  chownSync,
  existsSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { testOnServer, withFolder } from './databases.js';

/** PostgreSQL refuses the administrator, so it runs as nobody then. */
const USER = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};

/**
 * fsync only matters when the machine goes down: what a crashed server had written is still with
 * the operating system, and is there when the next one starts. Everything else is as in operation;
 * a commit is answered when it stands in the log.
 */
const settings = (folder: string, port: number) => `
listen_addresses = '127.0.0.1'
port = ${port}
unix_socket_directories = '${folder}'
fsync = off
`;

export class Cluster {
  private constructor(
    private readonly folder: string,
    /** Address of its database. */
    readonly url: string,
  ) {}

  static async make(folder: string): Promise<Cluster> {
    if (USER.uid) chownSync(folder, USER.uid, USER.gid);
    const port = await freePort();
    const cluster = new Cluster(folder, `postgres://postgres@127.0.0.1:${port}/postgres`);
    await cluster.#run(
      'initdb',
      '-U',
      'postgres',
      '--auth=trust',
      '--encoding=UTF8',
      '--no-locale',
      '--no-sync',
    );
    appendFileSync(cluster.#settings, settings(folder, port));
    return cluster;
  }

  /** Makes a standby of it in a folder of its own, which replays all that is written here. */
  standby(folder: string): Promise<Cluster> {
    return this.copy(folder, '--write-recovery-conf');
  }

  /** Starts it anew, and copies its log into a folder from then on. */
  async archive(into: string): Promise<void> {
    if (USER.uid) chownSync(into, USER.uid, USER.gid);
    const command = `test ! -f ${into}/%f && cp %p ${into}/%f`;
    appendFileSync(this.#settings, `archive_mode = on\narchive_command = '${command}'\n`);
    await this.crash();
    await this.start();
  }

  /** Copies it as it runs, into a folder of its own. The copy archives nothing. */
  async copy(folder: string, ...more: readonly string[]): Promise<Cluster> {
    if (USER.uid) chownSync(folder, USER.uid, USER.gid);
    const port = await freePort();
    const copy = new Cluster(folder, `postgres://postgres@127.0.0.1:${port}/postgres`);
    await copy.#run(
      'pg_basebackup',
      `--dbname=${this.url}`,
      '--wal-method=stream',
      '--checkpoint=fast',
      '--no-sync',
      ...more,
    );
    appendFileSync(copy.#settings, `${settings(folder, port)}archive_mode = off\n`);
    return copy;
  }

  /** Has it come to the state of an instant when it starts, by what was archived into a folder. */
  recoverTo(instant: string, from: string): void {
    appendFileSync(
      this.#settings,
      `restore_command = 'cp ${from}/%f %p'
recovery_target_time = '${instant}'
recovery_target_action = 'promote'
`,
    );
    writeFileSync(join(this.folder, 'data/recovery.signal'), '');
  }

  get #settings(): string {
    return join(this.folder, 'data/postgresql.conf');
  }

  /** Starts it, after a crash with what was committed; resolves when it answers. */
  async start(): Promise<void> {
    await this.#run('pg_ctl', 'start', '--wait', `--log=${join(this.folder, 'log')}`);
  }

  /**
   * Ends all its processes at once, in the middle of whatever they do, without a checkpoint or a
   * word to anybody.
   */
  async crash(): Promise<void> {
    await this.#run('pg_ctl', 'stop', '--wait', '--mode=immediate');
  }

  /** Process id of the server, which starts the others. */
  async pid(): Promise<number> {
    return Number(readFileSync(join(this.folder, 'data/postmaster.pid'), 'utf8').split('\n')[0]);
  }

  async #run(program: string, ...args: string[]): Promise<void> {
    const options = { ...USER, cwd: this.folder };
    await promisify(execFile)(
      join(programs(), program),
      ['-D', join(this.folder, 'data'), ...args],
      options,
    );
  }
}

/** The folder of the newest server programs: Debian's, else one of PATH. */
function programs(): string {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian)
    ? readdirSync(debian).sort((a, b) => Number(b) - Number(a))
    : [];
  const folders = [
    ...versions.map((version) => join(debian, version, 'bin')),
    ...(process.env.PATH ?? '').split(delimiter),
  ];
  const found = folders.find(
    (folder) => existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'pg_ctl')),
  );
  if (found) return found;
  throw new Error(
    `This test needs the programs of a PostgreSQL server, initdb and pg_ctl, under ${debian} or on PATH.`,
  );
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/**
 * Registers a test that needs a server of its own, where servers are tested at all; it is running
 * when `body` begins.
 */
export function onCluster(title: string, body: (cluster: Cluster) => Promise<void>): void {
  testOnServer(title, () =>
    withFolder(async (folder) => {
      const cluster = await Cluster.make(folder);
      await cluster.start();
      // A test that failed may have left it down
      await body(cluster).finally(() => cluster.crash().catch(() => {}));
    }),
  );
}
