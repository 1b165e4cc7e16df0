import type { RequestContext } from '../../core/context.js';
import type { Deps } from '../../core/deps.js';
import { Prisma } from '../../generated/prisma/client.js';
import { decrypt } from '../../platform/keys.js';
import {
  MailError,
  type MailMessage,
  type MailTransport,
} from '../../platform/mail/mail-transport.js';
import { GrantRefused, OUTLOOK_AT_ONCE, type Outlook } from '../../platform/mail/outlook.js';
import { ConnectionStatus } from './connection.types.js';
import {
  ACCESS_TOKEN,
  accessOf,
  codeOf,
  open,
  PURPOSE,
  REFRESH_TOKEN,
  seal,
} from './connection-secrets.js';

const MINUTE = 60_000;
/**
 * Longer than a refresh takes. After it, the refreshing process is assumed to be dead.
 * Milliseconds.
 */
const REFRESH_LEASE = MINUTE / 2;
/** An access token is renewed this much before it expires, in milliseconds. */
const MARGIN = MINUTE;
const THE_ROW = { where: { id: 1 } } as const;

/**
 * Returns the present transport for mail: the connected mailbox, otherwise as the configuration
 * says. Undefined while mails wait for the mailbox: while another process renews the access, while
 * this process does not know its key, and, without SMTP, from when its permission was withdrawn until
 * somebody connects it again. With SMTP, such a mailbox is replaced by that.
 */
export async function transportOf(deps: Deps): Promise<MailTransport | undefined> {
  const { outlook, mail } = deps;
  const row = outlook ? await deps.database.db.mailConnection.findUnique(THE_ROW) : null;
  if (!outlook || !row) return mail;
  if (row.status === ConnectionStatus.REVOKED) return mail.kind === 'smtp' ? mail : undefined;
  const valid = row.accessExpiresAt && row.accessExpiresAt.getTime() - MARGIN > deps.clock();
  const token =
    valid && row.accessToken ? open(deps.keys, ACCESS_TOKEN, row.accessToken) : undefined;
  if (token) return mailboxTransport(deps, outlook, row.mailbox, token);
  const refreshToken = open(deps.keys, REFRESH_TOKEN, row.refreshToken);
  if (!refreshToken) return waitForKey(deps);
  return renew(deps, outlook, row.refreshToken, refreshToken);
}

/** The keys of this process that were found not to open the connection. */
const unfit = new WeakSet<Deps['keys']>();

/** Mails wait for a process that has the key. Says so in the log, once. */
function waitForKey({ keys, log }: Deps): undefined {
  if (!unfit.has(keys)) log.error({ reason: 'KEY_UNKNOWN' }, 'outlook access not renewed');
  unfit.add(keys);
}

const failing = (reason: string): MailTransport => ({
  kind: 'outlook',
  send: () => Promise.reject(new MailError(reason)),
});

/**
 * Returns a transport through the mailbox. After a token was rejected, it is renewed before the
 * next mails.
 */
function mailboxTransport(
  deps: Deps,
  outlook: Outlook,
  mailbox: string,
  token: string,
): MailTransport {
  const send = async (message: MailMessage) => {
    try {
      await outlook.send(message, mailbox, token);
    } catch (error) {
      if (error instanceof MailError && error.reason === 'GRAPH 401')
        await deps.database.db.mailConnection.updateMany({
          ...THE_ROW,
          data: { accessExpiresAt: null },
        });
      throw error;
    }
  };
  return { kind: 'outlook', atOnce: OUTLOOK_AT_ONCE, send };
}

/**
 * Renews the access, in one process at a time: where refresh tokens rotate, two simultaneous
 * renewals would revoke the grant. `read` is the token as it was read, encrypted. When another
 * process has replaced it, nothing is renewed. Each encryption gives a different text, so this also
 * works where tokens do not rotate.
 */
async function renew(
  deps: Deps,
  outlook: Outlook,
  read: string,
  refreshToken: string,
): Promise<MailTransport | undefined> {
  const { database, keys, clock, log } = deps;
  const until = new Date(clock() + REFRESH_LEASE);
  const [row] = await database.db.$queryRaw<{ mailbox: string }[]>`
    UPDATE mail_connection SET refreshing_until = ${until}
    WHERE id = 1 AND status = 'connected' AND refresh_token = ${read} AND (refreshing_until IS NULL
      OR refreshing_until <= ${new Date(clock())})
    RETURNING mailbox`;
  if (!row) return undefined;
  const finish = (data: object) =>
    database.db.mailConnection.updateMany({
      where: { id: 1, refreshToken: read },
      data: { refreshingUntil: null, ...data },
    });
  try {
    const grant = await outlook.refresh(refreshToken);
    const rotated = { refreshToken: seal(keys, REFRESH_TOKEN, grant.refreshToken ?? refreshToken) };
    await finish({ ...rotated, ...accessOf(deps, grant) });
    return mailboxTransport(deps, outlook, row.mailbox, grant.accessToken);
  } catch (error) {
    const revoked = error instanceof GrantRefused;
    await finish(
      revoked
        ? { status: ConnectionStatus.REVOKED, revokedAt: new Date(clock()), accessToken: null }
        : {},
    );
    log.error(
      { reason: codeOf(error) },
      revoked ? 'outlook connection revoked' : 'outlook access not renewed',
    );
    return revoked ? undefined : failing('OUTLOOK_UNREACHABLE');
  }
}

/**
 * Returns whether the tokens of the connected mailbox can be decrypted; true when no mailbox is
 * connected.
 */
export async function isConnectionReadable(context: RequestContext): Promise<boolean> {
  const [row] = await context.rows<{ refreshToken: string }>(Prisma.sql`
    SELECT refresh_token AS "refreshToken" FROM mail_connection
    WHERE status = ${ConnectionStatus.CONNECTED}`);
  return !row || open(context.deps.keys, REFRESH_TOKEN, row.refreshToken) !== undefined;
}

/**
 * Encrypts the tokens of the connected mailbox with SECRET_KEY when they are encrypted with
 * SECRET_KEY_PREVIOUS. For a job.
 */
export async function resealConnection({
  database,
  keys,
  clock,
}: Pick<Deps, 'database' | 'keys' | 'clock'>): Promise<void> {
  if (!keys.previous(PURPOSE)) return;
  const row = await database.db.mailConnection.findUnique(THE_ROW);
  if (!row || decrypt(keys.current(PURPOSE).bytes, row.refreshToken, REFRESH_TOKEN)) return;
  const refreshToken = open(keys, REFRESH_TOKEN, row.refreshToken);
  if (!refreshToken) return;
  // Does nothing while another process renews the access: that process finds the row by the token
  // that it read, and encrypts the new token itself.
  const isFree = {
    OR: [{ refreshingUntil: null }, { refreshingUntil: { lte: new Date(clock()) } }],
  };
  await database.db.mailConnection.updateMany({
    where: { id: 1, refreshToken: row.refreshToken, ...isFree },
    data: {
      refreshToken: seal(keys, REFRESH_TOKEN, refreshToken),
      accessToken: null,
      accessExpiresAt: null,
    },
  });
}
