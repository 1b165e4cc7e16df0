import { PGlite, type PGliteOptions } from '@electric-sql/pglite';
import { cube } from '@electric-sql/pglite/contrib/cube';
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm';
import { prepareStatements } from './pglite-prepared.js';
import { parsers } from './values.js';

/**
 * Opens PGlite with the extensions that the migrations use. Unlike a server, PGlite needs the list
 * of extensions at every open.
 */
export async function openPGlite(options: PGliteOptions = {}): Promise<PGlite> {
  const pg = await PGlite.create({ ...options, extensions: { cube, pg_trgm } });
  removeParsers(pg);
  prepareStatements(pg);
  return pg;
}

/**
 * Removes the parsers of types that this service does not read. PGlite has about 400, and copies
 * all of them for each statement, which takes longer than most statements do.
 */
function removeParsers(pg: PGlite): void {
  for (const type of Object.keys(pg.parsers)) if (!(type in parsers)) delete pg.parsers[type];
}
