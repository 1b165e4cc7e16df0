import fc from 'fast-check';
import { createApp } from '../../../src/app/app.js';
import type { RequestContext } from '../../../src/core/context.js';
import { DomainError } from '../../../src/core/errors.js';
import { judgeRefresh } from '../../../src/domains/sign-in/session/refresh.js';
import { refreshSession } from '../../../src/domains/sign-in/session/session.service.js';
import { createGuestSession } from '../../../src/domains/sign-in/sign-up/sign-up.service.js';
import { siteReader } from '../../../src/domains/site/site.service.js';
import { budget } from '../../support/budget.js';
import { makeGuest } from '../../support/factories.js';
import { bearer, errorCode, useService } from '../../support/harness.js';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const DAY = 24 * 60 * MINUTE;
const GRACE = 30 * SECOND;

/** What may happen to a session, after some time has passed. */
type Step = { readonly wait: number } & (
  | { readonly what: 'refresh' | 'lost' } // one tab refreshes; the answer comes, or is lost on its way
  | { readonly what: 'work' } // the client uses its access token
  | { readonly what: 'race'; readonly late: number; readonly works: boolean } // two tabs at once, and one works meanwhile
  | { readonly what: 'steal'; readonly age: number } // a thief copies the pair in store, or one that was there before
  | { readonly what: 'thief' } // refreshes with what was stolen, and keeps what is answered
  | { readonly what: 'abuse' } // uses the access token that was stolen
);

const wait = fc.oneof(
  fc.integer({ min: SECOND, max: 2 * MINUTE }),
  fc.integer({ min: SECOND, max: DAY }),
  fc.integer({ min: SECOND, max: 15 * DAY }),
  fc.constantFrom(GRACE, GRACE + 1),
);
const step = (...what: ('refresh' | 'lost' | 'work' | 'thief' | 'abuse')[]) =>
  fc.record({ wait, what: fc.constantFrom(...what) });
const client = fc.oneof(
  step('refresh', 'lost', 'work', 'work'),
  fc.record({
    wait,
    what: fc.constant('race' as const),
    late: fc.integer({ min: 0, max: GRACE }),
    works: fc.boolean(),
  }),
);
const thief = fc.oneof(
  fc.record({ wait, what: fc.constant('steal' as const), age: fc.nat(3) }),
  step('thief', 'thief', 'abuse'),
);
const honest: fc.Arbitrary<Step[]> = fc.array(client, { minLength: 1, maxLength: 12 });
const robbed: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof({ arbitrary: client, weight: 3 }, { arbitrary: thief, weight: 2 }),
  {
    minLength: 4,
    maxLength: 14,
  },
);

/**
 * A server as a client sees it: the counter of the answered pair, or a refusal; whether an access
 * token of a pair is taken.
 */
interface Server {
  present(counter: number, now: number): Promise<number | undefined>;
  access(counter: number, now: number): Promise<boolean>;
}

/**
 * The rule told by history instead of by a row: when each refresh token, and an access token of
 * each pair, was first used.
 */
class History {
  readonly refreshed = new Set<number>();
  readonly accessed = new Map<number, number>();
  current = 0;
  ended = false;
  over = false;

  constructor(
    private readonly start: number,
    private lastUse = start,
  ) {}

  /** Whether a token must be answered now; notes what follows. */
  present(counter: number, now: number): number | undefined {
    const successor = this.accessed.get(counter + 1);
    const late = successor !== undefined && now - successor > GRACE;
    this.over ||= now - this.lastUse > 90 * DAY || now - this.start > 180 * DAY;
    if (this.over) return undefined;
    if (late || this.refreshed.has(counter + 1)) this.ended = true;
    if (this.ended) return undefined;
    this.lastUse = now;
    if (counter === this.current) {
      this.refreshed.add(counter);
      this.current++;
    }
    return this.current;
  }

