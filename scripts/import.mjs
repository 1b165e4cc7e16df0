// npm run import -- mysql://…: see src/app/tools/import.ts. Exits with code 1 when a row was refused,
// with code 2 when the command cannot be done.
import { setFlagsFromString } from 'node:v8';
import { prepare } from './prepare.mjs';

// What is read is soon forgotten: V8 would let it pile up to twice the memory that is in use.
setFlagsFromString('--heap-growing-percent=20');

await prepare();
const { importTool } = await import('../dist/app/tools/import.js');
const { runTool } = await import('../dist/app/tools/tool.js');
await runTool(() => importTool(process.env, process.argv.slice(2), { say: console.log }));
