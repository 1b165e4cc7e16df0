import fc from 'fast-check';
import { useService } from '../../support/harness.js';
import { Living } from './life/living.js';
import { life } from './life/script.js';
import { World } from './life/world.js';

/**
 * A life costs about as much as a hundred runs of another property; and to leave steps out of one
 * that fails costs as much again and again.
 */
const LIVES = Math.ceil(Number(process.env.PROPERTY_RUNS ?? 400) / 100);
/** The gate lives the same lives every time; every night has its own. */
const SEED = process.env.NIGHTLY ? {} : { seed: 1 };

describe('The reminders of members who live on', () => {
  const service = useService();

  it(`come as an oracle says that knows only what they did, in ${LIVES} lives at random`, async () => {
    await fc.assert(
      fc.asyncProperty(life, async (one) => {
        await service().clean();
        await new Living(one, new World(service(), one.workers)).live();
      }),
      {
        ...SEED,
        numRuns: LIVES,
        includeErrorInReport: true,
      },
    );
  });
});
