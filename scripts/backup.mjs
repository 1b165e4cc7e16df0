// npm run backup: see src/app/tools/backup.ts.
import { prepare } from './prepare.mjs';

await prepare();
const { backupTool } = await import('../dist/app/tools/backup.js');
const { runTool } = await import('../dist/app/tools/tool.js');
await runTool(() =>
  backupTool(process.env, process.argv.slice(2), { say: console.log, note: console.error }),
);
