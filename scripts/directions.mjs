// npm run directions:check: see src/app/tools/directions.ts.
import { prepare } from './prepare.mjs';

await prepare();
const { directionsTool } = await import('../dist/app/tools/directions.js');
const { runTool } = await import('../dist/app/tools/tool.js');
await runTool(() =>
  directionsTool(process.env, process.argv.slice(2), { say: console.log, note: console.error }),
);
