// Prepares a fresh clone: packages from the lock file, the client of the database, the compiled code.
// Uses only Node's own modules. Skips each step whose inputs have not changed since the last time, and
// runs those side by side that do not need each other.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
// By name it would not link in versions of Node that are too old to have statfsSync.
import fs, {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { FULL, withLock } from './lock.mjs';

/** Absolute path of the project root. */
export const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const at = (...path) => join(root, ...path);

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19))
  fail(`Node ${process.versions.node} is too old: this needs 20.19 or newer, best 22 or 24.`);

const LOCK = 'package-lock.json';
const PLAYGROUND_LOCK = 'playground/package-lock.json';

/**
 * The steps: `inputs` are files and folders, `after` the steps that a step needs. `stamp` is the file
 * that says of which inputs a result is; the step makes its folder anew.
 */
const STEPS = {
  packages: {
    title: 'Installing packages',
    stamp: 'node_modules/.installed',
    inputs: [LOCK],
    work: (all) => install({ dev: all }),
  },
  tools: {
    title: 'Installing the tools of developers',
    stamp: 'node_modules/.installed-tools',
    inputs: [LOCK],
    after: ['packages'],
    work: () => install({ dev: true, added: true }),
  },
  compiled: {
    title: 'Compiling',
    stamp: 'dist/.made',
    inputs: ['src', 'tsconfig.json', 'scripts/compile.mjs'],
    after: ['packages'],
    work: () => node('scripts/compile.mjs'),
  },
  client: {
    title: 'Making the client of the database',
    stamp: 'dist/generated/.made',
    inputs: ['prisma/schema.prisma', 'scripts/database-client.mjs'],
    after: ['packages'],
    work: () => node('scripts/database-client.mjs'),
  },
  service: {
    title: 'Bundling the service',
    stamp: 'dist-service/.made',
    inputs: ['scripts/bundle.mjs'],
    after: ['compiled', 'client'],
    work: () => node('scripts/bundle.mjs'),
  },
  template: {
    title: 'Making an empty database',
    stamp: '.cache/.made',
    inputs: ['prisma/migrations', 'scripts/template.mjs'],
    after: ['compiled'],
    work: () => node('scripts/template.mjs'),
  },
  playgroundPackages: {
    title: 'Installing the packages of the playground',
    stamp: 'playground/node_modules/.installed',
    inputs: [PLAYGROUND_LOCK],
    work: () => install({ folder: 'playground' }),
  },
  playground: {
    title: 'Bundling the playground',
    stamp: 'dist-playground/.made',
    inputs: [
      'playground',
      'scripts/playground.mjs',
      'src/platform/csv.ts',
      'src/platform/graphql/root-names.ts',
      'src/platform/pictures',
    ],
    after: ['packages', 'playgroundPackages'],
    work: () => node('scripts/playground.mjs'),
  },
  types: {
    title: 'Writing the types of the database',
    stamp: 'src/generated/.made',
    inputs: ['prisma/schema.prisma'],
    after: ['tools'],
    work: writeTypes,
  },
  typedClients: {
    title: 'Writing the typed clients of the tests',
    stamp: 'test/journeys/dashboard/generated/.made',
    inputs: [
      'schema/schema.graphql',
      'schema/openapi.a.json',
      'schema/openapi.b.json',
      'scripts/documents.mjs',
      'scripts/typed-clients.mjs',
      'test/journeys/dashboard/apollo',
      'test/journeys/dashboard/relay',
      'test/journeys/dashboard/relay.config.json',
    ],
    after: ['tools'],
    work: () => node('scripts/documents.mjs'),
  },
  tests: {
    title: 'Building the tests',
    stamp: 'dist-test/.made',
    inputs: ['src', 'test', 'tsconfig.json', 'tsconfig.test.json'],
    after: ['types', 'typedClients'],
    work: () => {
      rmSync(at('dist-test'), { recursive: true, force: true });
      return node('node_modules/typescript/bin/tsc', '-p', 'tsconfig.test.json');
    },
  },
};

/** Bytes that must be free after an install: more than the largest file of a package. */
const SPARE = 64 * 2 ** 20;

