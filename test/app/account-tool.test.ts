import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeDeps } from '../../src/app/make-deps.js';
import { accountTool } from '../../src/app/tools/account.js';
import { readConfig } from '../../src/config/config.js';
import { Role } from '../../src/core/roles.js';
import { serviceContext } from '../../src/core/service-context.js';
import { createUser } from '../../src/domains/accounts/account.service.js';
import { readPasswordLink } from '../../src/domains/passwords/password-link.service.js';
import { recordSession } from '../../src/domains/sign-in/session/session.service.js';
import { type Database, StartError } from '../../src/platform/database/database.js';
import { openDatabase } from '../../src/platform/database/open.js';
import { makeLog } from '../../src/platform/log.js';
import { projectRoot } from '../../src/platform/root.js';

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
  afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

  const run = async (...args: string[]) => {
    const lines: string[] = [];
    await accountTool(environment, args, (line) => void lines.push(line));
    return lines;
  };
  /** The command itself, in a process of its own. */
  const command = (...args: string[]) => {
    const { DATABASE_URL: _, ...inherited } = process.env;
    const options = {
      cwd: projectRoot,
      env: { ...inherited, ...environment },
      encoding: 'utf8',
      timeout: 120_000,
    } as const;
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      ['scripts/account.mjs', ...args],
      options,
    );
    return { status, lines: stdout.trim().split('\n'), error: stderr.trim() };
  };
  const inDatabase = async <T>(
    work: (context: Awaited<ReturnType<typeof serviceContext>>) => Promise<T>,
  ): Promise<T> => {
    const database: Database = await openDatabase({ dataDir, wait: 0, migrate: true });
    const ground = {
      config: readConfig(environment),
      database,
      secret: SECRET_KEY,
      log: makeLog('silent'),
    };
    return work(await serviceContext(makeDeps(ground), 'test')).finally(() => database.close());
  };

  beforeAll(() =>
    inDatabase(async (context) => {
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
    }),
  );

  it('lists accounts, all or some, and ends by itself with exit code 0', async () => {
    const { status, lines } = command('list');
    expect(lines).toStrictEqual([
      '1\troot\troot@example.com\tadministrator',
      '2\tmina\tmina@example.com\tsubscriber',
      '3\tmüller\tmüller@example.com\tclinician',
    ]);
    expect(status).toBe(0);
    expect(await run('list', '--role', 'CLINICIAN')).toStrictEqual([lines[2]]);
    expect(await run('list', '--search', 'MINA')).toStrictEqual([lines[1]]);
  });

  it('makes an administrator of an account, which keeps its roles', async () => {
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

  it('says in one sentence what cannot be done, with exit code 1', async () => {
    const { status, error } = command('password', 'nobody');
    expect([status, error]).toStrictEqual([
      1,
      'There is no account nobody: see `npm run account -- list`.',
    ]);
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

  it('says so while the service holds the embedded database', async () => {
    const database = await openDatabase({ dataDir, wait: 0, migrate: true });
    await expect(run('list')).rejects.toSatisfy(
      (error) => error instanceof StartError && /^[^\n]* in use[^\n]*$/.test(error.message),
    );
    await database.close();
  });
});
