import type { Answer, Harness } from './harness.js';

/** Headers by which a kept answer may differ from one that is made now. */
const VOLATILE = ['date', 'ratelimit', 'ratelimit-policy', 'cache-control'];
/** Requests with this header are answered anew, with the same content. */
export const ANEW = { 'time-zone': 'UTC' };

/** What a kept answer has in common with one that is made now. */
export const plain = ({ status, headers, text }: Answer) => ({
  status,
  text,
  headers: Object.fromEntries([...headers].filter(([name]) => !VOLATILE.includes(name))),
});

/** A clock for what is measured by `performance.now()`. Returns what lets milliseconds pass. */
export function clock(): (ms: number) => void {
  const real = performance.now.bind(performance);
  let ahead = 0;
  beforeAll(() => {
    jest.spyOn(performance, 'now').mockImplementation(() => real() + ahead);
  });
  afterAll(() => jest.restoreAllMocks());
  return (ms: number) => {
    ahead += ms;
  };
}

/**
 * Returns the tables that `work` reads, and those of them that do not tell of their changes. It may
 * send no statement through Prisma.
 */
export async function tablesOf(
  { database }: Harness,
  work: () => Promise<void>,
): Promise<{ read: Set<string>; silent: string[] }> {
  const triggered = await database.query<{ name: string }>(
    `SELECT DISTINCT tgrelid::regclass::text AS name FROM pg_trigger
     WHERE tgfoid = 'public_changed'::regproc`,
  );
  const told = new Set(triggered.map(({ name }) => name.replaceAll('"', '')));
  // Triggers of content_item write these two, in the same statement.
  for (const name of ['item_search', 'search_word', 'public_change']) told.add(name);
  const read = new Set<string>();
  const query = database.query.bind(database) as (text: string) => Promise<object[]>;
  const spy = jest.spyOn(database, 'query').mockImplementation(((text: string, ...rest: []) => {
    for (const [, name] of text.matchAll(/\b(?:FROM|JOIN)\s+"?([a-z_]+)"?(?!\s*\()/g))
      read.add(name as string);
    return query(text, ...rest);
  }) as typeof database.query);
  const before = database.statements;
  await work();
  const sent = database.statements - before;
  if (sent !== spy.mock.calls.length)
    throw new Error(`${sent} statements were sent, ${spy.mock.calls.length} of them are known.`);
  spy.mockRestore();
  const tables = await database.query<{ name: string }>(
    `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'`,
  );
  const silent = tables.filter(({ name }) => read.has(name) && !told.has(name));
  return { read, silent: silent.map(({ name }) => name) };
}
