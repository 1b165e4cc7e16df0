// npm run move-to-postgres: see src/app/tools/move-to-postgres.ts.
import { prepare } from './prepare.mjs';

await prepare();
const { moveToPostgresTool } = await import('../dist/app/tools/move-to-postgres.js');
const { runTool } = await import('../dist/app/tools/tool.js');
await runTool(() => moveToPostgresTool(process.env, { say: console.log, note: console.error }));