/** Codes with which npm says that it reached nobody. */
const OUT_OF_REACH = [
  'EAI_AGAIN',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTCACHED',
  'ENOTFOUND',
  'ERR_SOCKET_TIMEOUT',
  'ETIMEDOUT',
];

/** Codes of a certificate that nobody whom Node trusts has signed, as of a company's proxy. */
const UNTRUSTED = [
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
];

/** What each purpose needs. */
const PURPOSES = {
  // PostgreSQL is migrated by itself: the empty database is for the embedded one.
  start: process.env.DATABASE_URL ? ['service'] : ['service', 'template'],
  playground: ['playground'],
  develop: ['tools', 'service', 'template', 'playground', 'types'],
  test: ['tools', 'service', 'template', 'playground', 'tests'],
};

/** Makes what is out of date for a purpose: to start, to have the playground, to develop, to test. */
export async function prepare(purpose = 'start') {
  if (isPrepared(purpose)) return;
  await locked(purpose, async () => {
    const fingerprintOf = fingerprints();
    const all = PURPOSES[purpose].includes('tools');
    const running = new Map();
    const run = (name) => {
      if (!running.has(name)) running.set(name, runStep(name, { fingerprintOf, all, run }));
      return running.get(name);
    };
    await Promise.all(PURPOSES[purpose].map(run)).catch((error) =>
      fail(causeOf(`Error: ${error.message}`) ?? error.stack),
    );
  });
}

/** Runs work alone. The playground is made while the service runs, which others may start meanwhile. */
function locked(purpose, work) {
  const alone = (lock, inner) => withLock(at(lock), { waits: progress, fail }, inner);
  const playground = () => alone('.preparing-playground', work);
  if (purpose === 'playground') return playground();
  return alone('.preparing', PURPOSES[purpose].includes('playground') ? playground : work);
}

/** Whether nothing is out of date for a purpose. Writes nothing. */
export function isPrepared(purpose) {
  const fingerprintOf = fingerprints();
  const isDone = (name) =>
    isFresh(STEPS[name], fingerprintOf(name)) && (STEPS[name].after ?? []).every(isDone);
  return PURPOSES[purpose].every(isDone);
}

/** Runs a step after those that it needs. `all` says whether tools of developers are wanted as well. */
async function runStep(name, { fingerprintOf, all, run }) {
  const step = STEPS[name];
  const hash = fingerprintOf(name);
  await Promise.all((step.after ?? []).map(run));
  if (isFresh(step, hash)) return;
  const begun = Date.now();
  progress(`${step.title} …`);
  rmSync(at(step.stamp), { force: true });
  await step.work(all);
  mkdirSync(dirname(at(step.stamp)), { recursive: true });
  writeFileSync(at(step.stamp), hash);
  progress(`${step.title}: done in ${((Date.now() - begun) / 1000).toFixed(1)} s`);
}

const isFresh = ({ stamp }, hash) =>
  existsSync(at(stamp)) && readFileSync(at(stamp), 'utf8') === hash;

/**
 * Returns a function that hashes what the result of a step depends on: its inputs, and the steps before
 * it. The version of Node is none of it: the packages with binaries use Node-API, and the code is
 * compiled for Node 20.
 */
function fingerprints() {
  const hashOf = filesHasher();
  const hashes = new Map();
  const fingerprintOf = (name) => {
    if (hashes.has(name)) return hashes.get(name);
    const { inputs, after = [] } = STEPS[name];
    const hash = createHash('sha256');
    for (const part of [...inputs.map(hashOf), ...after.map(fingerprintOf)]) hash.update(part);
    hashes.set(name, hash.digest('hex'));
    return hashes.get(name);
  };
  return fingerprintOf;
}

/** Returns a function that hashes a file or folder, each once. What is made has no part in it. */
function filesHasher() {
  const made = ['src/generated', 'test/conformance', 'test/journeys/dashboard/generated'];
  const known = new Map();
  const hashOf = (path) => {
    if (known.has(path)) return known.get(path);
    const hash = createHash('sha256').update(path);
    if (existsSync(at(path)) && !made.includes(path) && !path.endsWith('/node_modules')) {
      if (statSync(at(path)).isDirectory())
        for (const name of readdirSync(at(path)).sort()) hash.update(hashOf(`${path}/${name}`));
      else hash.update(readFileSync(at(path)));
    }
    known.set(path, hash.digest('hex'));
    return known.get(path);
  };
  return hashOf;
}

