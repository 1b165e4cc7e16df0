import type { Config } from '../../config/config.js';
import { examineThirdParties } from '../../domains/diagnostics/diagnostics.service.js';
import { CheckFailed } from '../../platform/check.js';
import { Keys } from '../../platform/keys.js';
import { checkRedis } from '../../platform/redis.js';
import { openProviders } from '../make-deps.js';
import { type Finding, note, ok, unused, wrong } from './finding.js';

/** Milliseconds for which Redis is waited for. */
const PATIENCE = 2_000;

/** Connects to Redis. */
export async function examineRedis({ REDIS_URL: url, RATE_LIMITS }: Config): Promise<Finding> {
  if (!url) return unused('redis', 'REDIS_URL is not set: each process counts quotas for itself.');
  if (RATE_LIMITS === 'off') return note('redis', 'RATE_LIMITS is off, so REDIS_URL is not used.');
  try {
    await checkRedis(url, PATIENCE);
    return ok('redis', 'It answers.');
  } catch (error) {
    if (error instanceof CheckFailed) return wrong('redis', error.message);
    throw error;
  }
}

/** Asks each provider that is configured, without sending anything to anybody. */
export async function examineProviders(config: Config): Promise<Finding[]> {
  const keys = new Keys(config.SECRET_KEY ?? '');
  const parties = await examineThirdParties({
    config,
    ...openProviders({ config, clock: Date.now, keys }),
  });
  return parties
    .filter(({ name }) => name !== 'redis')
    .map(({ name, ok: works, detail }) => {
      const what = name.replaceAll('_', ' ');
      if (works === null) return unused(what, detail);
      return works ? ok(what, detail) : wrong(what, detail);
    });
}
