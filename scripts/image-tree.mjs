// npm run image:tree -- FOLDER: assembles exactly what the image of the service holds: the bundle, the
// packages that it does not hold itself, what these need, and the files that they read. Nothing in it
// is made or written when it runs. Writes a list of the packages, sbom.cdx.json (CycloneDX).
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { fail, prepare, root } from './prepare.mjs';

/** Packages that the bundle loads at run time: with binaries or data beside their code, or late. */
export const LOADED = [
  '@aws-sdk/client-s3',
  '@aws-sdk/s3-request-presigner',
  '@electric-sql/pglite',
  '@opentelemetry/api',
  '@opentelemetry/sdk-trace',
  '@prisma/schema-engine-wasm',
  'argon2',
  'htmlparser2',
  'ioredis',
  'libphonenumber-js',
  'moment-timezone',
  'nodemailer',
  'oembed-providers',
  'rate-limiter-flexible',
  'sanitize-html',
  'sharp',
  'swagger-ui-dist',
  'web-push',
];

/** Files and folders of the project that the bundle reads. */
const READ = [
  'dist-service',
  'dist-playground',
  'prisma/migrations',
  'prisma/schema.prisma',
  'schema/counterparts.graphql',
  'schema/operations',
];

/** Files of packages that nothing reads when they run; among them the copies for bundlers. */
const UNREAD =
  /(?:\.map|\.d\.[cm]?ts|\.md|\.markdown|\.flow)$|\/(?:test|tests|docs|examples?|build\/esm|esnext|dist-es|dist-types|min)\/|\/swagger-ui-es-bundle/;

/** Assembles the tree in a folder, which must be new or empty. */
export function assemble(folder) {
  if (existsSync(folder) && readdirSync(folder).length > 0) fail(`${folder} is not empty.`);
  mkdirSync(folder, { recursive: true });
  for (const path of [...READ, ...templates()])
    cpSync(join(root, path), join(folder, path), { recursive: true });
  for (const place of packagePlaces()) {
    const filter = (source) => isRead(source, join(root, place));
    cpSync(join(root, place), join(folder, place), { recursive: true, filter });
  }
  const { name, version, type } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify({ name, version, type })}\n`);
  writeFileSync(join(folder, 'sbom.cdx.json'), billOfMaterials());
  console.log(`${folder} holds ${Math.round(sizeOf(folder) / 2 ** 20)} MiB.`);
}

/** The empty database that the first start on the embedded one unpacks. */
const templates = () =>
  readdirSync(join(root, '.cache'))
    .filter((name) => /^template-[\da-f]+\.tar\.gz$/.test(name))
    .map((name) => `.cache/${name}`)
    .sort((a, b) => statSync(join(root, b)).mtimeMs - statSync(join(root, a)).mtimeMs)
    .slice(0, 1); // others are of earlier migrations

/** The folders of the packages that are loaded and of those that they need, as Node finds them. */
function packagePlaces() {
  const places = new Set();
  const add = (name, from, isOptional) => {
    const place = placeOf(name, from);
    if (!place && isOptional) return;
    if (!place) fail(`The package ${name} is not installed.`);
    if (places.has(place)) return;
    places.add(place);
    const own = JSON.parse(readFileSync(join(root, place, 'package.json'), 'utf8'));
    for (const needed of Object.keys(own.dependencies ?? {})) add(needed, place, false);
    for (const needed of Object.keys(own.optionalDependencies ?? {})) add(needed, place, true);
  };
  for (const name of LOADED) add(name, '.', false);
  return places;
}

function placeOf(name, from) {
  for (let folder = from; ; folder = dirname(folder)) {
    const place = join(folder, 'node_modules', name);
    if (existsSync(join(root, place, 'package.json'))) return place;
    if (folder === '.') return undefined;
  }
}

/** Whether a file or folder of a package belongs into the image. */
function isRead(source, place) {
  const path = `/${relative(place, source)}`;
  return !path.startsWith('/node_modules') && !UNREAD.test(path);
}

/**
 * Lists what runs, by npm. With `--omit=dev` npm leaves out what tools of developers need too, so it is
 * asked about a lock file without these tools.
 */
function billOfMaterials() {
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  for (const place of [manifest, lock.packages['']]) delete place.devDependencies;
  for (const [place, { dev }] of Object.entries(lock.packages))
    if (dev) delete lock.packages[place];
  const folder = mkdtempSync(join(tmpdir(), 'care-packages-'));
  const own = join(folder, manifest.name);
  mkdirSync(own);
  writeFileSync(join(own, 'package.json'), JSON.stringify(manifest));
  writeFileSync(join(own, 'package-lock.json'), JSON.stringify(lock));
  writeFileSync(join(own, '.npmrc'), readFileSync(join(root, '.npmrc')));
  const args = ['sbom', '--package-lock-only', '--sbom-format=cyclonedx', '--offline'];
  const npm = process.env.npm_execpath;
  const [program, first] = npm ? [process.execPath, [npm]] : ['npm', []];
  const options = { cwd: own, encoding: 'utf8', maxBuffer: 64 * 2 ** 20 };
  const { status, stdout, stderr } = spawnSync(program, [...first, ...args], options);
  rmSync(folder, { recursive: true });
  return status === 0 ? stdout : fail(`npm sbom failed: ${stderr}`);
}

function sizeOf(path) {
  const found = statSync(path);
  if (!found.isDirectory()) return found.size;
  return readdirSync(path).reduce((sum, name) => sum + sizeOf(join(path, name)), 0);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const [folder] = process.argv.slice(2);
  if (!folder) fail('Usage: npm run image:tree -- FOLDER');
  await prepare('start');
  await prepare('playground');
  assemble(resolve(folder));
}
