// Compiles the documents of test/journeys/dashboard as a dashboard would: by Relay's compiler and
// by the client preset of graphql-codegen. Ends with exit code 1 when one does not fit the schema,
// or uses a scalar that has no type.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { preset } from '@graphql-codegen/client-preset';
import { codegen } from '@graphql-codegen/core';
import { buildASTSchema, parse, Source } from 'graphql';
import relay from 'relay-compiler';
import { fail, root } from './prepare.mjs';

const folder = join(root, 'test/journeys/dashboard');
const generated = join(folder, 'generated');
const config = JSON.parse(read('relay.config.json'));
const SERVED = '../../../schema/schema.graphql';

/** Folders of documents by the compiler, and the schema that each is written for. */
const SETS = { apollo: config.schema, served: SERVED };
const RELAY_SETS = { relay: config.schema, 'relay-served': SERVED };

rmSync(generated, { recursive: true, force: true });
for (const [name, schema] of Object.entries(SETS))
  await compileSet(name, schema).catch(({ message }) => fail(message));
for (const [name, schema] of Object.entries(RELAY_SETS)) compileForRelay(name, schema);

/** Writes typed documents, and the functions that unmask fragments, to generated/<name>. */
async function compileSet(name, schema) {
  const documents = readdirSync(join(folder, name)).map((file) => {
    const location = join(name, file);
    const rawSDL = read(location);
    return { location, rawSDL, document: parse(new Source(rawSDL, location)) };
  });
  const out = join(generated, name, '/');
  const document = parse(read(schema));
  const sections = await preset.buildGeneratesSection({
    baseOutputDir: out,
    schema: document,
    schemaAst: buildASTSchema(document),
    documents,
    config: {
      importExtension: '.js',
      useTypeImports: true,
      immutableTypes: true,
      strictScalars: true,
      scalars: config.customScalarTypes,
    },
    presetConfig: { fragmentMasking: { unmaskFunctionName: 'unmask' } },
    plugins: [],
    pluginMap: {},
  });
  mkdirSync(out, { recursive: true });
  // The documents are imported by name, so that nobody looks them up by their text.
  for (const section of sections)
    if (!['gql.ts', 'index.ts'].includes(basename(section.filename)))
      writeFileSync(section.filename, await codegen(section));
}

/** Writes Relay's artifacts to generated/<name>. */
function compileForRelay(name, schema) {
  const out = join(generated, name);
  mkdirSync(out, { recursive: true });
  // Relay wants its configuration in a file above the documents.
  const file = join(folder, '.relay.json');
  const own = { ...config, src: name, schema, artifactDirectory: join('generated', name) };
  writeFileSync(file, JSON.stringify(own));
  const env = { ...process.env, RUST_BACKTRACE: '0', NO_COLOR: '1' };
  const { status, stderr } = spawnSync(relay, [file], { cwd: folder, env });
  rmSync(file);
  if (status !== 0) fail(String(stderr));
  // Relay imports files without their ending; Node wants it.
  for (const file of readdirSync(out)) {
    const text = readFileSync(join(out, file), 'utf8');
    writeFileSync(join(out, file), text.replace(/( from '\.\/\w+\.graphql)'/g, "$1.js'"));
  }
}

function read(file) {
  return readFileSync(join(folder, file), 'utf8');
}
