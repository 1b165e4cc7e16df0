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
const { schema, customScalarTypes } = JSON.parse(read('relay.config.json'));

/** Folders of documents of graphql-codegen, and the schema that they are written for. */
const SETS = { apollo: schema, served: '../../../schema/schema.graphql' };

rmSync(generated, { recursive: true, force: true });
for (const [name, schema] of Object.entries(SETS))
  await compileSet(name, schema).catch(({ message }) => fail(message));
compileForRelay();

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
      scalars: customScalarTypes,
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

/** Writes Relay's artifacts to generated/relay. */
function compileForRelay() {
  const out = join(generated, 'relay');
  mkdirSync(out, { recursive: true });
  const env = { ...process.env, RUST_BACKTRACE: '0', NO_COLOR: '1' };
  const { status, stderr } = spawnSync(relay, ['relay.config.json'], { cwd: folder, env });
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
