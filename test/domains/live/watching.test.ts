import { setTimeout as sleep } from 'node:timers/promises';
import { createClient as createEventClient } from 'graphql-sse';
import { type Client, createClient as createSocketClient } from 'graphql-ws';
import WebSocket from 'ws';
import { globalId } from '../../../src/core/node.js';
import { transact } from '../../../src/core/transact.js';
import { FeedHub } from '../../../src/domains/live/feed.hub.js';
import { moveFeeds } from '../../../src/domains/live/feed.service.js';
import { FeedKind } from '../../../src/domains/live/feed.types.js';
import { watchFeeds } from '../../../src/domains/live/watching.service.js';
import { makeCarer } from '../../support/factories.js';
import { type Caller, useService } from '../../support/harness.js';

const WATCH =
  'subscription($subjects: [FeedSubjectInput!]!) { changes(subjects: $subjects) { feed memberId ' +
  'member { name } version ended } }';

interface Told {
  readonly feed: string;
  readonly memberId: string;
  readonly member: { readonly name: string } | null;
  readonly version: number;
  readonly ended: boolean;
}
// biome-ignore lint/suspicious/noExplicitAny: bodies are what the tests are about
type Result = any;

describe('A carer who watches many members on one stream', () => {
  const service = useService();
  const ending: (() => unknown)[] = [];
  afterEach(async () => {
    await Promise.all(ending.splice(0).map((end) => end()));
  });

  const idOf = async (name: string) => (await service().account('subscriber', name)).id;
  /** Makes members whom the author cares for. Returns their ids. */
  const membersInCare = async (count: number) => {
    const { id: carerId } = await service().account('author');
    const ids: number[] = [];
    for (let i = 0; i < count; i++) {
      const memberId = await idOf(`member${i}`);
      await makeCarer(service(), { memberId, carerId });
      ids.push(memberId);
    }
    return ids;
  };
  const move = async (...ids: number[]) =>
    transact(await service().context(), (inner) => moveFeeds(inner, FeedKind.CALENDAR, ids));
  const subjectsOf = (ids: readonly number[], since: readonly number[] = []) =>
    ids.map((memberId, i) => ({ feed: 'CALENDAR', memberId, since: since[i] ?? 0 }));

  const overSocket = async (as: Caller) => {
    const client: Client = createSocketClient({
      url: `${service().url.replace('http', 'ws')}/graphql`,
      webSocketImpl: WebSocket,
      connectionParams: await service().authorization(as),
      retryAttempts: 0,
    });
    ending.push(() => client.dispose());
    return client;
  };
  const overEvents = async (as: Caller) => {
    const client = createEventClient({
      url: `${service().url}/graphql`,
      headers: await service().authorization(as),
      retryAttempts: 0,
    });
    ending.push(() => client.dispose());
    return client;
  };
  const CLIENTS = { WebSocket: overSocket, 'server-sent events': overEvents } as const;

  const watch = async (subjects: object[], over = overSocket, as: Caller = 'author') => {
    const client = await over(as);
    const events = client.iterate({ query: WATCH, variables: { subjects } });
    const next = async (): Promise<Result> => {
      const event = await Promise.race([events.next(), sleep(20_000, undefined, { ref: false })]);
      if (!event) throw new Error('the watcher is not told within twenty seconds');
      return event.value;
    };
    const told = async (): Promise<Told> => (await next()).data.changes;
    return { next, told, end: () => client.dispose() };
  };
  /** The versions that are told, by member, until each of these members has its version. */
  const heard = async (live: { told: () => Promise<Told> }, ids: readonly number[], at: number) => {
    const versions = new Map<string, number>();
    const isDone = () => ids.every((id) => versions.get(globalId('Account', id)) === at);
    while (!isDone()) {
      const { memberId, version, ended, feed } = await live.told();
      expect([ended, feed]).toStrictEqual([false, 'CALENDAR']);
      expect(version, 'each version is told once').toBeGreaterThan(versions.get(memberId) ?? 0);
      versions.set(memberId, version);
    }
    return versions.size;
  };

  for (const [name, over] of Object.entries(CLIENTS)) {
    it(`is told whose feed has changed, over ${name}`, async () => {
      const ids = await membersInCare(3);
      const live = await watch(subjectsOf(ids), over as typeof overSocket);
      await move(ids[1] as number);
      expect(await live.told()).toStrictEqual({
        feed: 'CALENDAR',
        memberId: globalId('Account', ids[1] as number),
        member: { name: 'The member1' },
        version: 1,
        ended: false,
      });
      await move(...ids);
      expect(await heard(live, [ids[0] as number, ids[2] as number], 1)).toBeGreaterThan(1);
    });

    it(`loses nothing after a reconnect with \`since\`, over ${name}`, async () => {
      const ids = await membersInCare(4);
      await move(...ids);
      const before = await watch(subjectsOf(ids), over as typeof overSocket);
      expect(await heard(before, ids, 1)).toBe(4);
      await before.end();
      await move(...ids.slice(1));
      await move(...ids.slice(1));
      const after = await watch(subjectsOf(ids, [1, 1, 1, 1]), over as typeof overSocket);
      expect(await heard(after, ids.slice(1), 3), 'the first did not change').toBe(3);
    });

    it(`loses one member when that right ends, and keeps the others, over ${name}`, async () => {
      const ids = await membersInCare(2);
      const [left, kept] = ids as [number, number];
      const live = await watch(subjectsOf(ids), over as typeof overSocket);
      await move(left, kept);
      expect(await heard(live, ids, 1)).toBe(2);
      const end = (memberId: number) =>
        service().database.prisma.careRelation.deleteMany({ where: { memberId } });
      await end(left);
      await move(left);
      const { memberId, version, ended } = await live.told();
      expect([memberId, version, ended], 'the version that was told before').toStrictEqual([
        globalId('Account', left),
        1,
        true,
      ]);
      await move(left);
      await move(kept);
      expect(await live.told()).toMatchObject({ version: 2, ended: false });
      await end(kept);
      await move(kept);
      expect(await live.told()).toMatchObject({ version: 2, ended: true });
      expect(await live.next(), 'nothing is left to watch').toBeUndefined();
    });
  }

  it('watches the own feeds beside those of members', async () => {
    const ids = await membersInCare(1);
    const own = { feed: 'NOTIFICATIONS' };
    const live = await watch([own, ...subjectsOf(ids)]);
    await service().data('mutation { testPush { deviceCount } }', {}, 'author');
    expect(await live.told()).toMatchObject({ feed: 'NOTIFICATIONS', version: 1 });
    await move(ids[0] as number);
    expect(await live.told()).toMatchObject({ feed: 'CALENDAR', version: 1 });
  });

  it('is refused each feed that may not be seen, by its place', async () => {
    const [mine = 0] = await membersInCare(1);
    const eve = await idOf('eve');
    const subjects = [
      ...subjectsOf([mine, eve]),
      { feed: 'NOTIFICATIONS', memberId: mine },
      { feed: 'CALENDAR', memberId: globalId('Account', mine) },
    ];
    const refused = await (await watch(subjects)).next();
    expect(refused.errors[0].extensions).toMatchObject({
      code: 'FORBIDDEN',
      problems: [
        { path: ['subjects', 1, 'memberId'], code: 'FORBIDDEN' },
        { path: ['subjects', 2, 'memberId'], code: 'FORBIDDEN' },
      ],
    });
    const other = [{ feed: 'CALENDAR', memberId: globalId('Post', mine) }];
    expect((await (await watch(other)).next()).errors[0].extensions).toMatchObject({
      code: 'ID_INVALID',
      problems: [{ path: ['subjects', 0, 'memberId'], code: 'ID_INVALID' }],
    });
    const many = Array.from({ length: 101 }, () => ({ feed: 'CALENDAR' }));
    expect((await (await watch(many)).next()).errors[0].extensions).toMatchObject({
      code: 'TOO_MANY',
      problems: [{ path: ['subjects'] }],
    });
    expect(service().app.deps.live.watching).toBe(0);
  });

  it('is let in by as many statements for many members as for one', async () => {
    const ids = await membersInCare(5);
    const start = async (members: readonly number[]) => {
      const context = await service().context('author');
      return service().statements(async () => {
        const subjects = members.map((memberId) => ({ feed: FeedKind.CALENDAR, memberId }));
        await (await watchFeeds(context, subjects)).return?.();
      });
    };
    // One for the rights and one of the hub, which may come later.
    expect(await start(ids)).toBeLessThanOrEqual(2);
    expect(await start(ids.slice(0, 1))).toBeGreaterThan(0);
  });
});

