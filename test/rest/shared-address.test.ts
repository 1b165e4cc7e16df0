import { createHash, randomUUID } from 'node:crypto';
import { QUOTAS } from '../../src/core/quota.js';
import { bearer, useService } from '../support/harness.js';

/** Members who refresh: their address would have points for 50. Nightly has 2,000. */
const MEMBERS = Number(process.env.MEMBERS ?? 200);
const REFRESH = 'mutation($input: RefreshTokenInput!) { refreshToken(input: $input) { token } }';

describe('Many members behind one address', () => {
  const service = useService();
  const tokens = () => service().app.deps.tokens;

  /** Makes members with a session each, and returns their tokens. */
  async function members(count: number, role = 'subscriber') {
    const ids = await service().database.query<{ id: number }>(
      `INSERT INTO account (username, username_key, name, slug, roles, created_at)
       SELECT 'ward' || i, 'ward' || i, 'w', 'ward' || i, ARRAY[$2::text], now()
       FROM generate_series(1, $1::int) i RETURNING id`,
      [count, role],
    );
    const sessions = ids.map(({ id }) => ({ accountId: id, sessionId: randomUUID() }));
    await service().database.query(
      `INSERT INTO session (id, account_id, kind, user_agent, created_at, used_at)
       SELECT s.id, s.account, 'api', '', $3::timestamptz, $3::timestamptz
       FROM unnest($1::uuid[], $2::int[]) AS s(id, account)`,
      [
        sessions.map(({ sessionId }) => sessionId),
        sessions.map(({ accountId }) => accountId),
        new Date(service().now()).toISOString(),
      ],
    );
    return sessions;
  }
  const counted = (statuses: readonly number[]) =>
    Object.fromEntries(
      [...new Set(statuses)].map((one) => [
        one,
        statuses.filter((status) => status === one).length,
      ]),
    );
  const inTurns = async (all: readonly (() => Promise<{ status: number }>)[], atOnce = 20) => {
    const statuses: number[] = [];
    for (let i = 0; i < all.length; i += atOnce) {
      const some = await Promise.all(all.slice(i, i + atOnce).map((ask) => ask()));
      statuses.push(...some.map(({ status }) => status));
    }
    return counted(statuses);
  };
  const restRefresh = (refreshToken: string, headers = {}) =>
    service().rest('GET', '/v1/refreshToken', { query: { refreshToken }, headers });

  it('refresh their sessions within a minute, on both faces', async () => {
    service().at(1_800_000_000_000);
    const sessions = await members(MEMBERS);
    service().limit();
    const asks = sessions.map(({ sessionId }, i) => () => {
      const refreshToken = tokens().signRefresh(sessionId, 0);
      return i % 2
        ? service().graphql(REFRESH, { input: { refreshToken } })
        : restRefresh(refreshToken);
    });
    expect(await inTurns(asks)).toStrictEqual({ 200: MEMBERS });
  });

  it('refresh also when strangers have spent the points of the address', async () => {
    service().at(1_800_000_000_000);
    const [session] = await members(1);
    const { accountId = 0, sessionId = '' } = session ?? {};
    const access = await tokens().signAccess({ accountId, sessionId, counter: 0 }, service().now());
    service().at(1_800_000_000_000 + 3_600_000);
    service().limit();
    await service().limits.limiter(QUOTAS.anonymous).take('127.0.0.1', 1_001);
    expect((await service().rest('GET', '/v1/posts')).status).toBe(429);
    const refreshed = await restRefresh(tokens().signRefresh(sessionId, 0), bearer(access));
    expect(refreshed.status).toBe(200);
  });

  it('refresh by their query while somebody there guesses and reads', async () => {
    service().at(1_800_000_000_000);
    const sessions = await members(100);
    service().limit();
    await service().limits.limiter(QUOTAS.anonymous).take('127.0.0.1', 1_001);
    const asks = sessions.map(({ sessionId }, i) => () => {
      const query = { refreshToken: tokens().signRefresh(sessionId, 0) };
      return service().rest('GET', i % 2 ? '/v1/refreshToken' : '/v1/RefreshToken/', { query });
    });
    expect(await inTurns(asks)).toStrictEqual({ 200: 100 });
    const shown = { refreshToken: tokens().signRefresh(sessions[0]?.sessionId ?? '', 1) };
    expect((await service().rest('GET', '/v1/posts', { query: shown })).status).toBe(429);
    expect((await restRefresh('x'.repeat(40))).status).toBe(429);
  });

  it('leave their address its points when they are guests', async () => {
    service().at(1_800_000_000_000);
    const sessions = await members(100, 'guest');
    service().limit();
    await service().limits.limiter(QUOTAS.anonymous).take('127.0.0.1', 950);
    const asks = sessions.map(
      ({ sessionId }) =>
        () =>
          restRefresh(tokens().signRefresh(sessionId, 0)),
    );
    expect(await inTurns(asks)).toStrictEqual({ 200: 100 });
    expect((await service().rest('GET', '/v1/posts')).status).toBe(200);
  });

  it('read their calendars from it within a minute, also when strangers have spent its points', async () => {
    service().at(1_800_000_000_000);
    const sessions = await members(MEMBERS);
    const secretOf = (accountId: number) => String(accountId).padStart(43, 'a');
    await service().database.query(
      `INSERT INTO care_setting (account_id, usual_times, feed_hash, feed_made_at)
       SELECT id, '{}', hash, now() FROM unnest($1::int[], $2::text[]) AS s(id, hash)`,
      [
        sessions.map(({ accountId }) => accountId),
        sessions.map(({ accountId }) =>
          createHash('sha256').update(secretOf(accountId)).digest('base64url'),
        ),
      ],
    );
    const read = (secret: string) => service().fetch(`/calendar/${secret}.ics`, { method: 'GET' });
    service().limit();
    await service().limits.limiter(QUOTAS.anonymous).take('127.0.0.1', 1_001);
    expect((await read('b'.repeat(43))).status).toBe(429);
    expect((await read('b')).status).toBe(429);
    const asks = sessions.map(
      ({ accountId }) =>
        () =>
          read(secretOf(accountId)),
    );
    expect(await inTurns(asks)).toStrictEqual({ 200: MEMBERS });
  });

  it('pay by session for refresh tokens of one that ended: 5 a minute, and nobody else does', async () => {
    service().at(1_800_000_000_000);
    const [session] = await members(1);
    service().limit();
    const ended = tokens().signRefresh(randomUUID(), 0);
    const asks = Array.from({ length: 8 }, () => () => restRefresh(ended));
    expect(await inTurns(asks, 1)).toStrictEqual({ 401: 5, 429: 3 });
    const other = tokens().signRefresh(session?.sessionId ?? '', 0);
    expect((await restRefresh(other)).status).toBe(200);
  });

  it('pay by address for tokens that are none: 50 guesses a minute', async () => {
    service().at(1_800_000_000_000);
    service().limit();
    const guess = (i: number) => () => restRefresh(`${'x'.repeat(40)}${i}`);
    const statuses = await inTurns(
      Array.from({ length: 60 }, (_, i) => guess(i)),
      1,
    );
    expect(statuses[429]).toBeGreaterThanOrEqual(10);
  });

  it('pay from their account for what they do with a good token', async () => {
    service().at(1_800_000_000_000);
    const [session] = await members(1);
    const { accountId = 0, sessionId = '' } = session ?? {};
    service().limit();
    const account = service().limits.limiter(QUOTAS.account);
    await account.take(String(accountId), 9_990);
    expect((await restRefresh(tokens().signRefresh(sessionId, 0))).status).toBe(429);
  });
});
