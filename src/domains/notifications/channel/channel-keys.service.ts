import type { Deps } from '../../../core/deps.js';
import {
  openAddress,
  outdatedKey,
  sealAddress,
} from '../../../platform/channel/channel-address.js';

const AT_ONCE = 500;

/**
 * Encrypts the addresses of channels again that SECRET_KEY_PREVIOUS encrypted. Returns how many.
 * For a job; without SECRET_KEY_PREVIOUS it asks nothing.
 */
export async function resealChannels(
  { database: { db }, keys }: Pick<Deps, 'database' | 'keys'>,
  stopping?: AbortSignal,
): Promise<number> {
  const key = outdatedKey(keys);
  if (!key) return 0;
  let sum = 0;
  for (let after = 0; !stopping?.aborted; ) {
    // As the index `device_address_key` has it.
    const rows = await db.$queryRaw<{ id: number; token: string }[]>`
      SELECT id, token FROM device WHERE kind IN ('sms', 'chat')
        AND split_part(token, '.', 1) = ${key} AND id > ${after}::int
      ORDER BY id LIMIT ${AT_ONCE}::int`;
    for (const { id, token } of rows) {
      const address = openAddress(keys, token);
      if (address === undefined) continue;
      const data = { token: sealAddress(keys, address) };
      sum += (await db.device.updateMany({ where: { id, token }, data })).count;
    }
    const last = rows.at(-1);
    if (!last) break;
    after = last.id;
  }
  return sum;
}