  /** Whether an access token of a pair is taken now; expiry is left out. */
  access(counter: number, now: number): boolean {
    if (this.ended || now - this.start > 180 * DAY) return false;
    if (!this.accessed.has(counter)) this.accessed.set(counter, now);
    return true;
  }
}

interface Told {
  /** The client was refused, and the session was not over by its age. */
  lost: boolean;
  /** A thief used a pair that the client had stored. */
  betrayed: boolean;
}

/** Plays a schedule against a server and compares each of its answers with the history's. */
async function play(steps: readonly Step[], server: Server, start: number): Promise<Told> {
  const history = new History(start);
  const told: Told = { lost: false, betrayed: false };
  const kept = [0];
  let now = start;
  let store = 0;
  let stolen: number | undefined;
  const present = async (counter: number) => {
    const expected = history.present(counter, now);
    expect(await server.present(counter, now), `token ${counter} at ${now - start}`).toBe(expected);
    return expected;
  };
  const access = async (counter: number) => {
    const expected = history.access(counter, now);
    expect(await server.access(counter, now), `access token ${counter} at ${now - start}`).toBe(
      expected,
    );
  };
  const use = async (counter: number) => {
    const answered = await present(counter);
    told.lost ||= answered === undefined && !history.over;
    return answered ?? counter;
  };
  const keep = (counter: number) => {
    store = counter;
    kept.push(counter);
  };
  for (const step of steps) {
    now += step.wait;
    if (step.what === 'refresh') keep(await use(store));
    if (step.what === 'lost') await use(store);
    if (step.what === 'work') await access(store);
    if (step.what === 'race') {
      const read = store;
      keep(await use(read));
      if (step.works) await access(store);
      now += step.late;
      keep(await use(read));
    }
    if (step.what === 'steal') stolen = kept.at(-1 - step.age) ?? stolen;
    if (step.what === 'abuse' && stolen !== undefined) {
      told.betrayed = true;
      await access(stolen);
    }
    if (step.what === 'thief' && stolen !== undefined) {
      told.betrayed = true;
      stolen = (await present(stolen)) ?? stolen;
    }
  }
  return told;
}

/** A server of one session, without a database: the rule alone. */
function rule(start: number): Server {
  const createdAt = new Date(start);
  const none = { pairUsedAt: null as Date | null, endedAt: null as Date | null };
  const session = { ...none, counter: 0, createdAt, usedAt: createdAt };
  return {
    async present(counter, now) {
      const judgement = judgeRefresh(session, counter, now);
      if (judgement === 'reuse') session.endedAt = new Date(now);
      if (judgement === 'reuse' || judgement === 'over') return undefined;
      session.usedAt = new Date(now);
      if (judgement === 'rotate')
        Object.assign(session, { counter: counter + 1, pairUsedAt: null });
      return session.counter;
    },
    async access(counter, now) {
      if (session.endedAt || now - start > 180 * DAY) return false;
      if (counter === session.counter) session.pairUsedAt ??= new Date(now);
      return true;
    },
  };
}

