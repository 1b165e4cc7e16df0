import { randomBytes, randomInt } from 'node:crypto';
import type { RequestContext } from '../../../core/context.js';
import { DomainError, type Refusal, refuse } from '../../../core/errors.js';
import { hold, transact } from '../../../core/transact.js';
import { Prisma } from '../../../generated/prisma/client.js';
import { sealAddress } from '../../../platform/channel/channel-address.js';
import { textedPhone } from '../../../platform/phone.js';
import type { Outcome } from '../../../platform/push/push-transport.js';
import { fingerprint } from '../../../platform/push/token.js';
import { holdSignIn } from '../../accounts/sign-in-lock.service.js';
import { guardCode } from '../../sign-in/limits/sign-in-limits.service.js';
import { requireProof } from '../../sign-in/proof/email-proof.service.js';
import type { AddChannelInput, VerifyChannelInput } from './channel.inputs.js';
import { channelKinds, ownChannel, ownChannels } from './channel.service.js';
import { type Channel, ChannelKind } from './channel.types.js';
import { codeWords } from './channel-code.wording.js';
import { guardChannelCode } from './channel-limits.js';

const { sql } = Prisma;
/** Maximum number of channels of one account. */
export const MOST_CHANNELS = 5;
/** How long a code is good, in milliseconds. */
const LIFETIME = 10 * 60_000;
const DIGITS = 6;
const TRIES = 5;

/** Where a code goes. */
interface CodeTarget {
  readonly kind: ChannelKind;
  readonly address: string;
}

/**
 * Adds a channel for the caller and sends it a code; a channel of the same address is the same, and
 * gets none when it is verified and alive. The code is sent first: when that fails, nothing is
 * changed. Throws CHANNELS_NOT_CONFIGURED, CHANNEL_ADDRESS_INVALID, TOO_MANY, and what sending
 * throws.
 */
export async function addChannel(
  context: RequestContext,
  input: AddChannelInput,
): Promise<Channel> {
  refuseUnconfigured(context);
  const place = placeOf(input);
  const own = await ownChannels(context);
  const known = own.find((channel) => isAt(channel, place));
  if (known?.verifiedAt && !known.lostAt) return known;
  if (!known) refuseMore(own);
  const code = await sendCode(context, place);
  const id = await transact(context, async (inner) => {
    await holdSignIn(inner);
    await hold(inner, `channels:${context.viewer.id}`);
    const present = await ownChannels(inner);
    const id = present.find((channel) => isAt(channel, place))?.id;
    if (id === undefined) refuseMore(present);
    return keepCode(inner, id ?? (await createChannel(inner, place)), code);
  });
  return ownChannel(context, id);
}

/**
 * Sends a new code to one of the caller's channels. Throws CHANNELS_NOT_CONFIGURED,
 * CHANNEL_NOT_FOUND, and what sending throws: EMAIL_UNPROVEN, ACCOUNT_TOO_YOUNG,
 * CHANNEL_ADDRESS_INVALID for a number of another country than those that get texts,
 * TOO_MANY_REQUESTS, CHANNEL_ADDRESS_GONE and CHANNEL_UNREACHABLE.
 */
export async function sendChannelCode(context: RequestContext, id: number): Promise<Channel> {
  refuseUnconfigured(context);
  const { kind, address } = await ownChannel(context, id);
  const refusal = refusalOfCode(context, { address });
  if (refusal) throw new DomainError(refusal);
  const code = await sendCode(context, { kind, address: address as string });
  await transact(context, (inner) => keepCode(inner, id, code));
  return ownChannel(context, id);
}

/**
 * Proves that a channel is the caller's, and puts it into use. Throws CHANNEL_NOT_FOUND,
 * TOO_MANY_REQUESTS, and CHANNEL_CODE_INVALID for a code that is wrong, void or was tried too
 * often.
 */
export async function verifyChannel(
  context: RequestContext,
  { id, code }: VerifyChannelInput,
): Promise<Channel> {
  await ownChannel(context, id);
  const wasRight = await guardCode(context, 'channel', String(id));
  const verified = await transact(context, async (inner) => {
    await holdSignIn(inner);
    if (!(await redeem(inner, id, code))) return false;
    const now = inner.now();
    const proven = { codeHash: null, expiresAt: null, verifiedAt: now };
    await inner.db.device.update({
      where: { id },
      data: { suspendedAt: null, deadAt: null, lastSeenAt: now, channel: { update: proven } },
      select: { id: true },
    });
    return true;
  });
  if (!verified)
    throw refuse('CHANNEL_CODE_INVALID', 'The code is not right, or no longer good.', {
      param: 'code',
    });
  await wasRight();
  return ownChannel(context, id);
}

function refuseUnconfigured(context: RequestContext): void {
  if (channelKinds(context).length === 0) throw new DomainError(UNCONFIGURED);
}

const UNCONFIGURED = {
  reason: 'CHANNELS_NOT_CONFIGURED',
  message: 'This service sends no text or chat messages.',
} as const;

/** Returns CHANNELS_NOT_CONFIGURED; CHANNEL_UNREACHABLE where the address cannot be read now. */
export function refusalOfCode(
  context: RequestContext,
  { address }: Pick<Channel, 'address'>,
): Refusal | undefined {
  if (channelKinds(context).length === 0) return UNCONFIGURED;
  return address === null ? UNREACHABLE : undefined;
}

function refuseMore(own: readonly Channel[]): void {
  if (own.length >= MOST_CHANNELS)
    throw refuse('TOO_MANY', `An account has at most ${MOST_CHANNELS} channels.`);
}

/**
 * Throws CHANNEL_ADDRESS_INVALID for a number of a country that gets no texts: those of some
 * countries cost so much that people have them sent for their share in the price.
 */
