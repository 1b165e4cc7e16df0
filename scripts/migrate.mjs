// npm run migrate: builds what is missing, and applies pending migrations to the PostgreSQL server
// of DATABASE_URL.
import { fail, prepare } from './prepare.mjs';

if (!process.env.DATABASE_URL)
  fail(
    'DATABASE_URL is missing: it names the PostgreSQL server to migrate. The embedded database ' +
      'migrates itself at start.',
  );
await prepare();
const { migrateTool } = await import('../dist/app/tools/migrate.js');
const { runTool } = await import('../dist/app/tools/tool.js');
await runTool(() => migrateTool(process.env, { say: console.log }), 1);
