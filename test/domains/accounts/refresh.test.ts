import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { RequestContext } from '../../../src/context.js';
import { judgeRefresh } from '../../../src/domains/accounts/refresh.js';
import { refreshSession } from '../../../src/domains/accounts/session.service.js';
import { guest } from '../../../src/domains/accounts/signup.service.js';
import { DomainError } from '../../../src/errors.js';
import { useService } from '../../support/harness.js';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const DAY = 24 * 60 * MINUTE;
const GRACE = 30 * SECOND;

/** What may happen to a session, after some time has passed. */
type Step = { readonly wait: number } & (
  | { readonly what: 'refresh' | 'lost' } // one tab refreshes; the answer comes, or is lost on its way
  | { readonly what: 'race'; readonly late: number; readonly again: boolean; readonly written: 'first' | 'second' } // two tabs at once
  | { readonly what: 'steal'; readonly age: number } // a thief copies the token in store, or one that was there before
  | { readonly what: 'thief' } // uses what was stolen
);

const wait = fc.oneof(
  fc.integer({ min: SECOND, max: 2 * MINUTE }),
  fc.integer({ min: SECOND, max: DAY }),
  fc.integer({ min: SECOND, max: 30 * DAY }),
  fc.constantFrom(GRACE, GRACE + 1),
);
const client = fc.oneof(
  fc.record({ wait, what: fc.constantFrom('refresh' as const, 'lost' as const) }),
  fc.record({
    wait,
    what: fc.constant('race' as const),
    late: fc.integer({ min: 0, max: GRACE }),
    again: fc.boolean(),
    written: fc.constantFrom('first' as const, 'second' as const),
  }),
);
const thief = fc.oneof(
  fc.record({ wait, what: fc.constant('steal' as const), age: fc.nat(3) }),
  fc.record({ wait, what: fc.constant('thief' as const) }),
);
const honest: fc.Arbitrary<Step[]> = fc.array(client, { minLength: 1, maxLength: 12 });
const robbed: fc.Arbitrary<Step[]> = fc.array(fc.oneof({ arbitrary: client, weight: 3 }, { arbitrary: thief, weight: 2 }), {
  minLength: 4,
  maxLength: 14,
});

/** A server as a client sees it: the counter of the answered token, or a refusal. */
interface Server {
  present(counter: number, now: number): Promise<number | undefined>;
}

/** The rule told by history instead of by a row: when each token was first used. Three steps behind is too old at any time. */
class History {
  readonly used = new Map<number, number>();
  current = 0;
  ended = false;
  idle = false;

  constructor(private lastUse: number) {}

  /** Whether a token must be answered now; notes what follows. */
  present(counter: number, now: number): number | undefined {
    const successorUsed = this.used.get(counter + 1);
    const late = successorUsed !== undefined && now - successorUsed > GRACE;
    this.idle ||= now - this.lastUse > 90 * DAY;
    if (late || counter < this.current - 2) this.ended = true;
    if (this.ended || this.idle) return undefined;
    this.lastUse = now;
    if (counter === this.current) {
      this.used.set(counter, now);
      this.current++;
    }
    return this.current;
  }
}

interface Told {
  /** The client was refused, and had not been away for 90 days. */
  lost: boolean;
  /** A thief used a token that the client had replaced by then. */
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
    assert.equal(await server.present(counter, now), expected, `token ${counter} at ${now - start}`);
    return expected;
  };
  const use = async (counter: number) => {
    const answered = await present(counter);
    told.lost ||= answered === undefined && !history.idle;
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
    if (step.what === 'race') {
      const read = store;
      const first = await use(read);
      keep(first);
      if (step.again) keep(await use(store));
      now += step.late;
      const second = await use(read);
      if (!step.again) keep(step.written === 'first' ? first : second);
      else keep(second);
    }
    if (step.what === 'steal') stolen = kept.at(-1 - step.age) ?? stolen;
    if (step.what === 'thief' && stolen !== undefined) {
      told.betrayed ||= stolen < store;
      await present(stolen);
    }
  }
  return told;
}

