import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Database } from '../../../src/platform/database/database.js';
import { openDatabase } from '../../../src/platform/database/open.js';
import { onFolder, onMemory, startError } from '../../faults/databases.js';
import { start } from '../../faults/processes.js';

const open = (dataDir: string): Promise<Database> =>
  openDatabase({ dataDir, wait: 0, migrate: true });
const refuses = (dataDir: string, sentence: RegExp) =>
  expect(open(dataDir)).rejects.toSatisfy(startError(sentence));

onFolder(
  'a data directory that does not exist is made, and what is written there is there the next time',
  async (folder) => {
    const dataDir = join(folder, 'deep', 'data');
    const first = await open(dataDir);
    expect(first.kind).toBe('embedded');
    await first.prisma.site.update({ where: { id: 1 }, data: { title: 'Kept' } });
    await first.ping();
    await first.close();
    const second = await open(dataDir);
    expect((await second.prisma.site.findFirstOrThrow()).title).toBe('Kept');
    await second.close();
  },
);

onFolder('a path that is a file, or runs through one, is refused', async (folder) => {
  const file = join(folder, 'file');
  writeFileSync(file, '');
  await refuses(file, /^The data directory \S+ is not a directory\.$/);
  await refuses(join(file, 'data'), /^The data directory \S+ is not a directory\.$/);
});

onFolder('a data directory that this user may not write is refused', async (folder) => {
  chmodSync(folder, 0o555);
  // The administrator may write everywhere
  const nobody = process.getuid?.() === 0 ? 65534 : undefined;
  const child = start('open.js', { DATA_DIR: folder }, nobody);
  expect(await child.ended).toBe(1);
  expect(child.output.errors).toMatch(
    /^The data directory \S+ cannot be read and written by this user\.\n$/,
  );
});

onFolder('a data directory that holds something else is refused, untouched', async (folder) => {
  writeFileSync(join(folder, 'holiday.jpg'), '');
  await refuses(
    folder,
    /^The data directory \S+ holds something else \(holiday\.jpg\) and no database of this service\.$/,
  );
  expect(readdirSync(folder)).toStrictEqual(['holiday.jpg']);
});

onFolder('a data directory of which only the key is left gets a new database', async (folder) => {
  writeFileSync(join(folder, 'secret.key'), 'x');
  await open(folder).then((database) => database.close());
});

onFolder(
  'a folder `database` that is not ours, or of another version of PostgreSQL, is refused',
  async (folder) => {
    mkdirSync(join(folder, 'database'));
    await refuses(folder, /was not made by this service\.$/);
    writeFileSync(join(folder, 'database', 'PG_VERSION'), '15\n');
    await refuses(folder, /was made by PostgreSQL 15, and this version of the service has 18\.$/);
  },
);

onFolder(
  'a database that cannot be read is refused in one sentence, and the directory is not kept locked',
  async (folder) => {
    mkdirSync(join(folder, 'database'));
    writeFileSync(join(folder, 'database', 'PG_VERSION'), '18\n');
    await refuses(folder, /^The database in \S+ could not be opened: [^\n]+\.$/);
    expect(readdirSync(join(folder, '.lock'))).toStrictEqual([]);
  },
);

onFolder('what a killed first start left behind is removed', async (folder) => {
  mkdirSync(join(folder, '.unfinished-1'));
  writeFileSync(join(folder, '.unfinished-1', 'PG_VERSION'), '18\n');
  await open(folder).then((database) => database.close());
  expect(existsSync(join(folder, '.unfinished-1'))).toBe(false);
});

onMemory(
  'the template holds what the migrations write and nothing else: no account, no secret',
  async (database) => {
    const tables = await database.query<{ name: string }>(
      `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY 1`,
    );
    const filled: string[] = [];
    for (const { name } of tables) {
      const rows = await database.query(`SELECT 1 FROM "${name}" LIMIT 1`);
      if (rows.length > 0) filled.push(name);
    }
    expect(filled).toStrictEqual([
      '_prisma_migrations',
      'item_count_state',
      'language',
      'migration_oldest',
      'site',
      'term',
    ]);
  },
);

onFolder('a second start does not load the migration engine', async (folder) => {
  await open(folder).then((database) => database.close());
  const require = createRequire(import.meta.url);
  const engine = readFileSync(
    join(dirname(require.resolve('@prisma/schema-engine-wasm')), 'schema_engine_bg.wasm'),
  ).byteLength;
  const child = start('engines.js', { DATA_DIR: folder, ENGINE_BYTES: String(engine) });
  expect(await child.ended, child.output.errors).toBe(0);
  // The second line shows that a load would have been noticed.
  expect(child.output.text).toBe('opened: 0\nmigrated: 1\n');
});

const onProc = existsSync('/proc/self') ? test : test.skip;
onProc('a data directory where the system makes none is refused at once', () =>
  refuses('/proc/care/data', /^The data directory \S+ cannot be made \(ENOENT\)\.$/),
);
