// Bundles the playground's pages and workers into dist-playground, compressed, with the hash of
// their content in their names. assets.json names them: what the pages ask for, by its plain name.
// Parts that a page imports only when somebody needs them, such as the editor, are files of their own.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { build } from 'esbuild';
import { root } from './prepare.mjs';

const MONACO = 'monaco-editor/esm/vs';
const PAGES = { main: './main.tsx', editor: './editor.tsx', rest: './rest.tsx' };
const WORKERS = {
  'editor.worker': `${MONACO}/editor/editor.worker.js`,
  'json.worker': `${MONACO}/language/json/json.worker.js`,
  'graphql.worker': 'monaco-graphql/esm/graphql.worker.js',
};
const OUT = join(root, 'dist-playground');
/** Bytes above which the best compression would take many seconds for a hundredth less. */
const LARGE = 1_000_000;
const SETTINGS = {
  absWorkingDir: join(root, 'playground'),
  outdir: OUT,
  entryNames: '[name]-[hash]',
  chunkNames: '[name]-[hash]',
  bundle: true,
  minify: true,
  format: 'esm',
  target: 'es2022',
  jsx: 'automatic',
  loader: { '.ttf': 'dataurl', '.woff2': 'dataurl' },
  define: { 'process.env.NODE_ENV': '"production"' },
  legalComments: 'none',
  logLevel: 'warning',
  metafile: true,
  write: false,
};

const made = await Promise.all([
  build({ ...SETTINGS, entryPoints: PAGES, splitting: true }),
  build({ ...SETTINGS, entryPoints: WORKERS }),
]);
const files = made.flatMap(({ outputFiles }) => outputFiles);
const ENTRIES = { ...PAGES, ...WORKERS };
const entries = new Set(
  made.flatMap(({ metafile }) =>
    Object.entries(metafile.outputs)
      .filter(([, { entryPoint }]) => entryPoint)
      .map(([path]) => join(SETTINGS.absWorkingDir, path)),
  ),
);

rmSync(OUT, { recursive: true, force: true });
mkdirSync(OUT);
const names = {};
for (const { path, contents } of files) {
  const name = basename(path);
  const end = extname(name);
  const base = name.slice(0, name.lastIndexOf('-'));
  const isPart = !(base in ENTRIES) || (end === '.js' && !entries.has(path));
  names[isPart ? name : `${base}${end}`] = name;
  const quality = contents.length > LARGE ? 9 : constants.BROTLI_MAX_QUALITY;
  const params = { [constants.BROTLI_PARAM_QUALITY]: quality };
  writeFileSync(join(OUT, `${name}.gz`), await promisify(gzip)(contents, { level: 9 }));
  writeFileSync(join(OUT, `${name}.br`), await promisify(brotliCompress)(contents, { params }));
}
writeFileSync(join(OUT, 'assets.json'), JSON.stringify(names, null, 2));
