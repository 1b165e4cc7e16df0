import { spawnSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeDeps } from '../../src/app/make-deps.js';
import { auditCommand } from '../../src/app/tools/audit.js';
import { readConfig } from '../../src/config/config.js';
import { serviceContext } from '../../src/core/service-context.js';
import { transact } from '../../src/core/transact.js';
import { recordAudit } from '../../src/domains/audit/audit.service.js';
import { sealAudit } from '../../src/domains/audit/chain/sealing.service.js';
import { type Database, StartError } from '../../src/platform/database/database.js';
import { openMemory } from '../../src/platform/database/embedded.js';
import { openDatabase } from '../../src/platform/database/open.js';
import { makeLog } from '../../src/platform/log.js';
import { projectRoot } from '../../src/platform/root.js';

const SECRET_KEY = 's'.repeat(40);
const DAY = 24 * 60 * 60 * 1000;

describe('npm run audit:verify and audit:prune', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'care-audit-'));
  const environment = { DATA_DIR: dataDir, SECRET_KEY, LOG_LEVEL: 'silent' };
  const heads = join(dataDir, 'audit-heads');

  const log = makeLog('silent');
  const depsOf = (database: Database, clock = Date.now) =>
    makeDeps({
      config: readConfig(environment),
      database,
      secret: SECRET_KEY,
      log,
      clock,
    });
  let database: Database;

  const run = async (...args: string[]) => {
    const lines: string[] = [];
    const notes: string[] = [];
    const output = {
      say: (line: string) => void lines.push(line),
      note: (line: string) => void notes.push(line),
    };
    return { status: await auditCommand(args)(depsOf(database), output), lines, notes };
  };

  /** Writes two events, and seals them, ten, five and one days ago. */
  const writeEvents = async (where: Database) => {
    for (const daysAgo of [10, 5, 1]) {
      const deps = depsOf(where, () => Date.now() - daysAgo * DAY);
      const context = await serviceContext(deps, 'test');
      for (let i = 0; i < 2; i++)
        await transact(context, (inner) => recordAudit(inner, { action: 'test.event' }));
      await sealAudit(context);
    }
  };

  beforeAll(async () => {
    database = await openMemory();
    await writeEvents(database);
  });
  afterAll(async () => {
    await database.close();
    rmSync(dataDir, { recursive: true, force: true });
  });

  it('say that an audit is whole, with exit code 0', async () => {
    const { status, lines } = await run('verify');
    expect(lines).toStrictEqual([
      'The audit is whole: 6 rows in 3 seals, 0 not sealed yet, 3 exported heads.',
    ]);
    expect(status).toBe(0);
  });

  it('do not begin with a file of heads that was named and is missing, or has no head', async () => {
    const empty = join(dataDir, 'no-heads');
    writeFileSync(empty, 'Nothing of the kind.\n');
    for (const file of [join(dataDir, 'nowhere'), empty])
      await expect(run('verify', '--heads', file)).rejects.toThrow(StartError);
    rmSync(empty);
  });

  it('take a head from elsewhere, as the log names it', async () => {
    const kept = readFileSync(heads, 'utf8');
    const last = kept.trim().split('\n').at(-1)?.split(' ').slice(1).join(' ') ?? '';
    writeFileSync(heads, '');
    const unaided = await run('verify');
    expect(unaided.status).toBe(0);
    expect(unaided.notes.join()).toMatch(/a tail that was cut cannot be seen/);
    expect((await run('verify', '--head', last)).status).toBe(0);
    const other = await run('verify', '--head', last.replace(/^3/, '4'));
    expect(other.lines[0] ?? '').toMatch(
      /^seal 4: was exported with rows up to 6, and is gone: the tail was cut$/,
    );
    expect(other.status).toBe(1);
    writeFileSync(heads, kept);
    appendFileSync(heads, 'half a li'); // a killed process
    expect((await run('verify')).status).toBe(0);
  });

  it('prune up to a signed checkpoint, from which verification goes on', async () => {
    const before = new Date(Date.now() - 3 * DAY).toISOString().slice(0, 10);
    const pruned = await run('prune', '--before', before);
    expect(pruned.lines.at(-1) ?? '').toMatch(/^Pruned 4 rows/);
    expect(pruned.status).toBe(0);
    expect((await run('verify')).lines[0] ?? '').toMatch(
      /^The audit is whole: 2 rows in 1 seals, 1 not sealed yet/,
    );
  });

  it('name each row that is not as it was written, with exit code 1, and prune nothing then', async () => {
    await database.prisma.$executeRaw`UPDATE audit_event SET actor_id = 1 WHERE id = 6`;
    const { status, lines } = await run('verify');
    expect(lines.slice(0, -1)).toStrictEqual(['row 6: was edited (seal 3)']);
    expect(status).toBe(1);
    const pruned = await run('prune', '--before', new Date(Date.now() - 2 * DAY).toISOString());
    expect(pruned.status).toBe(1);
    expect(pruned.lines.join()).not.toContain('Pruned');
  });

  it('say how they are used, with exit code 2', async () => {
    for (const args of [
      ['what'],
      ['verify', '--nonsense'],
      ['verify', '--head', 'x'],
      ['prune'],
      ['prune', '--before', 'soon'],
    ]) {
      await expect(run(...args), args.join(' ')).rejects.toThrow(StartError);
    }
  });

  it('open the database in a process of their own', async () => {
    rmSync(heads);
    const embedded = await openDatabase({ dataDir, wait: 0, migrate: true });
    await writeEvents(embedded);
    await embedded.prisma.$executeRaw`UPDATE audit_event SET actor_id = 1 WHERE id = 6`;
    await embedded.close();
    const { status, stdout } = command('verify');
    expect([status, stdout.split('\n')[0]]).toStrictEqual([1, 'row 6: was edited (seal 3)']);
    const unusual = command('prune');
    expect(unusual.status).toBe(2);
    expect(unusual.stderr).toMatch(/^--before must be a date/);
  });

  function command(...args: string[]) {
    const { DATABASE_URL: _, ...inherited } = process.env;
    const env = { ...inherited, ...environment };
    const options = { cwd: projectRoot, env, encoding: 'utf8' } as const;
    return spawnSync(process.execPath, ['scripts/audit.mjs', ...args], options);
  }
});
