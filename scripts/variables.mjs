// Writes the table of the environment's variables in docs/operating.md from src/config/variables.ts.
// With --check, exits with code 1 when it is out of date.
import { prepare, root } from './prepare.mjs';
import { tableOf, writeSection } from './section.mjs';

await prepare();
const { VARIABLES } = await import('../dist/config/variables.js');

const shown = (fallback) => ([undefined, null, ''].includes(fallback) ? '' : String(fallback));
const rows = Object.entries(VARIABLES).map(([name, { fallback, about }]) => {
  const value = shown(fallback).replace(`${root}/`, '');
  return [`\`${name}\``, value && `\`${value}\``, about];
});
writeSection('docs/operating.md', 'variables', tableOf(['variable', 'default', 'meaning'], rows));
