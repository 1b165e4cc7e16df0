// npm run migrate: applies pending migrations to DATABASE_URL, or to the embedded database under DATA_DIR.
import { resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const { DATABASE_URL: url, DATA_DIR, DATABASE_WAIT } = process.env;

try {
  const { openDatabase } = await import(pathToFileURL(resolve(root, 'dist/platform/database/database.js')).href);
  const database = await openDatabase({
    url,
    dataDir: resolve(root, DATA_DIR || 'data'),
    wait: Number(DATABASE_WAIT || 30),
    migrate: true,
    log: console.log,
  });
  await database.close();
  console.log('The database is up to date.');
} catch (error) {
  console.error(
    error.code === 'ERR_MODULE_NOT_FOUND' ? 'The service is not built: run `npm start` or `npm test` once.' : error.message,
  );
  process.exitCode = 1;
}
