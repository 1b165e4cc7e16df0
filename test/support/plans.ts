import type { RequestContext } from '../../src/core/context.js';
import type { Harness } from './harness.js';
import { standIn } from './stand-in.js';

/**
 * Runs reads with the context of an anonymous request. Returns how PostgreSQL means to answer each
 * statement that names a table, as the lines of EXPLAIN; or, with `how` ANALYZE, how it did.
 */
export async function plansOf(
  service: Harness,
  table: string,
  read: (context: RequestContext) => Promise<unknown>,
  how: '' | 'ANALYZE' = '',
): Promise<string> {
  const context = await service.context();
  const lines: string[] = [];
  const { database } = context.deps;
  const query: typeof database.query = async (text, values, options) => {
    if (text.includes(table))
      for (const row of await database.query(`EXPLAIN ${how} ${text}`, values, options))
        lines.push(String(Object.values(row)[0]));
    return database.query(text, values, options);
  };
  const watched = standIn(database, { query });
  Object.assign(context, { deps: { ...context.deps, database: watched } });
  await read(context);
  return lines.join('\n');
}
