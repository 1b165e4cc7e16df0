// A process that imports SOURCE into DATABASE_URL, at an instant that stands still, and says each step.
import { writeSync } from 'node:fs';
import { closeDeps, makeDeps } from '../../src/app/make-deps.js';
import { importFrom } from '../../src/app/moving/importing.service.js';
import { readMapping } from '../../src/app/moving/mapping/mapping.js';
import { MysqlSource } from '../../src/app/moving/mysql-source.js';
import { databaseOptions, readConfig } from '../../src/config/config.js';
import { openDatabase } from '../../src/platform/database/open.js';
import { makeLog } from '../../src/platform/log.js';

const config = readConfig(process.env);
const database = await openDatabase({ ...databaseOptions(config), migrate: false });
const clock = () => Date.parse('2026-03-10T10:00:00Z');
const log = makeLog('silent');
const secret = config.SECRET_KEY ?? '';
const deps = makeDeps({ config, database, secret, log, clock });
const source = await MysqlSource.open(process.env.SOURCE ?? '');
const mapping = await readMapping('docs/import-mapping.yaml');
writeSync(1, 'begins\n');
await importFrom(source, deps, {
  check: false,
  overwrite: false,
  mapping,
  progress: (kind, done) => void writeSync(1, `${kind} ${done}\n`),
});
writeSync(1, 'ends\n');
await source.close();
await closeDeps(deps);
