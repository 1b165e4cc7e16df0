// npm run account -- list | administrator NAME | password NAME | sign-out NAME: see src/account-tool.ts. Exit code 1 when it cannot be done.
import { prepare } from './prepare.mjs';

prepare();
const { accountTool } = await import('../dist/account-tool.js');
const { runTool } = await import('../dist/tool.js');
await runTool(async () => {
  await accountTool(process.env, process.argv.slice(2), console.log);
  return 0;
}, 1);
