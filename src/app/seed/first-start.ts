import { Role } from '../../core/roles.js';
import { serviceContext } from '../../core/service-context.js';
import { hold, transact } from '../../core/transact.js';
import { createUser, hasAccounts } from '../../domains/accounts/account.service.js';
import { randomPassword } from '../../domains/accounts/password.js';
import { setUpSite } from '../../domains/site/site.service.js';
import type { App } from '../app.js';
import { seedDemo } from './demo.js';
import type { FirstAccount } from './first-account.js';

/**
 * Sets up a database without accounts: the site, and the administrator of the configuration. With
 * SEED=demo it also creates an account of each role and demo content. When several processes start
 * at the same time, only one does it. Returns the new accounts; an empty list when there were
 * accounts already.
 */
export async function firstStart({ deps }: Pick<App, 'deps'>): Promise<FirstAccount[]> {
  const { config } = deps;
  const root = await serviceContext(deps, 'first start');
  if (await hasAccounts(root)) return [];
  return transact(root, async (context) => {
    await hold(context, 'first start');
    if (await hasAccounts(context)) return [];
    await setUpSite(context);
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
  });
}
