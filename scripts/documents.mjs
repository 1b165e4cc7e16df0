// Compiles the documents of test/journeys/dashboard as a dashboard would, by Relay's compiler and
// by the client preset of graphql-codegen, and writes the clients of the REST editions. Ends with
// exit code 1 when a document does not fit the schema, or uses a scalar that has no type.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import relay from 'relay-compiler';
import { fail, root } from './prepare.mjs';
import { writeRestClients, writeTypedDocuments } from './typed-clients.mjs';

const folder = join(root, 'test/journeys/dashboard');
const generated = join(folder, 'generated');
const config = JSON.parse(readFileSync(join(folder, 'relay.config.json'), 'utf8'));

rmSync(generated, { recursive: true, force: true });
await writeTypedDocuments(join(folder, 'apollo'), join(generated, 'apollo')).catch(({ message }) =>
  fail(message),
);
await writeRestClients(join(generated, 'rest'));
compileForRelay();

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
