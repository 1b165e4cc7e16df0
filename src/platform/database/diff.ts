import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PGlite } from '@electric-sql/pglite';
import { projectRoot } from '../root.js';
import { openEngine, schemaFiles } from './engine.js';
import { openPGlite } from './pglite.js';
import { PGliteAdapterFactory } from './pglite-adapter.js';
import { template } from './template.js';

/** Database objects that the migrations create and Prisma cannot model: prisma/unmanaged.json. */
export interface Unmanaged {
  tables: string[];
  enums: string[];
  indexes: string[];
}

/** Reads prisma/unmanaged.json. */
export function readUnmanaged(): Unmanaged {
  return JSON.parse(
    readFileSync(join(projectRoot, 'prisma', 'unmanaged.json'), 'utf8'),
  ) as Unmanaged;
}

/**
 * Returns the SQL that turns the result of the migrations into the schema of schema.prisma; the
 * empty text when they agree.
 */
export async function schemaDiff(): Promise<string> {
  const pg = await openPGlite({ loadDataDir: await template() });
  try {
    return await diffFrom(pg, readUnmanaged());
  } finally {
    await pg.close();
  }
}

/**
 * Returns the SQL that turns any database into the schema of schema.prisma, without the unmanaged
 * objects.
 */
export async function diffFrom(pg: PGlite, { tables, enums, indexes }: Unmanaged): Promise<string> {
  const engine = await openEngine(new PGliteAdapterFactory(pg));
  try {
    const { stdout } = await engine.diff({
      from: { tag: 'schemaDatasource', files: schemaFiles(), configDir: projectRoot },
      to: { tag: 'schemaDatamodel', files: schemaFiles() },
      script: true,
      exitCode: null,
      filters: { externalTables: tables.map(qualified), externalEnums: enums.map(qualified) },
    });
    return withoutDrops(stdout ?? '', indexes);
  } finally {
    engine.free();
  }
}

function qualified(name: string): string {
  return name.includes('.') ? name : `public.${name}`;
}

// The engine's filters handle tables and enums, but not indexes.
function withoutDrops(sql: string, indexes: string[]): string {
  const kept = sql.split(/\n(?=-- )/).filter((statement) => {
    const [, index] = /^-- DropIndex\s+DROP INDEX "([^"]+)";\s*$/.exec(statement) ?? [];
    return index === undefined || !indexes.includes(index);
  });
  const text = kept.join('\n').trim();
  return text === '-- This is an empty migration.' ? '' : text;
}
