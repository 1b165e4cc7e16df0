import type { RequestContext } from '../../../core/context.js';
import { DomainError, type Refusal, refuse } from '../../../core/errors.js';
import { updateRow } from '../../../core/row.js';
import { deleteOnce } from '../../../core/transact.js';
import { openAddress } from '../../../platform/channel/channel-address.js';
import type { UpdateChannelInput } from './channel.inputs.js';
import { Channel, ChannelKind } from './channel.types.js';

const SHOWN = {
  id: true,
  kind: true,
  token: true,
  suspendedAt: true,
  deadAt: true,
  createdAt: true,
  channel: { select: { verifiedAt: true, version: true } },
} as const;

/** Returns the kinds of channels that the configuration serves. */
export const channelKinds = ({ deps }: RequestContext): ChannelKind[] =>
  deps.config.MESSAGES_WEBHOOK_URL ? Object.values(ChannelKind) : [];

/** Returns the caller's channels, the oldest first. */
export async function ownChannels(context: RequestContext): Promise<Channel[]> {
  return channelsWhere(context, { accountId: context.viewer.id });
}

/** Returns those of these channels that are the caller's. */
export async function channelsById(
  context: RequestContext,
  ids: readonly number[],
): Promise<Channel[]> {
  return channelsWhere(context, { id: { in: [...ids] }, accountId: context.viewer.id });
}

/** Returns one of the caller's channels. Throws CHANNEL_NOT_FOUND for any other. */
export async function ownChannel(context: RequestContext, id: number): Promise<Channel> {
  const [channel] = await channelsById(context, [id]);
  if (!channel) throw channelNotFound();
  return channel;
}

/** Returns the channels of an account, for its export, with when each was added. */
export async function exportChannels(
  context: RequestContext,
  accountId: number,
): Promise<object[]> {
  const rows = await rowsWhere(context, { accountId });
  return rows.map((row) => ({ ...channelOf(context, row), createdAt: row.createdAt }));
}

interface Which {
  readonly accountId: number;
  readonly id?: { readonly in: number[] };
}

async function channelsWhere(context: RequestContext, which: Which): Promise<Channel[]> {
  return (await rowsWhere(context, which)).map((row) => channelOf(context, row));
}

const rowsWhere = ({ db }: RequestContext, which: Which) =>
  db.device.findMany({
    where: { ...which, channel: { isNot: null } },
    select: SHOWN,
    orderBy: { id: 'asc' },
  });

type ChannelRow = Awaited<ReturnType<typeof rowsWhere>>[number];

function channelOf(
  { deps }: RequestContext,
  { id, kind, token, suspendedAt, deadAt, channel }: ChannelRow,
): Channel {
  return Object.assign(new Channel(), {
    id,
    kind: kind as ChannelKind,
    address: openAddress(deps.keys, token) ?? null,
    verifiedAt: channel?.verifiedAt ?? null,
    reminders: suspendedAt === null,
    lostAt: deadAt,
    version: channel?.version ?? 0,
  });
}

/**
 * Switches the reminders of one of the caller's channels on or off. Throws CHANNEL_NOT_FOUND,
 * CHANNEL_UNVERIFIED for one that is not verified, and CONFLICT.
 */
export const updateChannel = (
  context: RequestContext,
  { reminders, ...based }: UpdateChannelInput,
): Promise<Channel> =>
  updateRow(context, based, {
    what: 'channel',
    read: verifiedChannel,
    update: async (inner, { id, version }, increment) => {
      const { count } = await inner.db.channel.updateMany({
        where: { deviceId: id, ...(version !== undefined && { version }) },
        data: { version: increment },
      });
      const data = { suspendedAt: reminders ? null : inner.now() };
      if (count > 0) await inner.db.device.updateMany({ where: { id }, data });
      return { count };
    },
  });

async function verifiedChannel(context: RequestContext, id: number): Promise<Channel> {
  const channel = await ownChannel(context, id);
  const refusal = refusalOfReminders(context, channel);
  if (refusal) throw new DomainError(refusal);
  return channel;
}

/** Returns CHANNEL_UNVERIFIED for a channel that is not verified. */
export const refusalOfReminders = (
  _context: RequestContext,
  { verifiedAt }: Channel,
): Refusal | undefined =>
  verifiedAt
    ? undefined
    : {
        reason: 'CHANNEL_UNVERIFIED',
        message: 'Verify the channel by its code first.',
        param: 'id',
      };

/** Deletes one of the caller's channels. Throws CHANNEL_NOT_FOUND for any other. */
export async function removeChannel(context: RequestContext, id: number): Promise<void> {
  const where = { id, accountId: context.viewer.id, channel: { isNot: null } };
  await deleteOnce(context, async ({ db }) => {
    if ((await db.device.deleteMany({ where })).count === 0) throw channelNotFound();
    return where;
  });
}

const channelNotFound = () =>
  refuse('CHANNEL_NOT_FOUND', 'You have no such channel.', { param: 'id' });
