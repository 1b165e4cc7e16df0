import { parseArgs } from 'node:util';
import { type Config, readConfig } from '../../config/config.js';
import type { RequestContext } from '../../core/context.js';
import type { Deps } from '../../core/deps.js';
import { DomainError } from '../../core/errors.js';
import { Role } from '../../core/roles.js';
import { serviceContext } from '../../core/service-context.js';
import { transact } from '../../core/transact.js';
import type { Account } from '../../domains/accounts/account.types.js';
import {
  accountsNamed,
  listAccounts,
  setRoles,
} from '../../domains/accounts/account-admin.service.js';
import { LINK_LIFETIME, makePasswordLink } from '../../domains/passwords/password-link.service.js';
import { endAllSessions } from '../../domains/sign-in/session/session.service.js';
import { StartError } from '../../platform/database/database.js';
import { withDeps } from './with-deps.js';

type Say = (line: string) => void;
interface Options {
  readonly say: Say;
  readonly role?: string | undefined;
  readonly search?: string | undefined;
  /** Public address of the pages. */
  readonly pages: string;
}

type Command = { readonly usage: string } & (
  | { readonly run: (context: RequestContext, options: Options) => Promise<void> }
  | {
      readonly runFor: (
        context: RequestContext,
        account: Account,
        options: Options,
      ) => Promise<void>;
    }
);

const COMMANDS: Readonly<Record<string, Command>> = {
  list: {
    usage: 'list [--role ROLE] [--search TEXT]   id, user name, e-mail address and roles',
    run: list,
  },
  administrator: {
    usage:
      'administrator NAME                   makes an account an administrator, beside the ' +
      'roles that it has',
    runFor: async (context, { id: userId, username, roles }, { say }) => {
      await setRoles(context, { userId, roles: [...roles, Role.ADMINISTRATOR] });
      say(`${username} is an administrator.`);
    },
  },
  password: {
    usage:
      'password NAME                        prints a link that sets a new password: once, ' +
      'within 24 hours',
    runFor: async (context, { id, username }, { say, pages }) => {
      const link = await makePasswordLink(context, id);
      say(
        `${username} sets a new password here, once, until ${until(context)}, while the service runs:`,
      );
      say(`${pages}/set-password?link=${encodeURIComponent(link)}`);
    },
  },
  'sign-out': {
    usage:
      'sign-out NAME                        ends all sessions of an account; application ' +
      'passwords stay',
    runFor: async (context, { id, username }, { say }) => {
      const ended = await transact(context, (inner) => endAllSessions(inner, id));
      say(`${username} is signed out: ${ended} sessions ended.`);
    },
  },
};

const USAGE = [
  'Usage: npm run account -- COMMAND. NAME is a user name, an e-mail address or an id.',
  ...Object.values(COMMANDS).map(({ usage }) => `  ${usage}`),
].join('\n');

/**
 * Runs `npm run account` on the database that the environment names. What it does is audited
 * without an actor. The embedded database must not be open, so the service must be stopped first.
 * Throws StartError with one sentence when the command cannot be done.
 */
export async function accountTool(
  environment: NodeJS.ProcessEnv,
  args: readonly string[],
  say: Say,
): Promise<void> {
  const run = accountCommand(args);
  await withDeps(readConfig(environment), (deps) => run(deps, say));
}

/**
 * Returns what the arguments of `npm run account` do with an open database. Throws StartError for
 * arguments that it does not have, and when what they ask for cannot be done.
 */
export function accountCommand(args: readonly string[]): (deps: Deps, say: Say) => Promise<void> {
  const { command, name, role, search } = readArguments(args);
  return async (deps, say) => {
    const context = await serviceContext(deps, 'account command');
    const options = { say, role, search, pages: pagesOf(deps.config) };
    try {
      await ('run' in command
        ? command.run(context, options)
        : command.runFor(context, await accountNamed(context, name), options));
    } catch (error) {
      throw error instanceof DomainError ? new StartError(error.message) : error;
    }
  };
}

const pagesOf = ({ BASE_URL, PORT, ADMIN_DIR }: Config) =>
  `${BASE_URL ?? `http://localhost:${PORT}`}/${ADMIN_DIR}`;
const until = ({ deps }: RequestContext) => new Date(deps.clock() + LINK_LIFETIME).toISOString();

async function accountNamed(context: RequestContext, name: string): Promise<Account> {
  const found = await accountsNamed(context, name);
  const [account, other] = found;
  if (!account)
    throw new StartError(`There is no account ${name}: see \`npm run account -- list\`.`);
  if (other)
    throw new StartError(
      `${name} may be ${found.map(({ id, username }) => `${id} (${username})`).join(' or ')}: give the id.`,
    );
  return account;
}

const PAGE = 500;

async function list(context: RequestContext, { say, role, search }: Options): Promise<void> {
  const wanted = role?.toLowerCase() as Role | undefined;
  if (wanted && !Object.values(Role).includes(wanted))
    throw new StartError(`Roles are ${Object.values(Role).join(', ')}.`);
  const filter = { ...(wanted && { role: wanted }), ...(search && { search }) };
  let after: string | null = null;
  do {
    const { nodes, pageInfo } = await listAccounts(context, filter, { first: PAGE, after });
    for (const { id, username, email, roles } of nodes)
      say([id, username, email ?? '-', roles.join(' ')].join('\t'));
    after = pageInfo.hasNextPage ? pageInfo.endCursor : null;
  } while (after);
}

function readArguments(args: readonly string[]) {
  const text = { type: 'string' } as const;
  try {
    const { positionals, values } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { role: text, search: text },
    });
    const [word = '', name = ''] = positionals;
    const command = Object.hasOwn(COMMANDS, word) ? COMMANDS[word] : undefined;
    if (command && positionals.length === ('run' in command ? 1 : 2))
      return { command, name, ...values };
  } catch {
    // Arguments that parseArgs rejects get the usage, like an unknown command.
  }
  throw new StartError(USAGE);
}
