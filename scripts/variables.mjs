// Writes the table of the environment's variables in docs/operating.md from src/config/variables.ts.
// With --check, exits with code 1 when it is out of date.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fail, prepare, root } from './prepare.mjs';

prepare();
const { VARIABLES } = await import('../dist/config/variables.js');

const [BEGIN, END] = ['<!-- variables: npm run variables -->\n', '<!-- end of variables -->'];
const file = join(root, 'docs/operating.md');
const text = readFileSync(file, 'utf8');
const [before, rest] = text.split(BEGIN);
const after = rest?.split(END)[1];
if (after === undefined) fail('docs/operating.md has no place for the variables.');

const shown = (fallback) => ([undefined, null, ''].includes(fallback) ? '' : String(fallback));
const rows = Object.entries(VARIABLES).map(([name, { fallback, about }]) => {
  const value = shown(fallback).replace(`${root}/`, '');
  return `| \`${name}\` | ${value && `\`${value}\``} | ${about} |`;
});
const table = ['| variable | default | meaning |', '|---|---|---|', ...rows].join('\n');
const made = `${before}${BEGIN}\n${table}\n\n${END}${after}`;

if (!process.argv.includes('--check')) writeFileSync(file, made);
else if (made !== text)
  fail('docs/operating.md is out of date: run `npm run variables` and commit it.');
