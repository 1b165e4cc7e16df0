// The tree of the image: assembled, and started with nothing else by a user who may write nowhere in it.
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { projectRoot } from '../../src/platform/root.js';
import { adminUrl, withServer } from '../faults/databases.js';
import { type Child, run } from '../faults/processes.js';
import { Deployment } from '../upgrade/deployment.js';
import { Members } from '../upgrade/members.js';

const NOBODY = 65534;
const isRoot = process.getuid?.() === 0;
const user = isRoot ? { uid: NOBODY, gid: NOBODY } : {};
const PASSWORD = 'correct horse battery';

describe('The tree of the image', () => {
  const folder = mkdtempSync(join(tmpdir(), 'care-image-'));
  const tree = join(folder, 'app');
  const data = join(folder, 'data');
  let printed = '';

  beforeAll(() => {
    chmodSync(folder, 0o755);
    mkdirSync(data);
    if (isRoot) chownSync(data, NOBODY, NOBODY);
    const script = join(projectRoot, 'scripts/image-tree.mjs');
    const made = spawnSync(process.execPath, [script, tree], { encoding: 'utf8' });
    printed = made.stdout;
    expect([made.status, made.stderr]).toStrictEqual([0, '']);
    const frozen = spawnSync('chmod', ['-R', 'a-w', tree]);
    expect(frozen.status).toBe(0);
  });
  afterAll(() => {
    spawnSync('chmod', ['-R', 'u+w', tree]);
    rmSync(folder, { recursive: true, force: true });
  });

  /** Starts a program of the tree, with nothing of this checkout or of this user's environment. */
  const start = (environment: Readonly<Record<string, string>>, ...args: string[]): Child =>
    run(args[0] ?? '', [process.execPath, ...args], {
      cwd: tree,
      env: { DATA_DIR: data, PORT: '0', SEED: 'none', ...environment },
      ...user,
    });
  const tool = async (environment: Readonly<Record<string, string>>, ...args: string[]) => {
    const child = start(environment, 'dist-service/tools.js', ...args);
    return { status: await child.ended, ...child.output };
  };
  const addressOf = (child: Child) =>
    `http://127.0.0.1:${/"baseUrl":"http:\/\/localhost:(\d+)"/.exec(child.output.text)?.[1]}`;

  it('is small, and holds neither sources nor tools of developers', () => {
    expect(Number(/holds (\d+) MiB/.exec(printed)?.[1])).toBeLessThan(90);
    expect(readdirSync(tree).sort()).toStrictEqual([
      '.cache',
      'dist-playground',
      'dist-service',
      'node_modules',
      'package.json',
      'prisma',
      'sbom.cdx.json',
      'schema',
    ]);
    const packages = readdirSync(join(tree, 'node_modules'));
    for (const name of ['typescript', 'jest', 'esbuild', 'prisma', 'type-graphql'])
      expect(packages).not.toContain(name);
  });

  it('has a list of its packages with their versions and licences', () => {
    const { bomFormat, components } = JSON.parse(readFileSync(join(tree, 'sbom.cdx.json'), 'utf8'));
    expect(bomFormat).toBe('CycloneDX');
    const argon = components.find(({ name }: { name: string }) => name === 'argon2');
    expect(argon).toMatchObject({ version: expect.stringMatching(/^\d/), licenses: [{}] });
    const { dependencies } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8'));
    const listed = components.map(({ name }: { name: string }) => name);
    for (const name of Object.keys(dependencies)) expect(listed).toContain(name);
  });

  it('has each package that the service loads late', async () => {
    const late = spawnSync('grep', ['-rhoE', "lazily<[^(]*\\('[^']+'", join(projectRoot, 'src')], {
      encoding: 'utf8',
    }).stdout.matchAll(/'([^']+)'$/gm);
    const names = [...new Set([...late].map(([, name = '']) => name))];
    expect(names.length).toBeGreaterThan(6);
    const program = `const { createRequire } = await import('node:module');
      const require = createRequire('${tree}/dist-service/main.js');
      for (const name of ${JSON.stringify(names)}) require(name);
      require.resolve('moment-timezone/data/packed/latest.json');
      require.resolve('swagger-ui-dist/package.json');
      console.log('loaded');`;
    const child = start({}, '--input-type=module', '--eval', program);
    expect([await child.ended, child.output.errors]).toStrictEqual([0, '']);
  });

  it('starts as another user who may not write in it, serves both faces and the pages, and ends', async () => {
    const child = start({ ADMIN_PASSWORD: PASSWORD }, 'dist-service/main.js');
    await child.says('"msg":"ready"');
    const url = addressOf(child);
    const get = async (path: string) => {
      const response = await fetch(url + path, { headers: { accept: 'text/html, */*' } });
      return [response.status, await response.text()] as const;
    };
    for (const path of ['/healthz', '/readyz', '/api', '/api/reference', '/graphql', '/metrics'])
      expect((await get(path))[0], path).toBe(200);
    expect(JSON.parse((await get('/v3/api/v1/posts'))[1])).toStrictEqual([]);
    const response = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        query: `mutation { login(input: { username: "admin", password: "${PASSWORD}" }) { token } }`,
      }),
    });
    expect(await response.json()).toMatchObject({ data: { login: { token: expect.any(String) } } });
    child.signal('SIGTERM');
    expect([await child.ended, child.output.errors]).toStrictEqual([0, '']);
  });

  it('has the commands of operators', async () => {
    expect(await tool({}, 'doctor')).toMatchObject({
      status: 0,
      text: expect.stringMatching(/\nNothing is wrong\.\n$/),
    });
    expect(await tool({}, 'audit:verify')).toMatchObject({
      status: 0,
      text: expect.stringMatching(/^The audit is whole/),
    });
    const out = join(folder, 'out');
    mkdirSync(out);
    if (isRoot) chownSync(out, NOBODY, NOBODY);
    const saved = join(out, 'saved');
    expect(await tool({}, 'backup', saved)).toMatchObject({ status: 0 });
    expect(await tool({}, 'restore', saved, '--check')).toMatchObject({ status: 0 });
    expect(await tool({}, 'nothing')).toMatchObject({
      status: 2,
      errors: expect.stringMatching(/^The commands are migrate, doctor, backup, /),
    });
  });

  (adminUrl ? it : it.skip)(
    'migrates PostgreSQL, and two processes behind Caddy serve from it and are replaced while members use them',
    () =>
      withServer(async (url) => {
        const members = await Members.make();
        const environment = {
          DATABASE_URL: url,
          SECRET_KEY: 's'.repeat(40),
          DATA_DIR: data,
          RATE_LIMITS: 'off',
          EXPO_URL: members.provider.url,
          ...(process.env.TEST_REDIS_URL && { REDIS_URL: process.env.TEST_REDIS_URL }),
        };
        expect(await tool(environment, 'migrate')).toMatchObject({ status: 0 });
        const deployment = await Deployment.of(tree, environment, user);
        await members.begin(deployment.url);
        await deployment.replace(tree);
        await members.end();
        const { reminders, taken } = await members.check(deployment.url);
        expect([members.failures, reminders > 20, taken > 0]).toStrictEqual([[], true, true]);
        await deployment.end();
        await members.provider.stop();
      }),
  );
});
