import type { RequestContext } from '../../core/context.js';
import type { Deps } from '../../core/deps.js';
import { CheckFailed, checkWithin } from '../../platform/check.js';
import { fetchResponse } from '../../platform/fetch/provider-response.js';
import { ProviderUnavailable } from '../../platform/fetch/unavailable.js';
import { MailError } from '../../platform/mail/mail-transport.js';
import { ConnectionStatus } from '../mail/connection.types.js';
import { Diagnostics, ThirdParty } from './diagnostics.types.js';

/** Milliseconds for which each third party is waited for. */
const PATIENCE = 2_000;
/** SMTP gives up a little earlier, and says what it waited for. */
const SMTP_PATIENCE = 1_800;

/** The most bytes of a response that are read. */
const LARGEST_RESPONSE = 2 * 1024 * 1024;

/** How a third party is asked. Returns what else is known as a text, or nothing. */
type Ask = (signal: AbortSignal) => Promise<unknown>;

/** A third party; without `ask` it is not configured. */
interface Probe {
  readonly name: string;
  readonly ask: Ask | undefined;
}

/** What is asked for its state, and what says whether the connected mailbox still permits it. */
export interface ThirdPartyAccess
  extends Pick<Deps, 'mail' | 'outlook' | 'providers' | 'push' | 'config'> {
  readonly limits?: Deps['limits'];
  readonly mailbox?: () => Promise<string>;
}

/** Every third party: one line each. */
function probesOf({ mailbox, ...deps }: ThirdPartyAccess): Probe[] {
  const { mail, outlook, providers, push, limits, config } = deps;
  const polls = config.POLL_IMPORT_URL;
  const checkMail = mail.check && (() => mail.check?.(SMTP_PATIENCE) ?? Promise.resolve());
  return [
    { name: 'smtp', ask: checkMail },
    { name: 'outlook', ask: outlook && ((signal) => askOutlook(outlook, signal, mailbox)) },
    ...(['A', 'B', 'C'] as const).map((slot) => {
      const provider = providers.get(slot);
      const ask = provider && ((signal: AbortSignal) => provider.check(signal));
      return { name: `identity_provider_${slot.toLowerCase()}`, ask };
    }),
    { name: 'expo', ask: push.expo.check?.bind(push.expo) },
    { name: 'fcm', ask: push.fcm.check?.bind(push.fcm) },
    { name: 'web_push', ask: push.web.check?.bind(push.web) },
    { name: 'redis', ask: limits?.check?.bind(limits) },
    { name: 'poll_import', ask: polls ? (signal) => askPolls(polls, signal) : undefined },
  ];
}

/** The address that polls are imported from must answer as the import needs it. */
async function askPolls(address: string, signal: AbortSignal): Promise<void> {
  const { status } = await fetchResponse(address, { most: LARGEST_RESPONSE, signal });
  if (status !== 200) throw new CheckFailed(`It answered with ${status}.`);
}

/** Outlook works when Microsoft answers and the connected mailbox, if any, still permits it. */
async function askOutlook(
  outlook: NonNullable<Deps['outlook']>,
  signal: AbortSignal,
  mailbox?: () => Promise<string>,
): Promise<string | undefined> {
  await outlook.check(signal);
  return mailbox?.();
}

/** Returns whether a mailbox is connected. Throws CheckFailed where it permits nothing any more. */
async function mailboxOf({ db }: RequestContext): Promise<string> {
  const row = await db.mailConnection.findUnique({ where: { id: 1 }, select: { status: true } });
  if (row?.status === ConnectionStatus.REVOKED)
    throw new CheckFailed('The mailbox has revoked its permission.');
  return row ? 'A mailbox is connected.' : 'No mailbox is connected.';
}

/**
 * Asks each configured third party for its state, all at once, for at most two seconds. No response
 * holds a secret or an address.
 */
export async function diagnostics(context: RequestContext): Promise<Diagnostics> {
  const mailbox = () => mailboxOf(context);
  const thirdParties = await examineThirdParties({ ...context.deps, mailbox });
  return Object.assign(new Diagnostics(), { checkedAt: context.now(), thirdParties });
}

/** Asks each third party for its state, all at once, for at most two seconds. */
export const examineThirdParties = (access: ThirdPartyAccess): Promise<ThirdParty[]> =>
  Promise.all(probesOf(access).map(stateOf));

async function stateOf({ name, ask }: Probe): Promise<ThirdParty> {
  const state = (ok: boolean | null, latencyMs: number | null, detail: string) =>
    Object.assign(new ThirdParty(), { name, configured: ask !== undefined, ok, latencyMs, detail });
  if (!ask) return state(null, null, 'Not configured.');
  const began = performance.now();
  const elapsed = () => Math.round(performance.now() - began);
  try {
    const known = await checkWithin(PATIENCE, ask);
    return state(true, elapsed(), typeof known === 'string' ? known : 'It works.');
  } catch (error) {
    return state(false, elapsed(), reasonOf(error));
  }
}

/** Returns what failed, in words that are ours: those of others may hold addresses. */
function reasonOf(error: unknown): string {
  if (error instanceof CheckFailed) return error.message;
  if (error instanceof ProviderUnavailable) return `It failed: ${error.message}.`;
  const reason = error instanceof MailError ? error.reason : (error as { code?: unknown }).code;
  return typeof reason === 'string' && /^[A-Z][A-Z0-9_ ]{1,40}$/.test(reason)
    ? `It failed: ${reason}.`
    : 'It failed.';
}
