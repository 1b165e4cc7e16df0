import { createHash } from 'node:crypto';
import type { RequestContext } from '../../core/context.js';
import type { Deps } from '../../core/deps.js';
import { refuse } from '../../core/errors.js';
import { Role } from '../../core/roles.js';
import { transact } from '../../core/transact.js';
import { Viewer } from '../../core/viewer.js';
import { decrypt, encrypt, type Keys } from '../../platform/keys.js';
import {
  MailError,
  type MailMessage,
  type MailTransport,
} from '../../platform/mail/mail-transport.js';
import { type Grant, GrantRefused, type Outlook } from '../../platform/mail/outlook.js';
import { recordAudit } from '../audit/audit.service.js';
import type { CompleteOutlookInput } from './connection.inputs.js';
import {
  type BegunConnection,
  ConnectedMailbox,
  ConnectionPage,
  ConnectionStatus,
  MailRoute,
} from './connection.types.js';

const MINUTE = 60_000;
const ATTEMPT_LIFETIME = 10 * MINUTE;
/**
 * Longer than a refresh takes. After it, the refreshing process is assumed to be dead.
 * Milliseconds.
 */
const REFRESH_LEASE = MINUTE / 2;
/** An access token is renewed this much before it expires, in milliseconds. */
const MARGIN = MINUTE;
/** Path of the redirect. Edition A's address is the one registered at Microsoft. */
const CALLBACK = '/api/mailer/outlook_callback';

/** The purpose of the key, and the names of the texts that it encrypts. */
const PURPOSE = 'mail connection';
const REFRESH_TOKEN = 'refresh token';
const ACCESS_TOKEN = 'access token';
const VERIFIER = 'verifier';
const THE_ROW = { where: { id: 1 } } as const;

/** Returns how mail is sent, and the state of the connected mailbox, without its tokens. */
export async function mailConnection(context: RequestContext): Promise<ConnectedMailbox> {
  const { outlook, mail } = context.deps;
  const row = await context.db.mailConnection.findUnique(THE_ROW);
  const connected = row?.status === ConnectionStatus.CONNECTED;
  return Object.assign(new ConnectedMailbox(), {
    configured: outlook !== undefined,
    route:
      connected && outlook
        ? MailRoute.OUTLOOK
        : mail.kind === 'smtp'
          ? MailRoute.SMTP
          : MailRoute.OUTBOX,
    status: (row?.status as ConnectionStatus | undefined) ?? ConnectionStatus.NONE,
    address: row?.mailbox ?? null,
    connectedAt: row?.connectedAt ?? null,
    revokedAt: row?.revokedAt ?? null,
  });
}

/**
 * Begins a connection. Returns the address to visit, which is valid for ten minutes and one return.
 * Throws OUTLOOK_NOT_CONFIGURED, OUTLOOK_UNREACHABLE.
 */
export async function connectOutlook(context: RequestContext): Promise<BegunConnection> {
  const { keys } = context.deps;
  const redirectUri = context.siteUrl + CALLBACK;
  const { url, state, verifier } = await configured(context.deps)
    .begin(redirectUri)
    .catch(() => {
      throw refuse(
        'OUTLOOK_UNREACHABLE',
        'The authorization server cannot be reached. Try again later.',
      );
    });
  const expiresAt = new Date(context.deps.clock() + ATTEMPT_LIFETIME);
  const row = {
    state: digest(state),
    verifier: seal(keys, VERIFIER, verifier),
    redirectUri,
    accountId: context.viewer.id,
    expiresAt,
  };
  await context.db.mailConnectionAttempt.create({ data: row, select: { state: true } });
  return { url, expiresAt };
}

/** Ends the connection. Mail is then sent as the configuration says. */
export async function disconnectOutlook(context: RequestContext): Promise<ConnectedMailbox> {
  await transact(context, async (inner) => {
    const { count } = await inner.db.mailConnection.deleteMany(THE_ROW);
    if (count > 0) await recordAudit(inner, { action: 'mail.disconnected' });
  });
  return mailConnection(context);
}

/**
 * Completes a connection with the parameters that the browser brought back from the authorization
 * page. Throws FORBIDDEN unless an administrator began the connection with this state less than ten
 * minutes ago and the state was not used. Otherwise returns a page that says whether the mailbox is
 * connected.
 */
