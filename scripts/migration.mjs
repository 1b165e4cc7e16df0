// npm run migration NAME: writes prisma/migrations/<time>_<name>/migration.sql with the changes of
// prisma/schema.prisma. node scripts/migration.mjs --check: exits with code 1 when the schema and
// the migrations differ, or a migration breaks a rule of migration-rules.mjs.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { faultsOf, ruled } from './migration-rules.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const [argument = ''] = process.argv.slice(2);
const check = argument === '--check';
const name = argument
  .toLowerCase()
  .replace(/[^a-z0-9]+/g, '_')
  .replace(/^_+|_+$/g, '');

function write(sql) {
  const migrations = join('prisma', 'migrations');
  const now = new Date().toISOString().replace(/\D/g, '').slice(0, 14);
  // Migrations run in the order of their names: a clock that is behind must not put it among others.
  const times = readdirSync(join(root, migrations)).map(
    (folder) => Number(folder.slice(0, 14)) || 0,
  );
  const folder = join(
    migrations,
    `${Math.max(Number(now), ...times.map((time) => time + 1))}_${name}`,
  );
  mkdirSync(join(root, folder), { recursive: true });
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  writeFileSync(join(root, folder, 'migration.sql'), `-- oldest: ${version}\n${sql}\n`);
  console.log(
    `Wrote ${join(folder, 'migration.sql')}: read it, and add by hand what Prisma cannot say. Its first ` +
      'line names the oldest version of the service that runs on it.',
  );
}

function differ(sql) {
  console.error(
    `prisma/schema.prisma and prisma/migrations differ; \`npm run migration NAME\` would write:\n\n${sql}`,
  );
  process.exitCode = 1;
}

try {
  if (name === '') throw new Error('Name the change: npm run migration NAME');
  const { schemaDiff } = await import(
    pathToFileURL(resolve(root, 'dist/platform/database/diff.js')).href
  );
  const faults = check ? faultsOf(ruled()) : [];
  for (const fault of faults) console.error(fault);
  if (faults.length > 0) process.exitCode = 1;
  const sql = await schemaDiff();
  if (sql === '')
    console.log('Nothing to change: the migrations make what prisma/schema.prisma says.');
  else if (check) differ(sql);
  else write(sql);
} catch (error) {
  console.error(
    error.code === 'ERR_MODULE_NOT_FOUND'
      ? 'The service is not built: run `npm test -- lint` once.'
      : error.message,
  );
  process.exitCode = 1;
}