describe('A client that loses answers, tries again after a second or after 15 days, and has two tabs', () => {
  const service = useService();
  const start = Date.parse('2026-03-01T08:00:00Z');

  /**
   * A server of one session by way of the service's own functions. Access tokens are issued when
   * they are used: none expires.
   */
  async function served(): Promise<Server> {
    service().at(start);
    const context: RequestContext = await service().context();
    const { refreshToken, user } = await createGuestSession(context, { language: 1 });
    const [sessionId = ''] = refreshToken.split('.');
    const { app } = service();
    const { tokens } = app.deps;
    return {
      async present(counter, now) {
        service().now = () => now;
        try {
          const answer = await refreshSession(context, {
            refreshToken: tokens.signRefresh(sessionId, counter),
          });
          const read = tokens.readRefresh(answer.refreshToken)?.counter;
          expect((await tokens.readAccess(answer.token))?.counter).toBe(read);
          return read;
        } catch (error) {
          expect(
            error instanceof DomainError && error.refusal.reason === 'REFRESH_TOKEN_INVALID',
            String(error),
          ).toBe(true);
          return undefined;
        }
      },
      async access(counter, now) {
        service().now = () => now;
        const token = await tokens.signAccess({ accountId: user.id, sessionId, counter }, now);
        const incoming = {
          authorization: `Bearer ${token}`,
          siteUrl: service().url,
          requestId: 'test',
        };
        return (await app.createContext(incoming)).viewer.id === user.id;
      },
    };
  }

  it('keeps its session', async () => {
    const keeps = async (steps: Step[]) =>
      expect((await play(steps, rule(start), start)).lost).toBe(false);
    await fc.assert(fc.asyncProperty(honest, keeps), { numRuns: budget(1_000, 5_000) });
  });

  it('loses it only when a thief used what it had stored', async () => {
    const RUNS = budget(2_000, 10_000);
    let [lost, kept] = [0, 0];
    const only = async (steps: Step[]) => {
      const told = await play(steps, rule(start), start);
      expect(!told.lost || told.betrayed).toBe(true);
      if (told.lost) lost++;
      else kept++;
    };
    await fc.assert(fc.asyncProperty(robbed, only), { numRuns: RUNS });
    expect(
      lost > RUNS / 20 && kept > RUNS / 20,
      `the schedules try both: ${lost} lost, ${kept} kept`,
    ).toBe(true);
  });

  it('is noticed within one rotation beside a thief who refreshes with any token but the newest', async () => {
    const waits = fc.array(fc.integer({ min: GRACE + 1, max: DAY }), {
      minLength: 1,
      maxLength: 24,
    });
    const noticed = async (rotations: number[], age: number) => {
      const server = rule(start);
      let now = start;
      for (const [counter, wait] of rotations.entries()) {
        await server.present(counter, now);
        await server.access(counter + 1, now);
        now += wait;
      }
      const thiefs = Math.max(0, rotations.length - age);
      expect(await server.present(thiefs, now)).toBeUndefined();
      expect(
        await server.present(rotations.length, now),
        'the client signs in again',
      ).toBeUndefined();
    };
    await fc.assert(fc.asyncProperty(waits, fc.integer({ min: 1, max: 3 }), noticed), {
      numRuns: budget(250, 1_000),
    });
  });

  it('is served so by the service itself', async () => {
    const serves = async (steps: Step[]) => {
      const told = await play(steps, await served(), start);
      expect(!told.lost || told.betrayed).toBe(true);
    };
    await fc.assert(fc.asyncProperty(fc.oneof(honest, robbed), serves), {
      numRuns: budget(25, 100),
    });
  });
});