export async function completeOutlook(
  context: RequestContext,
  input: CompleteOutlookInput,
): Promise<ConnectionPage> {
  const { state, code, iss, error } = input;
  const attempt = state ? await redeem(context, state) : undefined;
  if (!state || !attempt) throw refuse('FORBIDDEN', 'Sorry, you are not allowed to do that.');
  const answer = new URLSearchParams({
    state,
    ...(code && { code }),
    ...(iss && { iss }),
    ...(error && { error }),
  });
  try {
    const grant = await configured(context.deps).complete(
      attempt.redirectUri,
      { state, verifier: attempt.verifier },
      answer,
    );
    if (!grant.mailbox || !grant.refreshToken)
      return page(false, 'The mailbox did not say its address, or gave no lasting access.');
    await storeGrant(context.as(attempt.viewer), {
      ...grant,
      mailbox: grant.mailbox,
      refreshToken: grant.refreshToken,
    });
    return page(true, `Mail now goes through ${grant.mailbox}. You can close this page.`);
  } catch (failure) {
    if (failure instanceof GrantRefused)
      return page(false, 'The permission was not given, or not in time. Begin again.');
    context.deps.log.warn(
      { reason: codeOf(failure), request: context.input.requestId },
      'outlook connection failed',
    );
    return page(false, 'The authorization server did not answer as it should. Begin again.');
  }
}

const page = (connected: boolean, message: string) =>
  Object.assign(new ConnectionPage(), {
    connected,
    title: connected ? 'Mailbox connected' : 'Mailbox not connected',
    message,
  });

/** Returns the code of an OAuth error. Its message may contain what was sent. */
const codeOf = (error: unknown) =>
  String((error as { code?: unknown }).code ?? (error as Error).name);

/**
 * Uses up the attempt of a state, if the caller may be the administrator who began it. Returns
 * undefined otherwise.
 */
async function redeem(context: RequestContext, state: string) {
  const { viewer, deps } = context;
  const where = {
    state: digest(state),
    expiresAt: { gt: context.now() },
    ...(viewer.id && { accountId: viewer.id }),
  };
  return transact(context, async ({ db }) => {
    const found = await db.mailConnectionAttempt.findFirst({
      where,
      include: { account: { select: { roles: true } } },
    });
    const verifier = found && open(deps.keys, VERIFIER, found.verifier);
    if (!verifier || !found.account.roles.includes(Role.ADMINISTRATOR)) return undefined;
    // Of two simultaneous returns, only one deletes the row.
    const { count } = await db.mailConnectionAttempt.deleteMany({ where: { state: found.state } });
    const administrator = new Viewer(found.accountId, found.account.roles as Role[]);
    return count === 1
      ? { redirectUri: found.redirectUri, viewer: administrator, verifier }
      : undefined;
  });
}

type CompleteGrant = Grant & { readonly mailbox: string; readonly refreshToken: string };

async function storeGrant(context: RequestContext, grant: CompleteGrant): Promise<void> {
  const row = {
    mailbox: grant.mailbox,
    status: ConnectionStatus.CONNECTED,
    refreshToken: seal(context.deps.keys, REFRESH_TOKEN, grant.refreshToken),
    ...accessOf(context.deps, grant),
    refreshingUntil: null,
    connectedAt: context.now(),
    connectedById: context.viewer.id,
    revokedAt: null,
  };
  await transact(context, async (inner) => {
    await inner.db.mailConnection.upsert({ ...THE_ROW, create: row, update: row });
    await recordAudit(inner, { action: 'mail.connected' });
  });
}

/**
 * Returns whether the tokens of the connected mailbox can be decrypted; true when no mailbox is
 * connected.
 */
export async function isConnectionReadable({ db, deps }: RequestContext): Promise<boolean> {
  const row = await db.mailConnection.findUnique(THE_ROW);
  return (
    row?.status !== ConnectionStatus.CONNECTED ||
    open(deps.keys, REFRESH_TOKEN, row.refreshToken) !== undefined
  );
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
  const row = await database.prisma.mailConnection.findUnique(THE_ROW);
  if (!row || decrypt(keys.current(PURPOSE).bytes, row.refreshToken, REFRESH_TOKEN)) return;
  const refreshToken = open(keys, REFRESH_TOKEN, row.refreshToken);
  if (!refreshToken) return;
  // Does nothing while another process renews the access: that process finds the row by the token
  // that it read, and encrypts the new token itself.
  const isFree = {
    OR: [{ refreshingUntil: null }, { refreshingUntil: { lte: new Date(clock()) } }],
  };
  await database.prisma.mailConnection.updateMany({
    where: { id: 1, refreshToken: row.refreshToken, ...isFree },
    data: {
      refreshToken: seal(keys, REFRESH_TOKEN, refreshToken),
      accessToken: null,
      accessExpiresAt: null,
    },
  });
}

