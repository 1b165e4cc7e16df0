import type { RequestContext } from '../../core/context.js';
import type { Deps } from '../../core/deps.js';
import { refuse } from '../../core/errors.js';
import { Role } from '../../core/roles.js';
import { transact } from '../../core/transact.js';
import { Viewer } from '../../core/viewer.js';
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
import {
  accessOf,
  codeOf,
  digest,
  open,
  REFRESH_TOKEN,
  seal,
  VERIFIER,
} from './connection-secrets.js';

const MINUTE = 60_000;
const ATTEMPT_LIFETIME = 10 * MINUTE;
/** Path of the redirect. Edition A's address is the one registered at Microsoft. */
const CALLBACK = '/api/mailer/outlook_callback';
const THE_ROW = { where: { id: 1 } } as const;

/** Returns how mail is sent, and the state of the connected mailbox, without its tokens. */
export async function mailConnection(context: RequestContext): Promise<ConnectedMailbox> {
  const { outlook, mail } = context.deps;
  const row = await context.db.mailConnection.findUnique(THE_ROW);
  const connected = row?.status === ConnectionStatus.CONNECTED;
  return Object.assign(new ConnectedMailbox(), {
    configured: outlook !== undefined,
    route:
      outlook && row && (connected || mail.kind !== 'smtp')
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
  const response = new URLSearchParams({
    state,
    ...(code && { code }),
    ...(iss && { iss }),
    ...(error && { error }),
  });
  try {
    const grant = await configured(context.deps).complete(
      attempt.redirectUri,
      { state, verifier: attempt.verifier },
      response,
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
      include: { account: { select: { roles: true, suspendedAt: true } } },
    });
    const verifier = found && open(deps.keys, VERIFIER, found.verifier);
    const { roles, suspendedAt } = found?.account ?? {};
    if (!found || !verifier || suspendedAt || !roles?.includes(Role.ADMINISTRATOR))
      return undefined;
    // Of two simultaneous returns, only one deletes the row.
    const { count } = await db.mailConnectionAttempt.deleteMany({ where: { state: found.state } });
    const administrator = new Viewer(found.accountId, roles as Role[]);
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

/** Deletes attempts whose browser did not return in time. Returns how many. */
export async function pruneConnectionAttempts({
  database,
  clock,
}: Pick<Deps, 'database' | 'clock'>): Promise<number> {
  return database.db
    .$executeRaw`DELETE FROM mail_connection_attempt WHERE expires_at < ${new Date(clock())}`;
}

function configured({ outlook }: Deps): Outlook {
  if (outlook) return outlook;
  throw refuse(
    'OUTLOOK_NOT_CONFIGURED',
    'No mailbox can be connected: OUTLOOK_CLIENT_ID and OUTLOOK_CLIENT_SECRET are not set.',
  );
}
