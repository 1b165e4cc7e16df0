import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  columnOf,
  type Fields,
  type LineKind,
  storedFields,
  typeOf,
} from '../../../src/app/moving/lines/line.js';
import { LINE_KINDS } from '../../../src/app/moving/lines/line-kinds.js';
import { JUDGED } from '../../../src/app/moving/lines/reminder.lines.js';
import { MEDICINE_TEXTS } from '../../../src/domains/reminders/reminder/medicine-text.sql.js';
import { openMemory } from '../../../src/platform/database/embedded.js';
import { projectRoot } from '../../../src/platform/root.js';

const page = readFileSync(join(projectRoot, 'docs/export.md'), 'utf8');

/** Returns the rows of the table below a heading, by their cells. */
function tableOf(heading: string): string[][] {
  const [, section = ''] = page.split(`\n## ${heading}\n`);
  return (section.split('\n## ')[0] as string)
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => line.split(' | ').map((cell) => cell.replaceAll(/^\| | \|$/g, '')));
}

const fieldsAs = (fields: Fields) =>
  Object.entries(fields).map(([name, field]) => `${name} ${typeOf(field)}`);

/** Returns the fields of a kind as the page writes them. */
function describedFields({ key, fields, parts = {} }: LineKind): string {
  const own = [...(key ? [] : ['id integer']), ...fieldsAs(fields)];
  const nested = Object.entries(parts).map(([name, { fields, isOne, isList }]) => {
    if (isList) return `${name} integers`;
    return `${name} ${isOne ? 'object?' : 'objects'} (${fieldsAs(fields).join(', ')})`;
  });
  return [...own, ...nested].join(', ');
}

describe('An import of a medicine', () => {
  it('sees by each text of it that somebody has changed it here', () => {
    expect(JUDGED).toStrictEqual(expect.arrayContaining(Object.values(MEDICINE_TEXTS)));
  });
});

describe('The page of the export', () => {
  it('has the kinds of lines in their order, each with its fields', () => {
    const written = tableOf('Lines').flatMap(([kinds = '', fields]) =>
      [...kinds.matchAll(/`(\w+)`/g)].map(([, kind]) => `${kind}: ${fields}`),
    );
    expect(written.slice(0, LINE_KINDS.length)).toStrictEqual(
      LINE_KINDS.map((kind) => `${kind.name}: ${describedFields(kind)}`),
    );
  });

  it('names every table and column of the database that is not exported', async () => {
    const database = await openMemory();
    const rows = await database.query<{ table: string; column: string }>(`
      SELECT table_name::text AS "table", column_name::text AS "column" FROM information_schema.columns
      WHERE table_schema = 'public' AND table_name <> '_prisma_migrations' ORDER BY 1, 2`);
    await database.close();
    const known = new Map<string, Set<string>>();
    const add = (table: string, columns: readonly string[]) =>
      known.set(table, new Set([...(known.get(table) ?? []), ...columns]));
    for (const { table, key, fields, parts = {}, filled = [] } of LINE_KINDS) {
      add(table, [...(key ?? ['id']), ...storedFields(fields).map(columnOf), ...filled]);
      for (const { table, of, fields } of Object.values(parts))
        add(table, [of, ...storedFields(fields).map(columnOf)]);
    }
    const left = rows.flatMap(({ table, column }) => {
      const columns = known.get(table);
      if (!columns) return [table];
      return columns.has(column) ? [] : [`${table}.${column}`];
    });
    const named = tableOf('What is not in it').flatMap(([cell = '']) =>
      [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name as string),
    );
    expect(named.sort()).toStrictEqual([...new Set(left)].sort());
  });
});