describe('The hub of feeds', () => {
  const hubOf = (versions: Map<string, number>, asked: string[][] = []) =>
    new FeedHub(
      async (names) => {
        asked.push([...names]);
        return versions;
      },
      (error) => {
        throw error;
      },
      5,
    );
  const since = (names: readonly string[]) => names.map((name) => ({ name, since: 0 }));

  it('reads the versions for all watchers at once, each feed once', async () => {
    const asked: string[][] = [];
    const versions = new Map<string, number>();
    const hub = hubOf(versions, asked);
    const [one, two] = [
      hub.watch(since(['a', 'b']), { accountId: 1 }),
      hub.watch(since(['b', 'c']), { accountId: 2 }),
    ];
    versions.set('b', 3);
    const moves = [await one.next(), await two.next()];
    expect(moves.map(({ value }) => [value.name, value.version])).toStrictEqual([
      ['b', 3],
      ['b', 3],
    ]);
    await sleep(50);
    expect(asked.at(-1)).toStrictEqual(['a', 'b', 'c']);
    await one.return?.();
    versions.set('c', 1);
    expect((await two.next()).value.name).toBe('c');
    expect(asked.at(-1), 'and no more those that nobody watches').toStrictEqual(['b', 'c']);
    await two.return?.();
    expect(hub.watching).toBe(0);
  });

  it('tells a feed that changes always no more often than the others', async () => {
    const versions = new Map<string, number>();
    const hub = hubOf(versions);
    const watcher = hub.watch(since(['a', 'b']), { accountId: 1 });
    for (const name of ['a', 'b']) versions.set(name, 1);
    expect((await watcher.next()).value.name).toBe('a');
    versions.set('a', 2);
    hub.nudge();
    expect((await watcher.next()).value.name).toBe('b');
    expect((await watcher.next()).value).toMatchObject({ name: 'a', version: 2, before: 1 });
    await watcher.return?.();
  });

  it('lets an account watch 1,000 feeds, however many streams they come in', async () => {
    const hub = hubOf(new Map());
    const names = Array.from({ length: 600 }, (_, i) => `feed:${i}`);
    const first = hub.watch(since(names), { accountId: 1 });
    const again = () => hub.watch(since(names), { accountId: 1 });
    expect(again).toThrow(/so many feeds/);
    const other = hub.watch(since(names), { accountId: 2 });
    await first.return?.();
    const second = again();
    await Promise.all([second.return?.(), other.return?.()]);
    expect(hub.watching).toBe(0);
  });

  it('tells who comes while it reads no version that is older than what is known', async () => {
    let version = 5;
    const reads: (() => void)[] = [];
    const hub = new FeedHub(
      async () => {
        const seen = new Map([['a', version]]);
        await new Promise<void>((resolve) => void reads.push(resolve));
        return seen;
      },
      () => {},
      5,
    );
    const read = async () => {
      while (reads.length === 0) await sleep(1);
      reads.shift()?.();
    };
    const first = hub.watch(since(['a']), { accountId: 1 });
    const second = hub.watch([{ name: 'a', since: 6 }], { accountId: 2 });
    const told = second.next();
    version = 6;
    await read();
    expect((await first.next()).value).toMatchObject({ version: 5 });
    await read();
    expect((await first.next()).value).toMatchObject({ version: 6 });
    version = 7;
    while ((await Promise.race([told, sleep(1, undefined)])) === undefined) await read();
    expect((await told).value).toMatchObject({ version: 7 });
    await Promise.all([first.return?.(), second.return?.()]);
  });

  it('reports an outage once', async () => {
    const reported: unknown[] = [];
    let reads = 0;
    const hub = new FeedHub(
      async () => {
        reads++;
        throw new Error('away');
      },
      (error) => void reported.push(error),
      1,
    );
    const watcher = hub.watch(since(['a']), { accountId: 1 });
    while (reads < 5) await sleep(1);
    await watcher.return?.();
    expect(reported).toHaveLength(1);
  });

  it('ends at once for a watcher of nothing', async () => {
    const watcher = hubOf(new Map()).watch([], { accountId: 1 });
    expect(await watcher.next()).toStrictEqual({ done: true, value: undefined });
  });
});
