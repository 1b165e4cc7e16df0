// npm run reports:rebuild: see src/app/tools/reports.ts.
import { prepare } from './prepare.mjs';

await prepare();
const { reportsTool } = await import('../dist/app/tools/reports.js');
const { runTool } = await import('../dist/app/tools/tool.js');
await runTool(() => reportsTool(process.env, { say: console.log, note: console.error }));
