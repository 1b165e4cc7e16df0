// A process that opens the database of DATA_DIR and migrates an empty one, and says after each how
// often it has loaded a large WebAssembly module by name. An engine is loaded once in a process.

import { readMigrations } from '../../src/platform/database/migrations.js';
import { openDatabase } from '../../src/platform/database/open.js';
import { openPGlite } from '../../src/platform/database/pglite.js';
import { migratePGlite } from '../../src/platform/database/pglite-adapter.js';

const engine = Number(process.env.ENGINE_BYTES);
let loads = 0;
const { compile } = WebAssembly;
WebAssembly.compile = (source) => {
  if (source.byteLength === engine) loads++;
  return compile(source);
};
const { DATA_DIR: dataDir = '/nowhere' } = process.env;
const database = await openDatabase({ dataDir, wait: 10, migrate: true, log: () => {} });
await database.close();
console.log(`opened: ${loads}`);
const empty = await openPGlite();
await migratePGlite(empty, readMigrations());
await empty.close();
console.log(`migrated: ${loads}`);
