// Bundles the compiled service of dist into dist-service: a start reads thirty files instead of two
// thousand, which is half of its time. What is loaded late (`import()`, `lazily`) stays apart.
// Identifiers stay, for the stacks in the log. esbuild's `keepNames` is off: it calls a function for
// each closure that is made, a quarter of a request's time.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
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

rmSync(join(root, OUT), { recursive: true, force: true });
await build({
  absWorkingDir: root,
  entryPoints: ['dist/main.js'],
  outdir: OUT,
  chunkNames: '[name]-[hash]',
  bundle: true,
  splitting: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  minifyWhitespace: true,
  external: APART,
  banner: { js: COMMON },
  legalComments: 'none',
  logLevel: 'warning',
});
