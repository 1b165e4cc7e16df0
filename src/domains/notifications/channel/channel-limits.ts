import type { RequestContext } from '../../../core/context.js';
import type { Policy } from '../../../platform/limits/limiter.js';
import { spend } from '../../sign-in/limits/sign-in-limits.service.js';

const HOUR = 60 * 60;
const DAY = 24 * HOUR;

const TO_ADDRESS: readonly Policy[] = [
  { name: 'channel-code', points: 3, seconds: HOUR },
  { name: 'channel-code-day', points: 10, seconds: DAY },
];
const BY_ACCOUNT: readonly Policy[] = [
  { name: 'channel-code-account', points: 5, seconds: HOUR },
  { name: 'channel-code-account-day', points: 15, seconds: DAY },
];
const FROM_ADDRESS: Policy = { name: 'channel-code-address', points: 20, seconds: HOUR };

/**
 * Call it before a code is sent to a channel: nobody may use codes to flood strangers, with however
 * many accounts. Counts against the caller's account and internet address, and against the address
 * that the code goes to. Throws TOO_MANY_REQUESTS.
 */
export async function guardChannelCode(context: RequestContext, to: string): Promise<void> {
  for (const policy of BY_ACCOUNT) await spend(context, policy, String(context.viewer.id));
  await spend(context, FROM_ADDRESS, context.input.address ?? '');
  const key = context.deps.tokens.fingerprint('channel', to);
  for (const policy of TO_ADDRESS) await spend(context, policy, key);
}
