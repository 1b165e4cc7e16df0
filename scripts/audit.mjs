// npm run audit:verify, npm run audit:prune -- --before DATE: see src/app/tools/audit.ts. Exits
// with code 1 when the audit is not whole.
import { prepare } from './prepare.mjs';

await prepare();
const { auditTool } = await import('../dist/app/tools/audit.js');
const { runTool } = await import('../dist/app/tools/tool.js');
await runTool(() =>
  auditTool(process.env, process.argv.slice(2), { say: console.log, note: console.error }),
);
