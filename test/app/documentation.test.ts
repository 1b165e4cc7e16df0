// Runs the commands of the pages for users, in the order in which they stand, against a service that
// was started as the pages say.
import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildSchema, parse, validate } from 'graphql';
import { readConfig } from '../../src/config/config.js';
import { projectRoot } from '../../src/platform/root.js';

/** A command of a page, and what it prints; `…` stands for any text of a line. */
interface Example {
  readonly command: string;
  readonly printed: string;
  readonly stopped: boolean;
}

/** How long the commands of a page may take, in milliseconds. */
const LONGEST = 12 * 60_000;
const MARK = '--- the next example';
const FENCED = /^```sh( stopped)?\n([\s\S]*?)^```\n(?:\n```text\n([\s\S]*?)^```\n)?/gm;

function examplesOf(page: string): Example[] {
  const text = readFileSync(join(projectRoot, page), 'utf8');
  return [...text.matchAll(FENCED)].map(([, stopped, command = '', printed = '']) => ({
    command,
    printed,
    stopped: stopped !== undefined,
  }));
}

/** A service as `npm start` starts it, on the embedded database with the demo. */
class Sandbox {
  readonly folder = mkdtempSync(join(tmpdir(), 'care-sandbox-'));
  #child: ChildProcess | undefined;
  #said = '';

