// npm run models -- export|diff|import FILE: see src/app/tools/models.ts. Exits with code 1 when
// `diff` finds a difference, with code 2 when the command cannot be done.
import { prepare } from './prepare.mjs';

await prepare();
const { modelsTool } = await import('../dist/app/tools/models.js');
const { runTool } = await import('../dist/app/tools/tool.js');
await runTool(() => modelsTool(process.env, process.argv.slice(2), console.log));