/** A server of one session, without a database: the rule alone. */
function rule(start: number): Server {
  const session = { counter: 0, rotatedAt: new Date(start), usedAt: new Date(start), endedAt: null as Date | null };
  return {
    async present(counter, now) {
      const judgement = judgeRefresh(session, counter, now);
      if (judgement === 'reuse') session.endedAt = new Date(now);
      if (judgement === 'reuse' || judgement === 'over') return undefined;
      session.usedAt = new Date(now);
      if (judgement === 'rotate') Object.assign(session, { counter: counter + 1, rotatedAt: session.usedAt });
      return session.counter;
    },
  };
}

describe('A client that loses answers, tries again after a second or after 30 days, and has two tabs', () => {
  const service = useService();
  const start = Date.parse('2026-03-01T08:00:00Z');

  /** A server of one session by way of the service's own functions. */
  async function served(): Promise<Server> {
    service().now = () => start;
    const context: RequestContext = await service().context();
    const { refreshToken } = await guest(context, { language: 1 });
    const [id = ''] = refreshToken.split('.');
    const { tokens } = service().app.deps;
    return {
      async present(counter, now) {
        service().now = () => now;
        try {
          const answer = await refreshSession(context, { refreshToken: tokens.signRefresh(id, counter) });
          return tokens.readRefresh(answer.refreshToken)?.counter;
        } catch (error) {
          assert.ok(error instanceof DomainError && error.refusal.reason === 'REFRESH_TOKEN_INVALID', String(error));
          return undefined;
        }
      },
    };
  }

  it('keeps its session', async () => {
    const keeps = async (steps: Step[]) => assert.equal((await play(steps, rule(start), start)).lost, false);
    await fc.assert(fc.asyncProperty(honest, keeps), { numRuns: 5_000 });
  });

  it('loses it to a thief only when the thief used a token that it had replaced; one replaced for long never works', async () => {
    let [lost, kept] = [0, 0];
    const only = async (steps: Step[]) => {
      const told = await play(steps, rule(start), start);
      assert.ok(!told.lost || told.betrayed);
      if (told.lost) lost++;
      else kept++;
    };
    await fc.assert(fc.asyncProperty(robbed, only), { numRuns: 10_000 });
    assert.ok(lost > 500 && kept > 500, `the schedules try both: ${lost} lost, ${kept} kept`);
  });

  it('is served so by the service itself', async () => {
    const serves = async (steps: Step[]) => {
      const told = await play(steps, await served(), start);
      assert.ok(!told.lost || told.betrayed);
    };
    await fc.assert(fc.asyncProperty(fc.oneof(honest, robbed), serves), { numRuns: 100 });
  });
});