  /** What the pages tell the reader to set: the address, the folder, the passwords. */
  get settings(): Record<string, string> {
    const passwords = [...this.#said.matchAll(/^ {2}(\w+) +\w+ +(\w{16})$/gm)];
    return {
      CARE: /GraphQL and playground +(\S+)\/graphql/.exec(this.#said)?.[1] ?? '',
      DATA_DIR: this.folder,
      ...Object.fromEntries(
        passwords.map(([, name = '', word = '']) => [name.toUpperCase(), word]),
      ),
    };
  }

  async start(): Promise<void> {
    const { DATABASE_URL: _, ...inherited } = process.env;
    const env = { ...inherited, DATA_DIR: this.folder, PORT: '0', LOG_LEVEL: 'error' };
    const main = join(projectRoot, 'dist-test/src/main.js');
    const child = fork(main, { env, stdio: ['ignore', 'pipe', 'inherit', 'ipc'] });
    this.#child = child;
    child.stdout?.setEncoding('utf8').on('data', (text: string) => (this.#said += text));
    const ended = once(child, 'exit').then(() => Promise.reject(new Error('It did not start.')));
    await Promise.race([once(child, 'message'), ended]);
    ended.catch(() => {});
  }

  async stop(): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (!child || child.exitCode !== null) return;
    child.kill('SIGTERM');
    await once(child, 'exit');
  }
}

/** Runs commands in one shell, so that later ones have the variables of earlier ones. */
async function run(examples: readonly Example[], settings: Record<string, string>) {
  const script = examples.map(({ command }) => `${command}\necho '${MARK}'`).join('\n');
  const env = { ...process.env, ...settings };
  const child = spawn('bash', ['-euo', 'pipefail', '-c', script], {
    cwd: projectRoot,
    env,
    timeout: LONGEST,
  });
  let [output, errors] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text) => (output += text));
  child.stderr.setEncoding('utf8').on('data', (text) => (errors += text));
  const [status] = await once(child, 'close');
  return { status, printed: output.split(`${MARK}\n`), errors };
}

const patternOf = (printed: string) =>
  new RegExp(`^${printed.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll('…', '.*')}$`, 'i');

describe('The commands of the documentation do what it says', () => {
  const sandbox = new Sandbox();
  beforeAll(() => sandbox.start());
  afterAll(async () => {
    await sandbox.stop();
    rmSync(sandbox.folder, { recursive: true, force: true });
  });

  const judge = async (examples: readonly Example[]) => {
    expect(examples.length).toBeGreaterThan(0);
    const { status, printed, errors } = await run(examples, sandbox.settings);
    for (const [i, example] of examples.entries())
      expect((printed[i] ?? errors).replaceAll('\r', ''), example.command).toMatch(
        patternOf(example.printed),
      );
    expect(status, errors).toBe(0);
  };

  it.each(['docs/mobile.md', 'docs/dashboard.md', 'docs/reports.md'])('in %s', (page) =>
    judge(examplesOf(page)),
  );

  it('in docs/operating.md, while the service runs and when it is stopped', async () => {
    const examples = examplesOf('docs/operating.md');
    await judge(examples.filter(({ stopped }) => !stopped));
    await sandbox.stop();
    await judge(examples.filter(({ stopped }) => stopped));
  });
});

describe('Every page', () => {
  /** Pages whose examples `judge` runs above; those of `moving` are run by moving/plan. */
  const RUN = ['mobile', 'dashboard', 'reports', 'operating', 'moving'].map(
    (name) => `docs/${name}.md`,
  );
  /** Commands that stand beside the examples, with why no test here runs them. */
  const NOT_RUN: Readonly<Record<string, string>> = {
    'npm start': 'the sandbox of this file starts the same service',
    'npm test': 'it is what runs this test',
  };
  const pages = readdirSync(join(projectRoot, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`);
  const textOf = (page: string) => readFileSync(join(projectRoot, page), 'utf8');

  it('has its commands in examples that are run, and nowhere else', () => {
    for (const page of [...pages, 'README.md']) {
      const text = textOf(page);
      if (text.includes('```sh')) expect(RUN).toContain(page);
      const others = [...text.matchAll(/^(?: {4}|```)(?:\$ )?((?:npm|npx|node|curl|psql) .*)$/gm)];
      for (const [, command = ''] of others)
        expect(Object.keys(NOT_RUN), page).toContain(command.split(/ {2,}/)[0]);
    }
  });

  /** The blocks of the pages that are neither commands nor what these print. */
  const blocks = pages.flatMap((page) =>
    [
      ...textOf(page)
        .replace(FENCED, '')
        .matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm),
    ].map(([, kind = '', text = '']) => ({ page, kind, text })),
  );

  it('has settings that the service starts with', () => {
    const settings = blocks
      .filter(({ kind }) => kind === 'text')
      .map(({ page, text }) => {
        const lines = text.trim().split('\n');
        for (const line of lines) expect(line, page).toMatch(/^[A-Z_]+=\S+$/);
        return Object.fromEntries(lines.map((line) => line.split(/=(.*)/s).slice(0, 2)));
      });
    expect(settings.length).toBeGreaterThan(0);
    for (const set of settings) expect(() => readConfig(set)).not.toThrow();
  });

  it('has documents of GraphQL and JSON that are valid, code that tests run, and no block of another kind', () => {
    const linesOf = (text: string) => text.split('\n').map((line) => line.trim());
    const dashboard = linesOf(textOf('test/journeys/dashboard/urql-screens.ts'));
    const graph = buildSchema(textOf('schema/schema.graphql'));
    for (const { page, kind, text } of blocks) {
      if (kind === 'graphql') expect(validate(graph, parse(text)), page).toStrictEqual([]);
      else if (kind === 'json') expect(() => JSON.parse(text), page).not.toThrow();
      // By journeys/true-caches; the lines of JavaScript are run by platform/channel/webhook.
      else if (kind === 'ts')
        expect(dashboard, page).toEqual(expect.arrayContaining(linesOf(text)));
      else expect(['text', 'js'], page).toContain(kind);
    }
  });

  it('names only commands that there are', () => {
    const { scripts } = JSON.parse(textOf('package.json'));
    const named = [...pages, 'README.md', 'CONTRIBUTING.md'].flatMap((page) =>
      [...textOf(page).matchAll(/npm run (?:--silent )?([\w:-]+)/g)].map(([, name = '']) => name),
    );
    expect(named.length).toBeGreaterThan(20);
    expect([...new Set(named)].filter((name) => !(name in scripts))).toStrictEqual([]);
  });
});
