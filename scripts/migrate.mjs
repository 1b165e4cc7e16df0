// npm run migrate: builds what is missing, and applies pending migrations to the PostgreSQL server
// of DATABASE_URL.
import { prepare } from './prepare.mjs';

await prepare();
const { migrateTool } = await import('../dist/app/tools/migrate.js');
const { runTool } = await import('../dist/app/tools/tool.js');
await runTool(() => migrateTool(process.env, { say: console.log }));