describe('Refreshing a session', () => {
  const service = useService();
  const start = Date.parse('2026-03-01T08:00:00Z');
  const at = (after: number) => {
    service().now = () => start + after;
  };
  const signIn = async () => {
    at(0);
    return (await service().rest('POST', '/v1/guest', { edition: 'B', body: { language: 1 } })).body;
  };
  const refresh = (refreshToken: string) => service().rest('GET', '/v1/refreshToken', { query: { refreshToken } });
  const refreshed = async (refreshToken: string) => (await refresh(refreshToken)).body.refreshToken;
  const viewer = async (token: string) =>
    (await service().graphql('{ viewer { id } }', {}, { headers: { authorization: `Bearer ${token}` } })).body;
  const audited = async (action: string) => service().database.prisma.auditEvent.count({ where: { action } });

  it('answers the next pair of tokens, and the same pair to who asks again', async () => {
    const first = await signIn();
    at(15 * MINUTE);
    const { status, body, headers } = await refresh(first.refreshToken);
    assert.equal(status, 200);
    assert.match(headers.get('cache-control') ?? '', /no-store/);
    assert.deepEqual(body.user, first.user);
    assert.notEqual(body.refreshToken, first.refreshToken);
    assert.equal((await viewer(body.token)).data.viewer.id, first.user.id);
    at(20 * DAY);
    assert.equal(await refreshed(first.refreshToken), body.refreshToken, 'lost, and asked for again much later');
  });

  it('answers a replaced token for 30 seconds after its successor was used', async () => {
    const { refreshToken } = await signIn();
    const second = await refreshed(refreshToken);
    at(MINUTE);
    const third = await refreshed(second);
    at(MINUTE + GRACE);
    assert.equal(await refreshed(refreshToken), third);
  });

  it('ends the session and its access tokens when an older token comes, although the request fails', async () => {
    const first = await signIn();
    const second = await refreshed(first.refreshToken);
    at(MINUTE);
    const { body } = await refresh(second);
    assert.ok((await viewer(body.token)).data.viewer);
    at(MINUTE + GRACE + 1);
    const { status, body: failed } = await refresh(first.refreshToken);
    assert.deepEqual([status, failed.code], [401, 'refresh_token_invalid']);
    assert.equal((await refresh(body.refreshToken)).status, 401, 'the newest is over, too');
    at(MINUTE + GRACE + SECOND + 1);
    assert.equal((await viewer(body.token)).errors[0].extensions.code, 'TOKEN_INVALID');
    assert.equal(await audited('session.refresh_reuse'), 1);
  });

  it('refuses a session that was idle for 90 days, and keeps one that was used within them', async () => {
    const { refreshToken } = await signIn();
    at(90 * DAY);
    const second = await refreshed(refreshToken);
    assert.ok(second);
    at(180 * DAY + 1);
    assert.equal((await refresh(second)).status, 401);
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
      assert.deepEqual([status, body.code], [401, 'refresh_token_invalid'], bad.slice(0, 40));
    }
    assert.equal((await refresh(refreshToken)).status, 200, 'and nothing happened to the session');
  });

  it('answers with the account as it is now', async () => {
    const { refreshToken, user } = await signIn();
    await service().database.prisma.account.update({ where: { id: user.id }, data: { name: 'Renamed', roles: ['editor'] } });
    const { body } = await refresh(refreshToken);
    assert.deepEqual([body.user.name, body.user.roles], ['Renamed', ['editor']]);
  });

  it('takes a token ahead of the database, which may have been restored from a backup', async () => {
    const { refreshToken } = await signIn();
    const second = await refreshed(refreshToken);
    const third = await refreshed(second);
    await service().database.prisma.session.updateMany({ data: { counter: 0 } });
    const fourth = await refreshed(third);
    assert.equal(fourth.split('.')[1], '3');
  });

  it('sends a number of statements that does not depend on the token that comes', async () => {
    const { refreshToken } = await signIn();
    const current = await service().statements(() => refresh(refreshToken));
    assert.equal(await service().statements(() => refresh(refreshToken)), current);
    assert.equal(current, 3, 'lock, move, account');
  });

  it('by HEAD is no route, so that nobody loses a token to a look', async () => {
    const { refreshToken } = await signIn();
    const { status } = await service().rest('HEAD', '/v1/refreshToken', { query: { refreshToken } });
    assert.equal(status, 404);
    const [{ counter = -1 } = {}] = await service().database.prisma.session.findMany();
    assert.equal(counter, 0);
  });

  it('takes the token over GraphQL from the input, or from a header', async () => {
    const { refreshToken } = await signIn();
    const query = 'mutation($input: RefreshTokenInput!) { refreshToken(input: $input) { refreshToken } }';
    const given = await service().graphql(query, { input: { refreshToken } });
    const sent = await service().graphql(query, { input: {} }, { headers: { 'refresh-token': refreshToken } });
    const none = await service().graphql(query, { input: {} });
    assert.ok(given.body.data.refreshToken.refreshToken);
    assert.equal(given.headers.get('cache-control'), 'no-store');
    assert.deepEqual(sent.body.data, given.body.data);
    assert.equal(none.body.errors[0].extensions.code, 'REFRESH_TOKEN_INVALID');
  });
});
