import { setTimeout as sleep } from 'node:timers/promises';
import type { RequestContext } from '../../core/context.js';
import { Role } from '../../core/roles.js';
import { serviceContext } from '../../core/service-context.js';
import { transact } from '../../core/transact.js';
import { createUser, hasAccounts } from '../../domains/accounts/account.service.js';
import { randomPassword } from '../../domains/accounts/password.js';
import { setUpSite } from '../../domains/site/site.service.js';
import type { App } from '../app.js';
import { seedDemo } from './demo.js';
import type { FirstAccount } from './first-account.js';

/** Milliseconds that the first start may take: a slow machine makes the demo for minutes. */
const LONGEST = 30 * 60_000;
/** Milliseconds until a process looks again whether another one has done it. */
const EVERY = 250;

/**
 * Sets up a database without accounts: the site, and the administrator of the configuration. With
 * SEED=demo it also creates an account of each role and demo content. When several processes start
 * at the same time, only one does it, and the others wait. Returns the new accounts; an empty list
 * when there were accounts already.
 */
export async function firstStart({ deps }: Pick<App, 'deps'>): Promise<FirstAccount[]> {
  const root = await serviceContext(deps, 'first start');
  for (;;) {
    if (await hasAccounts(root)) return [];
    const made = await transact(root, setUp, { timeout: LONGEST });
    if (made) return made;
    await sleep(EVERY);
  }
}

/** Returns undefined while another process does it: no statement waits, since each has a limit. */
async function setUp(context: RequestContext): Promise<FirstAccount[] | undefined> {
  const [lock] = await context.db.$queryRaw<{ got: boolean }[]>`
    SELECT pg_try_advisory_xact_lock(hashtextextended('first start', 0)) AS got`;
  if (!lock?.got) return undefined;
  if (await hasAccounts(context)) return [];
  await setUpSite(context);
  const { config } = context.deps;
  const { ADMIN_USERNAME: username, ADMIN_EMAIL: email, ADMIN_PASSWORD: chosen } = config;
  const password = chosen ?? randomPassword(16);
  const { id } = await createUser(context, {
    username,
    email: email.trim(),
    password,
    roles: [Role.ADMINISTRATOR],
    name: 'Administrator',
  });
  const administrator = {
    role: Role.ADMINISTRATOR,
    username,
    password: chosen ? undefined : password,
  };
  return [administrator, ...(config.SEED === 'demo' ? await seedDemo(context, id) : [])];
}
