// Fuzz over every operation of both documents of OpenAPI, by eight callers. `.ci/run` sends 20
// requests to each operation, `.ci/nightly` 500.
import fc from 'fast-check';
import { makeMedicine } from '../support/factories.js';
import { type Caller, type RoleName, useService } from '../support/harness.js';
import { OPERATIONS, requestTo, type Wire } from './rest.js';
import { type Draw, pick } from './values.js';

const EACH = Number(process.env.FUZZ_EACH ?? 4);
/** Most of what may be refused for want of a right is asked by those who have it. */
const CALLERS: readonly Caller[] = [
  ...['administrator', 'administrator', 'administrator', 'administrator'],
  ...['subscriber', 'subscriber', 'editor', 'clinician', 'analyst', 'guest', 'anonymous'],
] as Caller[];
/** How long an answer may take before it counts as a hang, in milliseconds. */
const LONGEST = 30_000;
/** What a refused request writes: when a session was used last, and the audit of sign-ins. */
const ALLOWED = ['session', 'audit_event'];
/** Answers above 499 that are documented: a provider, a trash or a mailbox that does not exist. */
const NOT_IMPLEMENTED =
  /"code":"(provider_not_configured|rest_trash_not_supported|\w*not_(configured|supported|implemented))"/;

describe('Requests at random to every operation', () => {
  const service = useService();
  const tokens = new Map<Caller, { authorization: string }>();

  const signIn = async () => {
    for (const caller of new Set(CALLERS))
      if (caller !== 'anonymous') tokens.set(caller, await service().session(caller as RoleName));
  };
  const send = async ({ method, path, headers, body }: Wire, caller: Caller) => {
    const init = { method, headers: { ...headers, ...tokens.get(caller) }, body: body ?? null };
    const response = await fetch(service().url + path, {
      ...init,
      redirect: 'manual',
      signal: AbortSignal.timeout(LONGEST),
    });
    const { status, headers: answered } = response;
    return { status, ran: answered.has('graphql-operation'), text: await response.text() };
  };
  /** The number of the next transaction that writes. */
  const nextWrite = async () => {
    const sql = 'SELECT pg_snapshot_xmax(pg_current_snapshot())::text AS next';
    return BigInt((await service().database.query<{ next: string }>(sql))[0]?.next ?? 0);
  };
  /** How many of the transactions that wrote were committed. */
  const committed = async (from: bigint, to: bigint) => {
    const sql = `SELECT count(*)::int AS count FROM generate_series(${from}, ${to - 1n}) AS id
      WHERE pg_xact_status(id::text::xid8) = 'committed'`;
    return (await service().database.query<{ count: number }>(sql))[0]?.count ?? 0;
  };
  /**
   * The tables with rows that were written since. `deleted` where there is none although something
   * was committed: the embedded database is ours alone, whereas on a server others commit as well.
   */
  const written = async (since: bigint) => {
    const { database } = service();
    const tables = await database.query<{ name: string }>(
      `SELECT quote_ident(tablename) AS name FROM pg_tables WHERE schemaname = 'public'`,
    );
    const found = tables.map(
      ({ name }) =>
        `SELECT '${name}' AS name WHERE EXISTS (SELECT FROM ${name} WHERE xmin::text::bigint >= ${since})`,
    );
    const rows = await database.query<{ name: string }>(found.join(' UNION ALL '));
    const names = rows.map(({ name }) => name);
    return names.length === 0 && database.kind === 'embedded' ? ['deleted'] : names;
  };

  it(`get an answer below 500, ${EACH} for each; half of them run, and refused ones change nothing`, async () => {
    await service().post({ title: 'One', content: 'Two' });
    await makeMedicine(service());
    const ids = [...new Set(OPERATIONS.map(({ id }) => id))];
    const statuses = new Map<number, number>();
    let sent = 0;
    let reached = 0;
    /** The next write, where nothing was written since it was asked. */
    let known: bigint | undefined;
    /** Takes the operations in turn, and of each the editions. */
    const next = () => {
      const id = ids[sent % ids.length];
      const same = OPERATIONS.filter((operation) => operation.id === id);
      return same[Math.floor(sent / ids.length) % same.length] as (typeof same)[number];
    };
    const drawn = fc.gen().map((draw: Draw) => {
      const operation = next();
      return { operation, wire: requestTo(draw, operation), caller: pick(draw, CALLERS) };
    });
    const property = fc.asyncProperty(drawn, async ({ operation, wire, caller }) => {
      if (sent++ % 1_000 === 0) {
        await signIn();
        known = undefined;
      }
      const before = known ?? (await nextWrite());
      const { status, ran, text } = await send(wire, caller);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      if (ran && status !== 401 && status !== 403) reached++;
      const told = `${operation.id} by ${caller}: ${status} ${text.slice(0, 300)}`;
      expect(status < 500 || NOT_IMPLEMENTED.test(text), told).toBe(true);
      known = undefined;
      if (status < 400) return;
      const after = await nextWrite();
      known = after;
      if (after > before && (await committed(before, after)) > 0) {
        const tables = (await written(before)).filter((name) => !ALLOWED.includes(name));
        expect(tables, told).toStrictEqual([]);
      }
    });
    await fc.assert(property, {
      numRuns: ids.length * EACH,
      endOnFailure: true,
      ...(process.env.FUZZ_SEED && { seed: Number(process.env.FUZZ_SEED) }),
    });
    const counts = [...statuses].sort(([a], [b]) => a - b);
    const widest = Math.max(...statuses.values());
    const bars = counts.map(
      ([status, count]) =>
        `${status} ${'█'.repeat(Math.ceil((40 * count) / widest)).padEnd(40)} ${count}`,
    );
    console.log(`${sent} requests to ${ids.length} operations, ${reached} ran\n${bars.join('\n')}`);
    expect(reached).toBeGreaterThanOrEqual(sent / 2);
  });
});
