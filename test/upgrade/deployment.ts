// Two processes behind Caddy, with the Caddyfile that is deployed, which are replaced one after the other.
import { spawnSync } from 'node:child_process';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { projectRoot } from '../../src/platform/root.js';
import { type Child, run } from '../faults/processes.js';
import { dataFolder } from '../faults/service.js';

type Environment = Readonly<Record<string, string>>;

/** Who runs the processes, if not the user of the tests. */
interface User {
  readonly uid?: number;
  readonly gid?: number;
}

export class Deployment {
  readonly #children: Child[] = [];

  private constructor(
    readonly url: string,
    private readonly ports: readonly number[],
    private readonly environment: Environment,
    private readonly user: User,
  ) {}

  /** Starts two processes of a tree, and Caddy. Resolves when both serve. */
  static async of(tree: string, environment: Environment, user: User = {}): Promise<Deployment> {
    const [proxy = 0, ...ports] = await Promise.all([freePort(), freePort(), freePort()]);
    const url = `http://127.0.0.1:${proxy}`;
    const shared = { DATA_DIR: dataFolder(), BASE_URL: url, TRUSTED_PROXIES: '1', ...environment };
    const deployment = new Deployment(url, ports, shared, user);
    await Promise.all(ports.map((_, place) => deployment.#start(place, tree)));
    startCaddy(url, ports);
    for (let tries = 0; tries < 100; tries++) {
      const response = await fetch(`${url}/readyz`).catch(() => undefined);
      await response?.text();
      if (response?.ok) return deployment;
      await sleep(100);
    }
    throw new Error('Caddy does not lead to the service.');
  }

  /** Ends each process as a host does and starts one of another tree in its place. */
  async replace(tree: string): Promise<void> {
    for (const place of this.ports.keys()) {
      await this.#end(place);
      await this.#start(place, tree);
      await sleep(1_500); // until Caddy has asked whether it is ready
    }
  }

  async end(): Promise<void> {
    for (const place of this.ports.keys()) await this.#end(place);
  }

  async #start(place: number, tree: string): Promise<void> {
    const child = run(
      'the service',
      [process.execPath, '--max-semi-space-size=8', 'dist-service/main.js'],
      {
        ...this.user,
        cwd: tree,
        env: {
          ...bare(),
          SEED: 'none',
          HOST: '127.0.0.1',
          PORT: String(this.ports[place]),
          ...this.environment,
        },
      },
    );
    this.#children[place] = child;
    await child.says('"msg":"ready"');
  }

  async #end(place: number): Promise<void> {
    const child = this.#children[place] as Child;
    child.signal('SIGTERM');
    expect([await child.ended, child.output.errors]).toStrictEqual([0, '']);
  }
}

/** Migrates a database with the command of a tree. Returns what it printed. */
export async function migrate(tree: string, environment: Environment): Promise<string> {
  const child = run('migrate', [process.execPath, 'dist-service/tools.js', 'migrate'], {
    cwd: tree,
    env: { ...bare(), ...environment },
  });
  expect([
    await child.ended,
    child.output.errors.replaceAll(/^.*(?:MiB|…|\d+ s).*\n/gm, ''),
  ]).toStrictEqual([0, '']);
  return child.output.text;
}

const bare = () => ({ PATH: process.env.PATH, HOME: process.env.HOME });

function startCaddy(url: string, ports: readonly number[]): void {
  if (spawnSync('caddy', ['version']).status !== 0)
    throw new Error("Caddy is missing: install Debian's package caddy.");
  run(
    'Caddy',
    ['caddy', 'run', '--config', join(projectRoot, 'deploy/Caddyfile'), '--adapter', 'caddyfile'],
    {
      env: {
        ...bare(),
        ADDRESS: url,
        PROCESSES: ports.map((port) => `127.0.0.1:${port}`).join(' '),
        XDG_DATA_HOME: dataFolder(),
        XDG_CONFIG_HOME: dataFolder(),
      },
    },
  );
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}
