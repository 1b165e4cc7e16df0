import { openAddress, sealAddress } from '../../../platform/channel/channel-address.js';
import { fingerprint } from '../../../platform/push/token.js';
import { isToken } from '../mapping/devices.service.js';
import type { LineKind } from './line.js';

/** Whom members let care for them. */
export const CARE_RELATION_LINES: LineKind = {
  name: 'careRelation',
  table: 'care_relation',
  fields: {
    memberId: 'integer',
    carerId: 'integer',
    right: 'text',
    position: 'integer',
    createdAt: 'instant',
    toldOfSilenceAt: 'instant?',
    version: 'integer',
  },
};

/** Which members are assigned to which clinicians. */
export const CARE_ASSIGNMENT_LINES: LineKind = {
  name: 'careAssignment',
  table: 'care_assignment',
  key: ['member_id', 'clinician_id'],
  fields: { memberId: 'integer', clinicianId: 'integer', createdAt: 'instant' },
};

/** Which clinicians opened the care of members who are not assigned to them. */
export const BREAK_GLASS_LINES: LineKind = {
  name: 'breakGlass',
  table: 'break_glass',
  fields: {
    memberId: 'integer',
    clinicianId: 'integer',
    reason: 'text',
    createdAt: 'instant',
    endsAt: 'instant',
  },
};

const CHANNELS: ReadonlySet<unknown> = new Set(['sms', 'chat']);

/** Devices that take pushes, and channels. Addresses of channels are in plain text. */
export const DEVICE_LINES: LineKind = {
  name: 'device',
  table: 'device',
  where: 't.dead_at IS NULL',
  fields: {
    accountId: 'integer',
    type: { type: 'text', sql: 't.kind' },
    token: 'text',
    platform: 'text',
    installation: 'text?',
    createdAt: 'instant',
    lastSeenAt: 'instant',
    suspendedAt: 'instant?',
    unservedAt: 'instant?',
  },
  parts: {
    channel: {
      table: 'channel',
      of: 'device_id',
      order: 'p.device_id',
      isOne: true,
      fields: { verifiedAt: 'instant?', version: 'integer' },
    },
  },
  judged: ['account_id'],
  filled: ['kind', 'token', 'token_hash'],
  opened: (line, keys) =>
    CHANNELS.has(line.type)
      ? { ...line, token: openAddress(keys, String(line.token)) ?? '' }
      : line,
  fault: ({ type, token }) => {
    if (CHANNELS.has(type)) return token ? undefined : 'its address is missing';
    return isToken(String(token)) ? undefined : 'its token is none that a provider issues';
  },
  fill({ type, token: given }, { context: { deps } }) {
    const token = CHANNELS.has(type) ? sealAddress(deps.keys, String(given)) : String(given);
    return { kind: type, token, token_hash: fingerprint(token) };
  },
};
