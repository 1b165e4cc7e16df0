// Bundles the playground's pages and workers into dist-playground, compressed, with the hash of
// their content in their names. assets.json names them: what the pages ask for, by its plain name.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { root } from './prepare.mjs';

const MONACO = 'monaco-editor/esm/vs';
const ENTRIES = {
  main: './main.tsx',
  rest: './rest.tsx',
  'editor.worker': `${MONACO}/editor/editor.worker.js`,
  'json.worker': `${MONACO}/language/json/json.worker.js`,
  'graphql.worker': 'monaco-graphql/esm/graphql.worker.js',
};
const OUT = join(root, 'dist-playground');

const { outputFiles } = await build({
  absWorkingDir: join(root, 'playground'),
  entryPoints: ENTRIES,
  outdir: OUT,
  entryNames: '[name]~[hash]',
  bundle: true,
  minify: true,
  format: 'esm',
  target: 'es2022',
  jsx: 'automatic',
  loader: { '.ttf': 'dataurl', '.woff2': 'dataurl' },
  define: { 'process.env.NODE_ENV': '"production"' },
  legalComments: 'none',
  logLevel: 'warning',
  write: false,
});

rmSync(OUT, { recursive: true, force: true });
mkdirSync(OUT);
const names = {};
for (const { path, contents } of outputFiles) {
  const name = basename(path).replace('~', '-');
  names[basename(path).replace(/~[^.]*/, '')] = name;
  writeFileSync(join(OUT, `${name}.gz`), gzipSync(contents, { level: 9 }));
}
writeFileSync(join(OUT, 'assets.json'), JSON.stringify(names, null, 2));
