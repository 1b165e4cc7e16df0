import type { Deps } from '../../../core/deps.js';
import {
  openAddress,
  outdatedPrefix,
  sealAddress,
} from '../../../platform/channel/channel-address.js';

const AT_ONCE = 500;

/**
 * Encrypts the addresses of channels again that SECRET_KEY_PREVIOUS encrypted. Returns how many.
 * For a job; without SECRET_KEY_PREVIOUS it asks nothing.
 */
export async function resealChannels({
  database: { db },
  keys,
}: Pick<Deps, 'database' | 'keys'>): Promise<number> {
  const prefix = outdatedPrefix(keys);
  if (!prefix) return 0;
  let sum = 0;
  for (let after = 0; ; ) {
    const rows = await db.device.findMany({
      where: { channel: { isNot: null }, token: { startsWith: prefix }, id: { gt: after } },
      select: { id: true, token: true },
      orderBy: { id: 'asc' },
      take: AT_ONCE,
    });
    for (const { id, token } of rows) {
      const address = openAddress(keys, token);
      if (address === undefined) continue;
      const data = { token: sealAddress(keys, address) };
      sum += (await db.device.updateMany({ where: { id, token }, data })).count;
    }
    const last = rows.at(-1);
    if (!last) return sum;
    after = last.id;
  }
}
