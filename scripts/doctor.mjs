// npm run doctor: checks the configuration of the environment end to end, and changes nothing: see
// src/app/tools/doctor.ts. Exits with code 1 when anything is wrong.
import { prepare } from './prepare.mjs';

await prepare();
const { doctorTool } = await import('../dist/app/tools/doctor.js');
const { runTool } = await import('../dist/app/tools/tool.js');
await runTool(() => doctorTool(process.env, { say: console.log }));
