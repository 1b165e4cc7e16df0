import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { projectRoot } from '../../src/platform/root.js';

interface LockedPackage {
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly license?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
}
type Packages = Readonly<Record<string, LockedPackage>>;

/** Licences that let a program be given away with its own terms. */
const PERMISSIVE = [
  '(MIT AND BSD-3-Clause)',
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'ISC',
  'MIT',
  'MIT-0',
  'PSF-2.0',
  'Unlicense',
];

/** What may have another licence, and why. */
const OTHER_LICENCES: Readonly<Record<string, string>> = {
  'web-push': 'MPL-2.0 binds its own files alone, and we run them unchanged',
};

/**
 * The binaries of sharp, one for each kind of machine: LGPL-3.0 binds the library in them, which is
 * loaded as it was published and may be replaced by another build of it.
 */
const BINARIES_OF_SHARP = /^@img\/sharp-/;

/** What is installed to run although no code of it runs: who brings it. */
const NEVER_LOADED: Readonly<Record<string, string>> = {
  '@apollo/cache-control-types': 'types of @apollo/server',
  '@apollo/server-gateway-interface': 'types of @apollo/server',
  '@apollo/utils.fetcher': 'types of @apollo/server',
  '@apollo/utils.logger': 'types of @apollo/server',
  '@apollo/utils.withrequired': 'types of @apollo/server',
  '@aws-sdk/types': 'types of @aws-sdk/client-s3',
  '@graphql-typed-document-node/core': 'types of graphql-jit',
  '@graphql-yoga/typed-event-target': 'types of type-graphql',
  '@protobufjs/codegen': '@apollo/server reports nothing to its maker here',
  '@protobufjs/fetch': '@apollo/server reports nothing to its maker here',
  '@protobufjs/path': '@apollo/server reports nothing to its maker here',
  '@scarf/scarf': 'swagger-ui-dist; its script is never run',
  '@smithy/fetch-http-handler': 'the part of @aws-sdk/client-s3 for browsers',
  '@tokenizer/token': 'types of file-type',
  '@types/long': 'types of @apollo/server',
  '@types/node': 'types of @types/pg and type-graphql',
  '@types/pg': 'types of @prisma/adapter-pg',
  '@types/semver': 'types of type-graphql',
  cors: 'the part of @apollo/server for Express, which is not used',
  'graphql-query-complexity': 'a part of type-graphql that is not used',
  'lodash.get': 'graphql-query-complexity',
  minimist: 'the command line of web-push',
  moment: 'moment-timezone, of which only the data is read',
  'node-addon-api': 'what argon2 is compiled with where it has no binary',
  'object-assign': 'cors',
  'pino-abstract-transport': 'transports of pino, which are not used',
  'process-warning': 'deprecated options of pino',
  'real-require': 'transports of pino, which are not used',
  'require-from-string': 'a part of ajv that is not used',
  'temporal-spec': 'types of temporal-polyfill',
  tslib: 'builds of packages for other modules',
  'undici-types': 'types of @types/node',
};

/** Where the client of the database has its code: scripts/database-client.mjs names the folder. */
const CLIENT = '@prisma/client/runtime';

/** What runs the product, and what builds it on the machine that runs it. */
const PROGRAMS = [
  'src',
  'scripts/compile.mjs',
  'scripts/database-client.mjs',
  'scripts/bundle.mjs',
];

const read = (path: string) => readFileSync(join(projectRoot, path), 'utf8');
const packagesOf = (lock: string) => (JSON.parse(read(lock)) as { packages: Packages }).packages;
const nameOf = (path: string) =>
  /^(?:@[^/]+\/)?[^/]+/.exec(path.split('node_modules/').at(-1) ?? '')?.[0] ?? '';

/** The packages that are installed to run, by path. */
const installed = (packages: Packages) =>
  Object.entries(packages).filter(([path, { dev }]) => path !== '' && !dev);

function sources(path: string): string[] {
  if (/\.\w+$/.test(path)) return [read(path)];
  const names = readdirSync(join(projectRoot, path), { recursive: true, encoding: 'utf8' });
  const files = names.filter((name) => name.endsWith('.ts') && !name.startsWith('generated'));
  return files.map((name) => read(`${path}/${name}`));
}

/** The modules of direct dependencies that a text names, but for those of which it takes types alone. */
function modulesOf(text: string, direct: readonly string[]): string[] {
  const values = text.replace(/^import type [^;]*;$/gm, '');
  const quoted = [...values.matchAll(/'((?:@[\w.-]+\/)?[\w.-]+(?:\/[\w./-]+)?)'/g)];
  return quoted
    .map(([, name = '']) => (name === CLIENT ? `${name}/client` : name))
    .filter((name) => direct.some((one) => name === one || name.startsWith(`${one}/`)));
}

describe('The packages that are installed to run', () => {
  const packages = packagesOf('package-lock.json');
  const direct = Object.keys(packages['']?.dependencies ?? {});

  it('have permissive licences, those of the playground as well', () => {
    const all = [...installed(packages), ...installed(packagesOf('playground/package-lock.json'))];
    const others = all.filter(
      ([path, { license = 'none' }]) =>
        !PERMISSIVE.includes(license) &&
        !(nameOf(path) in OTHER_LICENCES) &&
        !BINARIES_OF_SHARP.test(nameOf(path)),
    );
    expect(others.map(([path, { license }]) => `${path} ${license}`)).toStrictEqual([]);
  });

  it('are at most 478 with those of the playground, and no tools of developers', () => {
    const paths = [packages, packagesOf('playground/package-lock.json')].flatMap((lock) =>
      installed(lock).filter(([, { optional }]) => !optional),
    );
    expect(paths.length).toBeLessThanOrEqual(478); // and binaries of esbuild, oxc, argon2 and sharp
    const tools = ['prisma', 'typescript', 'elkjs', 'jest', 'eslint'];
    expect(
      paths.map(([path]) => nameOf(path)).filter((name) => tools.includes(name)),
    ).toStrictEqual([]);
  });

  it('are loaded by something that runs, or listed with who brings them', async () => {
    const modules = new Set(PROGRAMS.flatMap(sources).flatMap((text) => modulesOf(text, direct)));
    const { metafile } = await build({
      stdin: {
        contents: [...modules].map((name) => `import(${JSON.stringify(name)});`).join('\n'),
        resolveDir: projectRoot,
      },
      bundle: true,
      write: false,
      metafile: true,
      outdir: 'unused',
      platform: 'node',
      format: 'esm',
      logLevel: 'silent',
      loader: { '.node': 'empty', '.wasm': 'empty' },
      external: ['.prisma/client/default', 'class-validator', 'pg-native'],
    });
    const reached = new Set(Object.keys(metafile.inputs).map(nameOf));
    // The helpers of decorators are named by what the compiler writes.
    reached.add('@oxc-project/runtime');
    const idle = installed(packages)
      .filter(([, { optional }]) => !optional)
      .map(([path]) => nameOf(path))
      .filter((name) => !reached.has(name));
    expect([...new Set(idle)].sort()).toStrictEqual(Object.keys(NEVER_LOADED).sort());
  });

  it('are overridden only for a reason that CONTRIBUTING.md gives', () => {
    const { overrides } = JSON.parse(read('package.json')) as { overrides: object };
    const [, table = ''] = read('CONTRIBUTING.md').split('| override | because |');
    const reasons = [...(table.split('\n\n')[0] ?? '').matchAll(/^\| `(.+?)` \| (.+) \|$/gm)];
    expect(reasons.map(([, name]) => name).sort()).toStrictEqual(Object.keys(overrides).sort());
  });
});
