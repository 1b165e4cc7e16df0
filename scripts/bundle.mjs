// Bundles the compiled service of dist into dist-service: a start reads thirty files instead of two
// thousand, which is half of its time. What is loaded late (`import()`, `lazily`) stays apart.
// Identifiers stay, for the stacks in the log. Classes keep their names: they are names of the schema's
// types, and of errors.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Parser } from 'acorn';
import { build } from 'esbuild';
import { root } from './prepare.mjs';

/** Packages with files beside their code, or that are not installed and never asked for. */
const APART = [
  '@electric-sql/pglite',
  '@prisma/schema-engine-wasm',
  'argon2',
  'class-validator', // type-graphql can use it, and is told not to
  'pg-native',
];

/** What CommonJS packages expect in their scope. */
const COMMON = `
import { createRequire as commonRequire } from 'node:module';
import { dirname as commonDirname } from 'node:path';
import { fileURLToPath as commonPath } from 'node:url';
const require = commonRequire(import.meta.url);
const __filename = commonPath(import.meta.url);
const __dirname = commonDirname(__filename);`;

const OUT = 'dist-service';

/** The function by which esbuild gives what it renamed its name again, as it writes it. */
const GIVES_NAME =
  /var __name=\(target,value\)=>__defProp\(target,"name",\{value,configurable:true\}\)/g;
const NAMED_CLASS = /static\{__name\(this,("[^"]+")\)\}/g;

/**
 * Names classes alone: esbuild's `keepNames` would define the name of each closure whenever one is
 * made, a quarter of a request's time.
 */
function nameClasses(code) {
  const named = code.replaceAll(
    NAMED_CLASS,
    'static{Object.defineProperty(this,"name",{value:$1,configurable:true})}',
  );
  return named.replaceAll(GIVES_NAME, 'var __name=target=>target');
}

/** A literal, or a pattern, that begins with a spread, perhaps after a comment. */
const SPREAD_FIRST = /\{\s*(?:\/[/*]|\.\.\.)/;

/**
 * Lets literals that begin with a spread, such as `{...a, b}`, begin with an empty one. Node 20's V8
 * makes a shape of its own for each object of such a literal, once something is added to it. That is
 * ten times slower, makes each use of the object slower, and keeps the object until a full
 * collection of garbage. Node 22's does not. Only files that have some are parsed, before they are
 * bundled: parsing the bundle takes twice as long as all else.
 */
const SPREAD_LATER = {
  name: 'spread later',
  setup({ onLoad }) {
    onLoad({ filter: /\.[cm]?js$/ }, ({ path }) => {
      const code = readFileSync(path, 'utf8');
      return code.includes('...') && SPREAD_FIRST.test(code)
        ? { contents: spreadLater(code) }
        : undefined;
    });
  },
};

function spreadLater(code) {
  const objects = [];
  class Collecting extends Parser {
    parseObj(...args) {
      const node = super.parseObj(...args);
      objects.push(node);
      return node;
    }
  }
  Collecting.parse(code, { ecmaVersion: 'latest', sourceType: 'module' });
  // What turned out to be a pattern to take an object apart has another type by now.
  const starts = objects
    .filter(({ type, properties: [first] }) => type === 'ObjectExpression' && isSpread(first))
    .map(({ properties: [first] }) => first.start);
  const pieces = [0, ...starts.sort((a, b) => a - b), code.length];
  return pieces
    .slice(1)
    .map((end, i) => code.slice(pieces[i], end))
    .join('...null,');
}

const isSpread = (property) => property?.type === 'SpreadElement';

/**
 * Writes ASCII alone: V8 keeps a text with any other character in two bytes each. esbuild has
 * escaped all but regular expressions.
 */
function asciiOf(code) {
  return code.replace(/[^\0-\x7f]/gu, (character) => {
    if (character.length > 1)
      throw new Error(`A bundled pattern has ${character}: escape it there.`);
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}

rmSync(join(root, OUT), { recursive: true, force: true });
const { outputFiles } = await build({
  absWorkingDir: root,
  entryPoints: {
    main: 'dist/main.js',
    tools: 'dist/tools.js',
    'rendering-thread': 'dist/domains/content/rendering/rendering-thread.js',
  },
  outdir: OUT,
  chunkNames: '[name]-[hash]',
  bundle: true,
  splitting: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  minifyWhitespace: true,
  keepNames: true,
  write: false,
  external: APART,
  plugins: [SPREAD_LATER],
  banner: { js: COMMON },
  legalComments: 'none',
  logLevel: 'warning',
  logOverride: { 'import-is-undefined': 'error' }, // scripts/database-client.mjs lacks what is used
});

const written = outputFiles.map(({ path, text }) => ({ path, text, code: nameClasses(text) }));
const unnamed = written.filter(({ code }) => code.includes('__defProp(target,"name"'));
if (unnamed.length > 0 || written.every(({ text, code }) => text === code))
  throw new Error('esbuild writes names in another way: see nameClasses in scripts/bundle.mjs.');
for (const { path, code } of written) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, asciiOf(code));
}
