// npm run export -- FOLDER: see src/app/tools/export.ts. Exits with code 1 when a file of a medium is
// missing, with code 2 when the command cannot be done.
import { setFlagsFromString } from 'node:v8';
import { prepare } from './prepare.mjs';

// What is read is soon forgotten: V8 would let it pile up to twice the memory that is in use.
setFlagsFromString('--heap-growing-percent=20');

await prepare();
const { exportTool } = await import('../dist/app/tools/export.js');
const { runTool } = await import('../dist/app/tools/tool.js');
await runTool(() =>
  exportTool(process.env, process.argv.slice(2), { say: console.log, note: console.error }),
);
