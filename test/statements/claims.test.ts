import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { useService } from '../support/harness.js';
import type { RanStatement } from '../support/statements.js';
import { Claims } from './claims.js';
import { describeStatement } from './columns.js';

const ROOT = resolve(fileURLToPath(import.meta.url), '../../../..');

/** Returns what ran so far, each statement of a call once with all of its nulls. */
function ranStatements(): RanStatement[] {
  const folder = process.env.STATEMENTS ?? '';
  const all = new Map<string, RanStatement>();
  for (const file of readdirSync(folder))
    for (const line of readFileSync(join(folder, file), 'utf8').trim().split('\n')) {
      const ran = JSON.parse(line) as RanStatement;
      const key = JSON.stringify([ran.site, ran.text]);
      const nulls = [...(all.get(key)?.nulls ?? []), ...ran.nulls];
      all.set(key, { ...ran, nulls: [...new Set(nulls)] });
    }
  return [...all.values()];
}

describe('The rows that the code claims to read', () => {
  const service = useService();
  let claims: Claims;
  let client: pg.Client;

  beforeAll(async () => {
    claims = new Claims(ROOT);
    const [own] = await service().database.query<{ name: string }>(
      'SELECT current_database()::text AS name',
    );
    const url = new URL(process.env.TEST_DATABASE_URL as string);
    url.pathname = `/${own?.name}`;
    client = new pg.Client({ connectionString: url.href });
    await client.connect();
  });
  afterAll(async () => {
    claims.close();
    await client.end();
  });

  /** Returns how claims differ from what PostgreSQL returns, with file and line. */
  async function differences(statements: readonly RanStatement[]): Promise<string[]> {
    const found = new Set<string>();
    const compared = new Set<string>();
    for (const { text, site, nulls } of statements) {
      const { place, rows } = claims.callAt(site);
      if (rows.length === 0) continue;
      const columns = await describeStatement(client, text);
      // A call sends many texts that return the same columns.
      const same = JSON.stringify([site, columns, [...nulls].sort()]);
      if (compared.has(same)) continue;
      compared.add(same);
      const names = columns.map(({ name }) => name);
      const faults = rows.map((row) => [
        ...claims
          .needed(row)
          .filter((name) => !names.includes(name))
          .map((name) => `claims "${name}", which is not returned`),
        ...columns.flatMap(
          (column) => claims.difference(row, column, nulls.includes(column.name)) ?? [],
        ),
      ]);
      // Of a union, one member fits.
      if (faults.every((some) => some.length > 0))
        for (const fault of faults.flat()) found.add(`${place} ${fault}`);
    }
    return [...found].sort();
  }

  const isOwn = ({ site: [file] }: RanStatement) => file.includes('/test/statements/');

  it('are those that PostgreSQL returns, in every statement that ran', async () => {
    const statements = ranStatements().filter((ran) => !isOwn(ran));
    expect(statements.length).toBeGreaterThan(0);
    expect(await differences(statements)).toStrictEqual([]);
  });

  it('are found wrong in a name, a type, a list and a null', async () => {
    const { database } = service();
    await service().account('editor');
    await database.query<{ id: number; nmae: string }>('SELECT id, name FROM account');
    await database.query<{ id: string }>('SELECT id FROM account');
    await database.query<{ roles: number[] }>('SELECT roles FROM account');
    await database.query<{ createdAt: string }>('SELECT created_at AS "createdAt" FROM account');
    await database.query<{ empty: string }>('SELECT NULL::text AS empty FROM account');
    await database.transaction((db) => db.$queryRaw<{ n: string }[]>`SELECT 1 AS n`);
    await database.query<{ id: number; name: string | null }>('SELECT id, name FROM account');
    const found = await differences(ranStatements().filter(isOwn));
    expect(found.map((difference) => difference.replace(/^\S+ /, ''))).toStrictEqual([
      'claims "nmae", which is not returned',
      'claims no column "name"',
      'claims "id" as string; it is number',
      'claims "roles" as number[]; it is string[]',
      'claims "createdAt" as string; it is Date',
      'claims "empty" as string; it was null',
      'claims "n" as string; it is number',
    ]);
  });
});
