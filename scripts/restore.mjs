// npm run restore: see src/app/tools/backup.ts.
import { prepare } from './prepare.mjs';

await prepare();
const { restoreTool } = await import('../dist/app/tools/backup.js');
const { runTool } = await import('../dist/app/tools/tool.js');
await runTool(() =>
  restoreTool(process.env, process.argv.slice(2), { say: console.log, note: console.error }),
);
