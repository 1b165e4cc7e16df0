import type { Deps } from '../../../core/deps.js';
import { serviceContext } from '../../../core/service-context.js';
import type { ImportOptions } from '../importing.service.js';
import type { ImportRun } from '../kind.js';
import { importKind } from '../kind-import.service.js';
import { LINE_KINDS } from '../lines/line-kinds.js';
import { Report } from '../report.js';
import { advanceTo } from '../sequence.service.js';
import { lineFiles } from './line-files.service.js';
import { importedLines } from './line-import.service.js';
import type { NdjsonSource } from './ndjson-source.js';

/**
 * Takes over what an export holds. Rows keep their numbers: one whose number a row of this service has
 * is refused. A run that is ended goes on where it was. Returns what became of every line.
 */
export async function importLines(
  source: NdjsonSource,
  deps: Deps,
  {
    check,
    overwrite,
    since,
    progress,
    report = new Report(),
  }: Omit<ImportOptions, 'mapping' | 'uploads'>,
): Promise<Report> {
  const { database } = deps;
  const context = await serviceContext(deps, 'import');
  const run: ImportRun = {
    ...{ report, overwrite, check, context, since },
    accounts: new Set(),
    deleted: new Set(),
    numbers: new Map(),
  };
  const how = { database, check, progress };
  for (const kind of LINE_KINDS) {
    const rows = source.rowsOf(kind.name);
    await importKind(run, importedLines(kind, rows), how);
    if (!check && rows.count > 0) await kind.finish?.(run);
    if (kind.parts?.files) await importKind(run, lineFiles(source, kind.name), how);
  }
  if (!check) await database.transaction((db) => advanceTo(db, source.lastIds));
  return report;
}
