import { EXPO_LIMIT } from '../../../src/platform/push/expo.js';
import { type SendingTurn, sharedTurns } from '../../../src/platform/push/shared-rate.js';
import { useService } from '../../support/harness.js';

const { signal } = new AbortController();
const { messagesPerSecond, connections } = EXPO_LIMIT;

describe('Processes that send to one provider', () => {
  const service = useService();
  const process = (provider = 'expo') => sharedTurns(service().database, provider, EXPO_LIMIT);
  const soon = AbortSignal.abort(); // the caller waits for nothing
  const taken = (turn: SendingTurn) => {
    if (!turn.isTaken) throw new Error(`There was no turn for ${turn.after} ms.`);
    return turn;
  };
  const insert = (freeAt: string, turns: object[] = []) =>
    service().database.query(
      `INSERT INTO provider_rate VALUES ('expo', clock_timestamp() + $1::interval, $2::jsonb)`,
      [freeAt, JSON.stringify(turns)],
    );

  it('send no more within a second than the provider takes, however late they send and it answers', async () => {
    const counted: [at: number, messages: number][] = [];
    let [open, most] = [0, 0];
    const send = async ({ take }: ReturnType<typeof process>, messages: number) => {
      const turn = taken(await take(messages, signal));
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 60)); // a busy process
      most = Math.max(most, ++open);
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 60));
      counted.push([performance.now(), messages]);
      open--;
      await turn.done();
    };
    const all = [process(), process(), process()];
    const sizes = [100, 1, 50, 100, 7, 100, 100, 33, 100];
    await Promise.all(all.flatMap((one) => sizes.map((messages) => send(one, messages))));
    for (const [at] of counted) {
      const within = counted.filter(([other]) => other >= at && other < at + 1_000);
      expect(within.reduce((sum, [, messages]) => sum + messages, 0)).toBeLessThanOrEqual(
        messagesPerSecond,
      );
    }
    expect(most).toBeLessThanOrEqual(connections);
  });

  it('have so many requests on their way as it takes connections', async () => {
    const [one, two] = [process(), process()];
    const turns = await Promise.all(
      [one, two, one, two, one, two].map(async ({ take }) => taken(await take(1, signal))),
    );
    expect(await one.take(1, soon)).toMatchObject({ isTaken: false });
    await turns[3]?.done();
    expect(await one.take(1, soon)).toMatchObject({ isTaken: true });
    expect(await two.take(1, soon)).toMatchObject({ isTaken: false });
  });

  it('give a turn back although the database fails for a moment', async () => {
    const { database } = service();
    let failures = 2;
    const query: typeof database.query = (text, ...rest) =>
      text.startsWith('UPDATE') && failures-- > 0
        ? Promise.reject(new Error('The database is away.'))
        : database.query(text, ...rest);
    const { take } = sharedTurns({ query }, 'expo', EXPO_LIMIT);
    const turns = await Promise.all(
      [1, 2, 3, 4, 5, 6].map(async () => taken(await take(1, signal))),
    );
    await turns[0]?.done();
    expect(await take(1, soon)).toMatchObject({ isTaken: true });
  });

  it('hold a turn longer than its lease while they say so, and count its messages once it is over', async () => {
    const [one, two] = [process(), process()];
    const age = () =>
      service().database.query(
        `UPDATE provider_rate SET turns = (
          SELECT jsonb_agg(t || jsonb_build_object('until', (t->>'until')::float8 - 9000))
          FROM jsonb_array_elements(turns) t)`,
      );
    const turns = await Promise.all([1, 2, 3, 4, 5, 6].map(() => one.take(1, signal)));
    await age();
    for (const turn of turns) await taken(turn).hold();
    expect(await two.take(1, soon)).toMatchObject({ isTaken: false });
    for (const turn of turns) await taken(turn).done();
    const whole = taken(await two.take(messagesPerSecond - 6, soon));
    await age();
    await whole.done();
    expect(await one.take(messagesPerSecond, soon)).toMatchObject({ isTaken: false });
  });

  it('send at once when nobody has sent for a while', async () => {
    await insert('-1 minute');
    expect(await process().take(100, soon)).toMatchObject({ isTaken: true });
  });

  it('wait for nothing that a process left that died long ago', async () => {
    const until = Date.now() - 1;
    await insert('-1 minute', [{ id: 'a', messages: messagesPerSecond, until }]);
    expect(await process().take(100, soon)).toMatchObject({ isTaken: true });
  });

  it('wait for what was taken while their own statement waited', async () => {
    const until = Date.now() + 10_000;
    await insert('-1 minute', [{ id: 'a', messages: messagesPerSecond, until }]);
    expect(await process().take(100, soon)).toMatchObject({ isTaken: false });
  });

  it('wait for nothing that is of before the clock of the database was set back', async () => {
    const until = Date.now() + 3_600_000;
    await insert('1 hour', [{ id: 'a', messages: messagesPerSecond, until }]);
    expect(await process().take(100, soon)).toMatchObject({ isTaken: true });
  });

  it('have turns of their own for each provider', async () => {
    await process().take(messagesPerSecond, signal);
    expect(await process('other').take(1, soon)).toMatchObject({ isTaken: true });
    expect(await process().take(1, soon)).toMatchObject({ isTaken: false });
  });

  it('take a batch alone that is larger than a second of the provider', async () => {
    expect(await process().take(2 * messagesPerSecond, soon)).toMatchObject({ isTaken: true });
  });

  it('are told when to ask again for a turn that is further ahead than five seconds', async () => {
    await insert('20 s');
    const turn = (await process().take(100, signal)) as { isTaken: false; after: number };
    expect(turn.isTaken).toBe(false);
    expect(turn.after).toBeGreaterThan(5_000);
    expect(turn.after).toBeLessThanOrEqual(20_000);
  });

  it('all wait as long as the provider asked one of them to, up to half a minute', async () => {
    const [one, two] = [process(), process()];
    const waits = async () => {
      const turn = await two.take(1, signal);
      return turn.isTaken ? 0 : turn.after;
    };
    await one.pause(20_000);
    const first = await waits();
    expect(first).toBeGreaterThan(10_000);
    await one.pause(5 * 60_000);
    const second = await waits();
    expect(second).toBeGreaterThan(first);
    expect(second).toBeLessThanOrEqual(30_000);
    await one.pause(1);
    expect(await waits()).toBeGreaterThan(20_000);
  });
});