function refuseCountry({ deps }: RequestContext, { kind, address }: CodeTarget): void {
  if (kind !== ChannelKind.SMS) return;
  const allowed = deps.config.MESSAGES_COUNTRIES;
  const { country } = textedPhone(address) ?? {};
  if (country && allowed.includes(country)) return;
  throw refuse(
    'CHANNEL_ADDRESS_INVALID',
    `Text messages go to numbers of these countries alone: ${allowed.join(', ')}.`,
    { param: 'address' },
  );
}

const isAt = (channel: Channel, { kind, address }: CodeTarget) =>
  channel.kind === kind && channel.address === address;

/** Throws CHANNEL_ADDRESS_INVALID for what is no number or handle. */
function placeOf({ kind, address: given, country }: AddChannelInput): CodeTarget {
  const address =
    kind === ChannelKind.SMS ? textedPhone(given, country ?? undefined)?.e164 : handleOf(given);
  if (address !== undefined) return { kind, address };
  const message =
    kind === ChannelKind.SMS
      ? 'This is no number that text messages can be sent to. Write the code of its country too.'
      : 'A handle is one line of at most 200 bytes.';
  throw refuse('CHANNEL_ADDRESS_INVALID', message, { param: 'address' });
}

function handleOf(given: string): string | undefined {
  const handle = given.trim();
  return handle && !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(handle) ? handle : undefined;
}

/** Sends a new code, which is returned. Call it outside of a transaction: it may take seconds. */
async function sendCode(context: RequestContext, place: CodeTarget): Promise<string> {
  const { kind, address } = place;
  refuseCountry(context, place);
  await transact(context, requireStanding);
  await guardChannelCode(context, `${kind} ${address}`);
  const { deps, viewer, site } = context;
  const code = String(randomInt(10 ** DIGITS)).padStart(DIGITS, '0');
  const language = { select: { code: true } } as const;
  const reader = await context.db.account.findUniqueOrThrow({
    where: { id: viewer.id },
    select: { language },
  });
  const dueAt = context.now();
  const [outcome] = await deps.push[kind].send(
    [
      {
        id: randomBytes(16).toString('base64url'),
        token: sealAddress(deps.keys, address),
        title: '',
        body: codeWords(reader.language.code, { code, site: site.title }),
        data: {},
        ttl: LIFETIME / 1000,
        kind: 'verification',
        dueAt,
        expiresAt: new Date(dueAt.getTime() + LIFETIME),
      },
    ],
    { signal: new AbortController().signal }, // the transport has a time limit of its own
  );
  refuseUnsent(outcome);
  return code;
}

/**
 * Throws EMAIL_UNPROVEN and ACCOUNT_TOO_YOUNG: a text costs money and reaches somebody who may
 * never have heard of the service, so accounts that anybody can make by the thousand send none.
 */
async function requireStanding(context: RequestContext): Promise<void> {
  await requireProof(context, { mails: true });
  const { createdAt } = await context.db.account.findUniqueOrThrow({
    where: { id: context.viewer.id },
    select: { createdAt: true },
  });
  const hours = context.deps.config.MESSAGES_ACCOUNT_HOURS;
  const from = new Date(createdAt.getTime() + hours * 60 * 60_000);
  if (hours > 0 && from > context.now())
    throw refuse(
      'ACCOUNT_TOO_YOUNG',
      `An account can add numbers and chats ${hours} hours after it was made: from ${from.toISOString()}.`,
    );
}

function refuseUnsent(outcome: Outcome | undefined): void {
  if (outcome?.kind === 'delivered') return;
  if (outcome?.kind === 'dead' || outcome?.kind === 'refused')
    throw refuse('CHANNEL_ADDRESS_GONE', 'This address does not exist, or takes no messages.', {
      param: 'address',
    });
  throw new DomainError(UNREACHABLE);
}

const UNREACHABLE = {
  reason: 'CHANNEL_UNREACHABLE',
  message: 'The code could not be sent now. Try again later.',
} as const;

/** Makes a channel that is suspended until it is verified. */
async function createChannel(
  context: RequestContext,
  { kind, address }: CodeTarget,
): Promise<number> {
  const now = context.now();
  const token = sealAddress(context.deps.keys, address);
  const { id } = await context.db.device.create({
    data: {
      accountId: context.viewer.id,
      kind,
      token,
      tokenHash: fingerprint(token),
      createdAt: now,
      lastSeenAt: now,
      suspendedAt: now,
      channel: { create: {} },
    },
    select: { id: true },
  });
  return id;
}

/** Makes a code the only good one of a channel; returns the channel's id. */
async function keepCode(context: RequestContext, id: number, code: string): Promise<number> {
  const data = {
    codeHash: context.deps.tokens.hashCode(`channel ${id}`, code),
    expiresAt: new Date(context.now().getTime() + LIFETIME),
    tries: 0,
  };
  await context.db.channel.updateMany({ where: { deviceId: id }, data });
  return id;
}

/**
 * Uses up one try of a code. Returns whether it was right. The update locks the row, so
 * simultaneous tries are all counted.
 */
async function redeem(context: RequestContext, id: number, code: string): Promise<boolean> {
  const [tried] = await context.rows<{ hash: string }>(sql`
    UPDATE channel c SET tries = c.tries + 1 FROM device v
    WHERE v.id = c.device_id AND v.id = ${id}::int AND v.account_id = ${context.viewer.id}::int
      AND c.code_hash IS NOT NULL AND c.expires_at > ${context.now().toISOString()}::timestamptz
      AND c.tries < ${TRIES}::int
    RETURNING c.code_hash AS hash`);
  if (!tried) return false;
  return context.deps.tokens.isCode(tried.hash, `channel ${id}`, code.replace(/\s/g, ''));
}
