import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeDeps } from '../../src/app/make-deps.js';
import { makeNobody } from '../../src/app/moving/completion.service.js';
import { accountCommand, accountTool } from '../../src/app/tools/account.js';
import { readConfig } from '../../src/config/config.js';
import type { RequestContext } from '../../src/core/context.js';
import type { Deps } from '../../src/core/deps.js';
import { Role } from '../../src/core/roles.js';
import { serviceContext } from '../../src/core/service-context.js';
import { createUser } from '../../src/domains/accounts/account.service.js';
import { readPasswordLink } from '../../src/domains/passwords/password-link.service.js';
import { recordSession } from '../../src/domains/sign-in/session/session.service.js';
import { type Database, StartError } from '../../src/platform/database/database.js';
import { openMemory } from '../../src/platform/database/embedded.js';
import { openDatabase } from '../../src/platform/database/open.js';
import { makeLog } from '../../src/platform/log.js';
import { projectRoot } from '../../src/platform/root.js';
import { startError } from '../faults/databases.js';

const SECRET_KEY = 's'.repeat(40);

describe('npm run account', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'care-account-'));
  const environment = {
    DATA_DIR: dataDir,
    SECRET_KEY,
    LOG_LEVEL: 'silent',
    BASE_URL: 'https://care.example',
    ADMIN_DIR: 'staff',
  };
  const log = makeLog('silent');
  const depsOf = (database: Database) =>
    makeDeps({
      config: readConfig(environment),
      database,
      secret: SECRET_KEY,
      log,
    });
  let deps: Deps;

  const run = async (...args: string[]) => {
    const lines: string[] = [];
    await accountCommand(args)(deps, (line) => void lines.push(line));
    return lines;
  };
  const inDatabase = async <T>(work: (context: RequestContext) => Promise<T>): Promise<T> =>
    work(await serviceContext(deps, 'test'));

  beforeAll(async () => {
    deps = depsOf(await openMemory());
    await inDatabase(async (context) => {
      const people = {
        root: [Role.ADMINISTRATOR],
        mina: [Role.SUBSCRIBER],
        müller: [Role.CLINICIAN],
      };
      for (const [username, roles] of Object.entries(people)) {
        const { id } = await createUser(context, {
          username,
          email: `${username}@example.com`,
          roles,
        });
        await recordSession(context, id);
      }
    });
  });
  afterAll(async () => {
    await deps.database.close();
    rmSync(dataDir, { recursive: true, force: true });
  });

  it('lists accounts, all or some', async () => {
    const lines = await run('list');
    expect(lines).toStrictEqual([
      '1\troot\troot@example.com\tadministrator',
      '2\tmina\tmina@example.com\tsubscriber',
      '3\tmüller\tmüller@example.com\tclinician',
    ]);
    expect(await run('list', '--role', 'CLINICIAN')).toStrictEqual([lines[2]]);
    expect(await run('list', '--search', 'MINA')).toStrictEqual([lines[1]]);
  });

  it('makes an administrator of an account, which keeps its roles, also after an import', async () => {
    await deps.database.transaction(makeNobody);
    for (const name of ['mina', 'Mina@example.com']) {
      expect(await run('administrator', name)).toStrictEqual(['mina is an administrator.']);
    }
    expect((await run('list', '--search', 'mina'))[0] ?? '').toMatch(/\tsubscriber administrator$/);
  });

  it('prints a link on the pages of the service that sets a password once', async () => {
    const lines = await run('password', '1');
    expect(lines[0] ?? '').toMatch(/^root sets a new password here, once, until \d{4}-/);
    const url = new URL(lines[1] ?? '');
    expect(url.origin + url.pathname).toBe('https://care.example/staff/set-password');
    const owner = await inDatabase((context) =>
      readPasswordLink(context, url.searchParams.get('link') ?? ''),
    );
    expect(owner?.username).toBe('root');
  });

  it('ends the sessions of an account, and of no other', async () => {
    expect(await run('sign-out', 'MÜLLER')).toStrictEqual([
      'müller is signed out: 1 sessions ended.',
    ]);
    expect(await run('sign-out', 'müller')).toStrictEqual([
      'müller is signed out: 0 sessions ended.',
    ]);
    expect(await inDatabase(({ db }) => db.session.count({ where: { endedAt: null } }))).toBe(2);
  });

  it('leaves an event of each change in the audit, with nobody as its actor', async () => {
    const events = await inDatabase(({ db }) =>
      db.auditEvent.findMany({ where: { actorId: null }, orderBy: { id: 'asc' } }),
    );
    const actions = new Set(events.map(({ action }) => action));
    for (const action of ['account.list', 'roles.change', 'password.link', 'session.end'])
      expect(actions.has(action), action).toBe(true);
  });

  it('says in one sentence what cannot be done', async () => {
    await expect(run('password', 'nobody')).rejects.toSatisfy(
      startError(/^There is no account nobody: see `npm run account -- list`\.$/),
    );
    for (const args of [
      [],
      ['what'],
      ['list', 'mina'],
      ['password'],
      ['list', '--nonsense'],
      ['constructor'],
    ]) {
      await expect(run(...args), args.join(' ')).rejects.toThrow(StartError);
    }
    await expect(
      accountTool({ ...environment, DATA_DIR: join(dataDir, 'other') }, ['list'], () => {}),
    ).rejects.toThrow(/There is no database/);
  });

  it('works in a process of its own, but not while the service holds the database', async () => {
    const database = await openDatabase({ dataDir, wait: 0, migrate: true });
    const context = await serviceContext(depsOf(database), 'test');
    await createUser(context, { username: 'root', email: 'root@example.com', roles: [] });
    await expect(accountTool(environment, ['list'], () => {})).rejects.toSatisfy(
      startError(/^[^\n]* in use[^\n]*$/),
    );
    await database.close();
    expect(command('list')).toStrictEqual([0, '1\troot\troot@example.com\t\n', '']);
    expect(command('password', 'nobody')).toStrictEqual([
      2,
      '',
      'There is no account nobody: see `npm run account -- list`.\n',
    ]);
  });

  /** What a process of the command ends with and prints. */
  function command(...args: string[]) {
    const { DATABASE_URL: _, ...inherited } = process.env;
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      ['scripts/account.mjs', ...args],
      { cwd: projectRoot, env: { ...inherited, ...environment }, encoding: 'utf8' },
    );
    return [status, stdout, stderr];
  }
});
