// A process that opens the database of DATABASE_URL or DATA_DIR, says "ready", and holds it until
// killed; with ONCE it ends.
import { openDatabase } from '../../src/platform/database/open.js';

try {
  const { DATABASE_URL: url, DATA_DIR: dataDir = '/nowhere', ONCE } = process.env;
  const database = await openDatabase({
    ...(url ? { url } : {}),
    dataDir,
    wait: 10,
    migrate: true,
    log: console.log,
  });
  console.log('ready');
  if (ONCE) await database.close();
  else setInterval(() => {}, 1_000_000);
} catch (error) {
  console.error((error as Error).message);
  process.exit(1);
}
