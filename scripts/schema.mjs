// Writes schema/schema.graphql from the code. With --check, exits with code 1 when the file is out
// of date.
import { readFileSync, writeFileSync } from 'node:fs';
import { lexicographicSortSchema, printSchema } from 'graphql';
import { fail, prepare, root } from './prepare.mjs';

prepare();
const { makeSchema } = await import('../dist/app/schema/schema.js');
const { servedSchema } = await import('../dist/app/schema/served-schema.js');
const file = `${root}/schema/schema.graphql`;
const text = `# Generated from the code by \`npm run schema\`; the gate fails when it is not up to date.\n\n${printSchema(lexicographicSortSchema(servedSchema(makeSchema())))}\n`;
if (!process.argv.includes('--check')) writeFileSync(file, text);
else if (readFileSync(file, 'utf8') !== text)
  fail('schema/schema.graphql is out of date: run `npm run schema` and commit it.');
