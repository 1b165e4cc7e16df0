// npm run account -- list | administrator NAME | password NAME | sign-out NAME: see
// src/app/tools/account.ts. Exits with code 2 when the command cannot be done.
import { prepare } from './prepare.mjs';

await prepare();
const { accountTool } = await import('../dist/app/tools/account.js');
const { runTool } = await import('../dist/app/tools/tool.js');
await runTool(async () => {
  await accountTool(process.env, process.argv.slice(2), console.log);
  return 0;
});
