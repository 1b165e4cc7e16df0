import { EXPO_RATE } from '../../../src/platform/push/expo.js';
import { sharedTurns } from '../../../src/platform/push/shared-rate.js';
import { useService } from '../../support/harness.js';

describe('Processes that send to one provider', () => {
  const service = useService();
  const process = () => sharedTurns(service().database, 'expo', EXPO_RATE);
  const processes = () => [process(), process(), process()] as const;

  it('take turns so far apart that the limit of the provider is never exceeded', async () => {
    const sizes = [100, 1, 50, 100, 7, 100, 100, 33, 100];
    const turns = await Promise.all(
      sizes.flatMap((messages) =>
        processes().map(async ({ take }) => ({ messages, ...(await take(messages)) })),
      ),
    );
    const ordered = turns.sort((a, b) => a.at - b.at);
    for (const [i, { at, messages }] of ordered.slice(0, -1).entries()) {
      const next = ordered[i + 1] as (typeof ordered)[number];
      expect(next.at - at).toBeGreaterThanOrEqual((messages * 1_000) / EXPO_RATE - 0.01);
    }
  });

  it('wait for nothing when nobody has sent for a while', async () => {
    const [{ take }] = processes();
    await service().database.query(
      `INSERT INTO provider_rate VALUES ('expo', clock_timestamp() - interval '1 minute')`,
    );
    expect((await take(100)).wait).toBeLessThanOrEqual(0);
  });

  it('wait for half a minute at most when the clock of the database was set back', async () => {
    const [{ take }] = processes();
    await service().database.query(
      `INSERT INTO provider_rate VALUES ('expo', clock_timestamp() + interval '1 hour')`,
    );
    expect((await take(100)).wait).toBeLessThanOrEqual(30_000);
    expect((await take(100)).wait).toBeLessThanOrEqual(30_000);
  });

  it('keep a turn for each provider', async () => {
    const [{ take }] = processes();
    await take(60_000);
    const other = sharedTurns(service().database, 'other', EXPO_RATE);
    expect((await other.take(1)).wait).toBeLessThanOrEqual(0);
    expect((await take(1)).wait).toBeGreaterThan(0);
  });

  it('take no turn that is further ahead than five seconds, and leave it to whoever asks next', async () => {
    const [one, two] = processes();
    await service().database.query(
      `INSERT INTO provider_rate VALUES ('expo', clock_timestamp() + interval '20 s')`,
    );
    const none = await two.take(100);
    expect(none.isTaken).toBe(false);
    expect(none.wait).toBeGreaterThan(5_000);
    const again = await one.take(100);
    expect([again.isTaken, again.at]).toStrictEqual([false, none.at]);
  });

  it('all wait as long as the provider asked one of them to, up to half a minute', async () => {
    const [one, two] = processes();
    await one.pause(20_000);
    expect(await two.take(1)).toMatchObject({ isTaken: false });
    const { wait } = await two.take(1);
    expect(wait).toBeGreaterThan(10_000);
    await one.pause(5 * 60_000);
    expect((await two.take(1)).wait).toBeLessThanOrEqual(30_000);
    await one.pause(1);
    expect((await two.take(1)).wait).toBeGreaterThan(wait);
  });
});
