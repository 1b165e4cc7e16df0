// Writes schema/schema.graphql and the documents of OpenAPI, schema/openapi.*.json, from the code.
// With --check, exits with code 1 when one of them is out of date.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fail, prepare, root } from './prepare.mjs';

await prepare();
const { lexicographicSortSchema, printSchema } = await import('graphql');
const { makeSchema } = await import('../dist/app/schema/schema.js');
const { servedSchema } = await import('../dist/app/schema/served-schema.js');
const { committedDocuments } = await import('../dist/rest/openapi/committed.js');

const schema = makeSchema();
const printed = printSchema(lexicographicSortSchema(servedSchema(schema)));
write(
  'schema.graphql',
  `# Generated from the code by \`npm run schema\`; the gate fails when it is not up to date.\n\n${printed}\n`,
);
for (const [name, document] of Object.entries(await committedDocuments(schema)))
  write(name, `${JSON.stringify(document, undefined, 1)}\n`);

function write(name, text) {
  const file = `${root}/schema/${name}`;
  if (!process.argv.includes('--check')) writeFileSync(file, text);
  else if (!existsSync(file) || readFileSync(file, 'utf8') !== text)
    fail(`schema/${name} is out of date: run \`npm run schema\` and commit it.`);
}
