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

rmSync(generated, { recursive: true, force: true });
await compileForApollo().catch(({ message }) => fail(message));
compileForRelay();

/** Writes typed documents, and the functions that unmask fragments, to generated/apollo. */
async function compileForApollo() {
  const documents = readdirSync(join(folder, 'apollo')).map((file) => {
    const location = join('apollo', file);
    const rawSDL = read(location);
    return { location, rawSDL, document: parse(new Source(rawSDL, location)) };
  });
  const out = join(generated, 'apollo', '/');
  const document = parse(read(config.schema));
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

/** Writes Relay's artifacts to the folder that its configuration names. */
function compileForRelay() {
  const out = join(folder, config.artifactDirectory);
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