describe('Refreshing a session', () => {
  const service = useService();
  const start = Date.parse('2026-03-01T08:00:00Z');
  const at = (after: number) => {
    service().at(start + after);
  };
  const signIn = async () => {
    at(0);
    return makeGuest(service());
  };
  const refresh = (refreshToken: string) =>
    service().rest('GET', '/v1/refreshToken', { query: { refreshToken } });
  const refreshed = async (refreshToken: string) => (await refresh(refreshToken)).body.refreshToken;
  const viewer = (token: string) =>
    service().ask('{ viewer { databaseId } }', {}, { headers: bearer(token) });
  const audited = async (action: string) =>
    service().database.prisma.auditEvent.count({ where: { action } });

  it('answers the next pair of tokens, and the same pair to who asks again', async () => {
    const first = await signIn();
    at(15 * MINUTE);
    const { status, body, headers } = await refresh(first.refreshToken);
    expect(status).toBe(200);
    expect(headers.get('cache-control') ?? '').toMatch(/no-store/);
    expect(body.user).toStrictEqual(first.user);
    expect(body.refreshToken).not.toBe(first.refreshToken);
    at(20 * DAY);
    const { body: again } = await refresh(first.refreshToken);
    expect(again.refreshToken, 'lost, and asked for again much later').toBe(body.refreshToken);
    expect((await viewer(again.token)).data.viewer.databaseId).toBe(first.user.id);
  });

  it('answers a replaced token for 30 seconds after the access token of its successor was first used', async () => {
    const { refreshToken } = await signIn();
    const { body: second } = await refresh(refreshToken);
    at(MINUTE);
    await viewer(second.token);
    at(MINUTE + GRACE - SECOND);
    await viewer(second.token); // another use prolongs nothing
    at(MINUTE + GRACE);
    const { body: again } = await refresh(refreshToken);
    expect(again.refreshToken).toBe(second.refreshToken);
    at(MINUTE + GRACE + 1);
    expect((await refresh(refreshToken)).status).toBe(401);
    expect((await refresh(second.refreshToken)).status, 'and the session is over').toBe(401);
  });

  it('ends the session and its access tokens at once when a token two behind comes, although the request fails', async () => {
    const first = await signIn();
    const second = await refreshed(first.refreshToken);
    const { body } = await refresh(second);
    expect((await viewer(body.token)).data.viewer).toBeTruthy();
    const { status, body: failed } = await refresh(first.refreshToken);
    expect([status, failed.code]).toStrictEqual([401, 'refresh_token_invalid']);
    expect((await refresh(body.refreshToken)).status, 'the newest is over, too').toBe(401);
    at(SECOND);
    expect(errorCode(await viewer(body.token))).toBe('TOKEN_INVALID');
    expect(await audited('session.refresh_reuse')).toBe(1);
  });

  it('ends the session of a client that is followed by a thief who always holds the token before', async () => {
    let { refreshToken: kept } = await signIn();
    let followed = 0;
    for (let turn = 1; turn <= 24; turn++) {
      at(turn * 15 * MINUTE);
      const { status, body } = await refresh(kept);
      if (status !== 200) break;
      await viewer(body.token);
      at(turn * 15 * MINUTE + GRACE + 1);
      if ((await refresh(kept)).status === 200) followed++;
      kept = body.refreshToken;
    }
    expect(followed).toBe(0);
    expect((await refresh(kept)).status, 'the client signs in again, and the thief is out').toBe(
      401,
    );
  });

  it('writes once, for the first use of a pair, and reads once a second afterwards', async () => {
    const { token, refreshToken } = await signIn();
    const { app } = service();
    const ask = () =>
      app.createContext({
        authorization: `Bearer ${token}`,
        siteUrl: service().url,
        requestId: 'test',
      });
    const first = await service().statements(ask);
    expect(first, 'look, and note').toBe(2);
    expect(await service().statements(ask)).toBe(0);
    at(SECOND);
    expect(await service().statements(ask), 'look again').toBe(1);
    const other = createApp({ ...app.deps, readSite: siteReader(app.deps) });
    const there = () =>
      other.createContext({
        authorization: `Bearer ${token}`,
        siteUrl: service().url,
        requestId: 'test',
      });
    await there();
    at(3 * SECOND);
    expect(
      await service().statements(there),
      'another process looks, and reads the settings of the site',
    ).toBe(1 + 1);
    await refreshed(refreshToken);
    expect(
      await service().statements(ask),
      'an access token of the pair before is noted nowhere',
    ).toBe(1);
  });

  it('notices the first use of a pair within the second in which the pair before was used', async () => {
    const first = await signIn();
    await viewer(first.token);
    const { body: second } = await refresh(first.refreshToken);
    await viewer(second.token);
    at(GRACE + 1);
    expect((await refresh(first.refreshToken)).status).toBe(401);
  });

  it('refuses a session that was idle for 90 days, and keeps one that was used within them', async () => {
    const { refreshToken } = await signIn();
    at(60 * DAY);
    const second = await refreshed(refreshToken);
    expect(second).toBeTruthy();
    at(150 * DAY + 1);
    expect((await refresh(second)).status).toBe(401);
  });

  it('refuses a session and its access tokens after 180 days, however much it was used', async () => {
    let { refreshToken: kept, token } = await signIn();
    for (let day = 30; day < 180; day += 30) {
      at(day * DAY);
      kept = await refreshed(kept);
      expect(kept).toBeTruthy();
    }
    at(180 * DAY - MINUTE);
    ({ refreshToken: kept, token } = (await refresh(kept)).body);
    const listed = async () => (await viewer(token)).data?.viewer;
    expect(await listed()).toBeTruthy();
    at(180 * DAY + 1);
    expect((await refresh(kept)).status).toBe(401);
    at(180 * DAY + SECOND);
    expect(errorCode(await viewer(token))).toBe('TOKEN_INVALID');
  });

  it('refuses what is no token of ours, and tells nothing more', async () => {
    const { refreshToken, token } = await signIn();
    const [id, counter, mac] = refreshToken.split('.');
    const foreign = [
      'x',
      token,
      `${id}.1.${mac}`,
      `${id}.${counter}.${mac.replace(/^./, (letter: string) => (letter === 'A' ? 'B' : 'A'))}`,
      `${id}.00.${mac}`,
      `${refreshToken}.x`,
      ` ${refreshToken}`,
      '💊'.repeat(900),
      'x'.repeat(4096),
    ];
    for (const bad of foreign) {
      const { status, body } = await refresh(bad);
      expect([status, body.code], bad.slice(0, 40)).toStrictEqual([401, 'refresh_token_invalid']);
    }
    expect((await refresh(refreshToken)).status, 'and nothing happened to the session').toBe(200);
  });

  it('answers with the account as it is now', async () => {
    const { refreshToken, user } = await signIn();
    await service().database.prisma.account.update({
      where: { id: user.id },
      data: { name: 'Renamed', roles: ['editor'] },
    });
    const { body } = await refresh(refreshToken);
    expect([body.user.name, body.user.roles]).toStrictEqual(['Renamed', ['editor']]);
  });

  it('takes a token ahead of the database, which may have been restored from a backup', async () => {
    const { refreshToken } = await signIn();
    const second = await refreshed(refreshToken);
    const third = await refreshed(second);
    await service().database.prisma.session.updateMany({ data: { counter: 0 } });
    const fourth = await refreshed(third);
    expect(fourth.split('.')[1]).toBe('3');
  });

  it('sends a number of statements that does not depend on the token that comes', async () => {
    const { refreshToken } = await signIn();
    const current = await service().statements(() => refresh(refreshToken));
    expect(await service().statements(() => refresh(refreshToken))).toBe(current);
    expect(current, 'lock, move, account').toBe(3);
  });

  it('by HEAD is no route, so that nobody loses a token to a look', async () => {
    const { refreshToken } = await signIn();
    const { status } = await service().rest('HEAD', '/v1/refreshToken', {
      query: { refreshToken },
    });
    expect(status).toBe(404);
    const [{ counter = -1 } = {}] = await service().database.prisma.session.findMany();
    expect(counter).toBe(0);
  });

  it('takes the token over GraphQL from the input, or from a header', async () => {
    const { refreshToken } = await signIn();
    const query =
      'mutation($input: RefreshTokenInput!) { refreshToken(input: $input) { refreshToken } }';
    const given = await service().graphql(query, { input: { refreshToken } });
    const sent = await service().graphql(
      query,
      { input: {} },
      { headers: { 'refresh-token': refreshToken } },
    );
    const none = await service().graphql(query, { input: {} });
    expect(given.body.data.refreshToken.refreshToken).toBeTruthy();
    expect(given.headers.get('cache-control')).toBe('no-store');
    expect(sent.body.data).toStrictEqual(given.body.data);
    expect(errorCode(none.body)).toBe('REFRESH_TOKEN_INVALID');
  });
});