/** Deletes attempts whose browser did not return in time. Returns how many. */
export async function pruneConnectionAttempts({
  database,
  clock,
}: Pick<Deps, 'database' | 'clock'>): Promise<number> {
  return database.prisma
    .$executeRaw`DELETE FROM mail_connection_attempt WHERE expires_at < ${new Date(clock())}`;
}

/**
 * Returns the present transport for mail: the connected mailbox, otherwise as the configuration
 * says. Undefined while another process renews the access to the mailbox. A mailbox that revoked
 * its permission is replaced by SMTP; without SMTP, mails wait for their next attempt.
 */
export async function transportOf(deps: Deps): Promise<MailTransport | undefined> {
  const { outlook, mail } = deps;
  const row = outlook ? await deps.database.prisma.mailConnection.findUnique(THE_ROW) : null;
  if (!outlook || !row) return mail;
  if (row.status === ConnectionStatus.REVOKED)
    return mail.kind === 'smtp' ? mail : failing('OUTLOOK_REVOKED');
  const valid = row.accessExpiresAt && row.accessExpiresAt.getTime() - MARGIN > deps.clock();
  const token =
    valid && row.accessToken ? open(deps.keys, ACCESS_TOKEN, row.accessToken) : undefined;
  if (token) return mailboxTransport(deps, outlook, row.mailbox, token);
  return renew(deps, outlook, row.refreshToken);
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
        await deps.database.prisma.mailConnection.updateMany({
          ...THE_ROW,
          data: { accessExpiresAt: null },
        });
      throw error;
    }
  };
  return { kind: 'outlook', send };
}

/**
 * Renews the access, in one process at a time: where refresh tokens rotate, two simultaneous
 * renewals would revoke the grant. `read` is the encrypted token that was read. When another
 * process has replaced it, nothing is renewed. Each encryption gives a different text, so this also
 * works where tokens do not rotate.
 */
async function renew(
  deps: Deps,
  outlook: Outlook,
  read: string,
): Promise<MailTransport | undefined> {
  const { database, keys, clock, log } = deps;
  const until = new Date(clock() + REFRESH_LEASE);
  const [row] = await database.prisma.$queryRaw<{ mailbox: string }[]>`
    UPDATE mail_connection SET refreshing_until = ${until}
    WHERE id = 1 AND status = 'connected' AND refresh_token = ${read} AND (refreshing_until IS NULL OR refreshing_until <= ${new Date(clock())})
    RETURNING mailbox`;
  if (!row) return undefined;
  const finish = (data: object) =>
    database.prisma.mailConnection.updateMany({
      where: { id: 1, refreshToken: read },
      data: { refreshingUntil: null, ...data },
    });
  try {
    const refreshToken = open(keys, REFRESH_TOKEN, read);
    // Waits for a process that has the key
    if (!refreshToken) throw Object.assign(new Error(), { code: 'KEY_UNKNOWN' });
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
    return failing(revoked ? 'OUTLOOK_REVOKED' : 'OUTLOOK_UNREACHABLE');
  }
}

const accessOf = ({ keys, clock }: Deps, { accessToken, expiresIn }: Grant) => ({
  accessToken: seal(keys, ACCESS_TOKEN, accessToken),
  accessExpiresAt: new Date(clock() + expiresIn * 1000),
});

function configured({ outlook }: Deps): Outlook {
  if (outlook) return outlook;
  throw refuse(
    'OUTLOOK_NOT_CONFIGURED',
    'No mailbox can be connected: OUTLOOK_CLIENT_ID and OUTLOOK_CLIENT_SECRET are not set.',
  );
}

const digest = (state: string) => createHash('sha256').update(state).digest('base64url');

const seal = (keys: Keys, about: string, text: string) =>
  encrypt(keys.current(PURPOSE).bytes, text, about);

/** Decrypts a text that was encrypted with any current key. */
const open = (keys: Keys, about: string, sealed: string) =>
  keys
    .all(PURPOSE)
    .map(({ bytes }) => decrypt(bytes, sealed, about))
    .find((text) => text !== undefined)
    ?.toString();
