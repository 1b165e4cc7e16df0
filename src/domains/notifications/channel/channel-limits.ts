import { Gauge } from 'prom-client';
import type { RequestContext } from '../../../core/context.js';
import { DomainError } from '../../../core/errors.js';
import { tooMany } from '../../../core/quota.js';
import type { Policy } from '../../../platform/limits/limiter.js';
import { registry } from '../../../platform/metrics/metrics.js';
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

/** The budget of all members together, by its number of codes: one object for one number. */
const TOGETHER = new Map<number, Policy>();

function budgetOf({ deps }: RequestContext): Policy {
  const points = deps.config.MESSAGES_CODES_PER_HOUR;
  const policy = TOGETHER.get(points) ?? { name: 'channel-code-all', points, seconds: HOUR };
  TOGETHER.set(points, policy);
  return policy;
}

/** How often a used-up budget is logged. */
const ALARM: Policy = { name: 'channel-code-alarm', points: 1, seconds: HOUR };

/**
 * Call it before a code is sent to a channel: nobody may use codes to flood strangers, or to have
 * texts sent for their price, with however many accounts. Counts against the caller's account and
 * internet address, against the address that the code goes to, and last against the budget of all
 * members, so that refused codes do not use that up. Throws TOO_MANY_REQUESTS.
 */
export async function guardChannelCode(context: RequestContext, to: string): Promise<void> {
  for (const policy of BY_ACCOUNT) await spend(context, policy, String(context.viewer.id));
  await spend(context, FROM_ADDRESS, context.input.address ?? '');
  const key = context.deps.tokens.fingerprint('channel', to);
  for (const policy of TO_ADDRESS) await spend(context, policy, key);
  await spendOfAll(context);
}

/** Counts a code of all members. Above the budget it logs an error, once an hour, and refuses. */
async function spendOfAll(context: RequestContext): Promise<void> {
  const { limits, log } = context.deps;
  if (!limits.on) return;
  const policy = budgetOf(context);
  const { allowed, remaining, resetMs } = await limits.limiter(policy).take('all', 1);
  observeBudget(remaining);
  if (allowed) return;
  if ((await limits.limiter(ALARM).take('all', 1)).allowed)
    log.error(
      { codes: policy.points },
      'MESSAGES_CODES_PER_HOUR is used up: nobody can add a number or chat until the hour is over',
    );
  throw new DomainError(tooMany(policy.name, resetMs));
}

const left = new Gauge({
  name: 'care_channel_codes_left',
  help: 'Codes to numbers and chats that all members together have left in the hour of the last one.',
  aggregator: 'min',
  registers: [registry],
});

left.remove(); // it is unknown until a code was sent

/** Shows what is left of the budget of codes. */
function observeBudget(codes: number): void {
  left.set(codes);
}