/**
 * Installs what the lock file of a folder says: what it is run with, with `dev` the tools as well. They
 * are `added` to what is there, so that a service which runs meanwhile keeps its files.
 */
async function install({ folder = '.', dev = false, added = false }) {
  const whole = at(folder, 'node_modules/.with-tools');
  if (added && existsSync(whole)) return; // they came with the others
  const npm = process.env.npm_execpath;
  const [program, first] = npm ? [process.execPath, [npm]] : ['npm', []];
  const flags = [
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
    '--no-progress',
  ];
  const args = [
    ...(added ? ['install', '--no-save'] : ['ci']),
    `--${dev ? 'include' : 'omit'}=dev`,
  ];
  const options = { cwd: at(folder), shell: !npm && process.platform === 'win32' };
  const run = (...more) => execute(program, [...first, ...args, ...flags, ...more], options);
  // What npm has in its cache it need not ask for. A list of versions there may be too old.
  const { status, output } = await run('--prefer-offline');
  const again = output.includes('ETARGET') ? await run() : { status, output };
  if (again.status !== 0) fail(causeOf(again.output) ?? `${again.output}\nnpm ${args[0]} failed.`);
  checkSpace(folder);
  // Folders alone say nothing: npm makes them before it fills them.
  if (dev) writeFileSync(whole, '');
}

/**
 * Fails when the disk is nearly full after an install: npm then leaves files out, and says that it has
 * succeeded.
 */
function checkSpace(folder) {
  const { bavail, bsize } = fs.statfsSync(at(folder));
  if (bavail * bsize < SPARE) fail(FULL);
}

/** Writes the client of the database with its types, for the compiler. */
async function writeTypes() {
  // Prisma looks for a schema engine, which is not used here. Any executable stops it from
  // downloading one.
  const env = {
    ...process.env,
    PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
    CHECKPOINT_DISABLE: '1',
    PRISMA_HIDE_UPDATE_MESSAGE: '1',
  };
  await checked([at('node_modules/prisma/build/index.js'), 'generate', '--no-hints'], { env });
}

const node = (script, ...args) => checked([at(script), ...args], {});

/** Runs a program of Node, and fails with what it said. */
async function checked(args, options) {
  const { status, output } = await execute(process.execPath, args, options);
  if (status !== 0) fail(causeOf(output) ?? `${output}\n${args.join(' ')} failed.`);
}

function execute(program, args, options) {
  return new Promise((done) => {
    let output = '';
    const child = spawn(program, args, {
      cwd: root,
      ...options,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk) => {
        output += chunk;
      });
    child.once('error', ({ message }) => done({ status: -1, output: `${program}: ${message}` }));
    child.once('close', (status, signal) =>
      done({ status, output: `${output.trim()}${signal ? `\n${signal} ended it.` : ''}` }),
    );
  });
}

/** A sentence about a cause that people can mend, by the code that the system gave. */
function causeOf(output) {
  const [, code] = /(?:npm error code |Error: )([A-Z_]{4,})/.exec(output) ?? [];
  if (code === 'ENOSPC' || code === 'EDQUOT' || output.includes('no space left on device'))
    return FULL;
  if (['EROFS', 'EACCES', 'EPERM'].includes(code)) {
    const [, npms, ours] = /npm error path (.+)|, \w+ '([^']+)'/.exec(output) ?? [];
    const path = npms ?? ours;
    return `The folder ${path ? dirname(path) : root} cannot be written to (${code}).`;
  }
  if (UNTRUSTED.includes(code))
    return `Packages cannot be installed, because the certificate of npm's registry is not trusted (${code}): name the proxy's in NODE_EXTRA_CA_CERTS, and start again.`;
  if (OUT_OF_REACH.includes(code))
    return `Packages cannot be installed, because npm's registry is out of reach (${code}): connect, and start again.`;
}

function progress(line) {
  process.stderr.write(`${line}\n`);
}

/** Prints a sentence and ends the process with exit code 1. */
export function fail(sentence) {
  process.stderr.write(`${sentence}\n`);
  process.exit(1);
}
