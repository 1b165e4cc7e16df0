import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { makeDeps } from '../../src/app/deps.js';
import { auditTool } from '../../src/app/tools/audit.js';
import { readConfig } from '../../src/config/config.js';
import { serviceContext } from '../../src/core/service-context.js';
import { transact } from '../../src/core/transact.js';
import { recordAudit } from '../../src/domains/audit/audit.service.js';
import { sealAudit } from '../../src/domains/audit/chain/sealing.service.js';
import { type Database, StartError } from '../../src/platform/database/database.js';
import { openDatabase } from '../../src/platform/database/open.js';
import { makeLog } from '../../src/platform/log.js';
import { projectRoot } from '../../src/platform/root.js';

const SECRET_KEY = 's'.repeat(40);
const DAY = 24 * 60 * 60 * 1000;

describe('npm run audit:verify and audit:prune', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'care-audit-'));
  const environment = { DATA_DIR: dataDir, SECRET_KEY, LOG_LEVEL: 'silent' };
  const heads = join(dataDir, 'audit-heads');
  after(() => rmSync(dataDir, { recursive: true, force: true }));

  const run = async (...args: string[]) => {
    const lines: string[] = [];
    const notes: string[] = [];
    const output = {
      say: (line: string) => void lines.push(line),
      note: (line: string) => void notes.push(line),
    };
    return { status: await auditTool(environment, args, output), lines, notes };
  };
  /** The command itself, in a process of its own. */
  const command = (...args: string[]) => {
    const { DATABASE_URL: _, ...inherited } = process.env;
    const options = {
      cwd: projectRoot,
      env: { ...inherited, ...environment },
      encoding: 'utf8',
    } as const;
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      ['scripts/audit.mjs', ...args],
      options,
    );
    return { status, lines: stdout.trim().split('\n'), stderr };
  };
  const inDatabase = async (work: (database: Database) => Promise<unknown>) => {
    const database = await openDatabase({ dataDir, wait: 0, migrate: true });
    await work(database).finally(() => database.close());
  };

  before(() =>
    inDatabase(async (database) => {
      for (const daysAgo of [10, 5, 1]) {
        const clock = () => Date.now() - daysAgo * DAY;
        const ground = {
          config: readConfig(environment),
          database,
          secret: SECRET_KEY,
          log: makeLog('silent'),
          clock,
        };
        const context = await serviceContext(makeDeps(ground), 'test');
        for (let i = 0; i < 2; i++)
          await transact(context, (inner) => recordAudit(inner, { action: 'test.event' }));
        await sealAudit(context);
      }
    }),
  );

  it('say that an audit is whole, with exit code 0', () => {
    const { status, lines } = command('verify');
    assert.deepEqual(lines, [
      'The audit is whole: 6 rows in 3 seals, 0 not sealed yet, 3 exported heads.',
    ]);
    assert.equal(status, 0);
  });

  it('take a head from elsewhere, as the log names it', async () => {
    const kept = readFileSync(heads, 'utf8');
    const last = kept.trim().split('\n').at(-1)?.split(' ').slice(1).join(' ') ?? '';
    writeFileSync(heads, '');
    const unaided = await run('verify');
    assert.equal(unaided.status, 0);
    assert.match(unaided.notes.join(), /a tail that was cut cannot be seen/);
    assert.equal((await run('verify', '--head', last)).status, 0);
    const other = await run('verify', '--head', last.replace(/^3/, '4'));
    assert.match(
      other.lines[0] ?? '',
      /^seal 4: was exported with rows up to 6, and is gone: the tail was cut$/,
    );
    assert.equal(other.status, 1);
    writeFileSync(heads, kept);
    appendFileSync(heads, 'half a li'); // a killed process
    assert.equal((await run('verify')).status, 0);
  });

  it('prune up to a signed checkpoint, from which verification goes on', async () => {
    const before = new Date(Date.now() - 3 * DAY).toISOString().slice(0, 10);
    const pruned = await run('prune', '--before', before);
    assert.match(pruned.lines.at(-1) ?? '', /^Pruned 4 rows/);
    assert.equal(pruned.status, 0);
    assert.match(
      (await run('verify')).lines[0] ?? '',
      /^The audit is whole: 2 rows in 1 seals, 1 not sealed yet/,
    );
  });

  it('name each row that is not as it was written, with exit code 1, and prune nothing then', async () => {
    await inDatabase(
      ({ prisma }) => prisma.$executeRaw`UPDATE audit_event SET actor_id = 1 WHERE id = 6`,
    );
    const { status, lines } = command('verify');
    assert.deepEqual(lines.slice(0, -1), ['row 6: was edited (seal 3)']);
    assert.equal(status, 1);
    const pruned = await run('prune', '--before', new Date(Date.now() - 2 * DAY).toISOString());
    assert.equal(pruned.status, 1);
    assert.ok(!pruned.lines.join().includes('Pruned'));
  });

  it('say how they are used, with exit code 2', async () => {
    for (const args of [
      ['what'],
      ['verify', '--nonsense'],
      ['verify', '--head', 'x'],
      ['prune'],
      ['prune', '--before', 'soon'],
    ]) {
      await assert.rejects(run(...args), StartError, args.join(' '));
    }
    const { status, stderr } = command('prune');
    assert.equal(status, 2);
    assert.match(stderr, /^--before must be a date/);
  });
});
