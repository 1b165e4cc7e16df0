import { basename } from 'node:path';
import type { Deps } from '../../core/deps.js';
import { serviceContext } from '../../core/service-context.js';
import type { ModelDocument } from '../../domains/models/definition/model.document.js';
import type { Database } from '../../platform/database/database.js';
import { isStorable } from '../../platform/storable.js';
import { ACCOUNTS } from './accounts.js';
import { AUTHORS } from './authors.service.js';
import { ahead } from './batches.js';
import { advanceSequences, makeNobody, writeSite } from './completion.service.js';
import { filesIn } from './files.service.js';
import { itemsOf } from './items.js';
import type { Import, ImportedKind, Left, Mapped, SourceRows, Verdict } from './kind.js';
import { mappedKinds } from './mapping/mapped-kind.js';
import type { MappedQuery } from './mapping/mapping.js';
import { MEDIA } from './media.js';
import { type ImportedModel, itemKinds } from './model-items.js';
import { MODELS } from './models.js';
import { mysqlContent } from './mysql-content.js';
import { MysqlSource, type SourceRow } from './mysql-source.js';
import { Report } from './report.js';
import { REVISIONS } from './revisions.js';
import { readSite } from './site.js';
import { TERMS } from './terms.js';
import { DELETED, decide, write } from './writing.service.js';
import { WxrSource } from './wxr/wxr-source.js';

/** In the order in which they refer to each other. */
const CONTENT: readonly ImportedKind[] = [
  TERMS,
  itemsOf('page'),
  itemsOf('post'),
  itemsOf('healthcare'),
  MEDIA,
  REVISIONS,
];

/** How an import is done. */
export interface ImportOptions {
  /** Reads everything and writes nothing. */
  readonly check: boolean;
  /** Overwrites rows that people have changed here since they were imported. */
  readonly overwrite: boolean;
  /** Where rows of the tables of applications stand; none unless given. */
  readonly mapping?: readonly MappedQuery[];
  /** A folder with the files of attachments; they stay where they are unless given. */
  readonly uploads?: string | undefined;
  /** Is told of each step: so many rows of a kind are done. */
  readonly progress: (kind: string, done: number, all: number) => void;
}

/** What the import of a kind needs besides the run. */
interface Manner {
  readonly database: Database;
  readonly check: boolean;
  readonly progress: ImportOptions['progress'];
}

/**
 * Takes over accounts and content of the original, and what a mapping names. A run that is ended goes
 * on where it was; a second one writes only what has changed in the original. Returns what became of
 * every row. Throws StartError for a query of the mapping that fails, before anything is written.
 */
export async function importFrom(
  source: MysqlSource | WxrSource,
  deps: Deps,
  { check, overwrite, mapping = [], uploads, progress }: ImportOptions,
): Promise<Report> {
  const { database } = deps;
  const report = new Report();
  const context = await serviceContext(deps, 'import');
  const original = source instanceof MysqlSource ? source : undefined;
  const content = source instanceof MysqlSource ? mysqlContent(source) : source;
  const site = await readSite(content, report, context.site);
  const run: Import = {
    ...{ source: original, content, site, report, overwrite, check, context },
    circles: new Set(),
    vocabularies: new Map(),
    accounts: new Set(),
    numbers: new Map(),
    counts: new Map(),
    forms: [],
    optionPolls: new Map(),
  };
  if (source instanceof WxrSource) reportFaults(source, report);
  const mapped = original ? await mappedKinds(original, mapping) : [];
  const files = uploads ? [await filesIn(uploads)] : [];
  if (!check) await database.transaction(makeNobody);
  const how = { database, check, progress };
  await importKind(run, original ? ACCOUNTS : AUTHORS, how);
  for (const kind of [...CONTENT, ...files]) await importKind(run, kind, how);
  if (original) await importModels(run, how);
  for (const kind of mapped) await importKind(run, kind, how);
  if (!check)
    await database.transaction(async (db) => {
      await writeSite(db, site);
      await advanceSequences(db);
    });
  return report;
}

/** Reports what of an export is no XML, by its lines. */
function reportFaults({ name, faults }: WxrSource, report: Report): void {
  for (const { line, reason } of faults) {
    report.tally('export').read++;
    report.leave({
      kind: 'export',
      at: `${basename(name)} line ${line}`,
      outcome: 'refused',
      reason,
    });
  }
}

async function importModels(run: Import, how: Manner): Promise<void> {
  const models: ImportedModel[] = [];
  await importKind(run, { ...MODELS, map: noting(models) }, how);
  for (const kind of await itemKinds(run, models, how)) await importKind(run, kind, how);
}

/** Returns how models are mapped, and keeps them for their items. */
const noting =
  (models: ImportedModel[]): ImportedKind['map'] =>
  async (run, rows) => {
    const mapped = await MODELS.map(run, rows);
    for (const one of mapped)
      if ('own' in one)
        models.push({ id: one.own.id, document: one.own.document as ModelDocument });
    return mapped;
  };

async function importKind(
  run: Import,
  kind: ImportedKind,
  { database, check, progress }: Manner,
): Promise<void> {
  const { report } = run;
  const { count, batches } = await kind.rows(run);
  let done = 0;
  for await (const { rows, mapped } of ahead(mappedBatches(run, kind, batches))) {
    report.tally(kind.name).read += rows.length;
    const good = leaving(run, kind, rows, mapped);
    const outcomes = check
      ? await decide(database.db, kind, good, run)
      : await write(database, kind, good, run);
    for (const [i, outcome] of outcomes.entries()) note(run, kind, good[i] as Mapped, outcome);
    done += rows.length;
    progress(kind.name, done, count);
  }
}

/** Yields batches of rows with what they become. */
async function* mappedBatches(
  run: Import,
  kind: ImportedKind,
  batches: SourceRows['batches'],
): AsyncGenerator<{ rows: readonly SourceRow[]; mapped: readonly (Mapped | Left)[] }> {
  for await (const rows of batches) yield { rows, mapped: await kind.map(run, rows) };
}

/** Reports the rows that are left out, and returns the others. */
function leaving(
  { report }: Import,
  kind: ImportedKind,
  rows: readonly SourceRow[],
  mapped: readonly (Mapped | Left)[],
): Mapped[] {
  return mapped.flatMap((one, i) => {
    if ('own' in one) return [storable(one)];
    const row = rows[i] ?? {};
    const place = kind.placeOf?.(Number(row.id)) ?? row.key ?? row.ID ?? row.id;
    report.leave({ kind: kind.name, at: `${kind.from} ${place}`, ...one });
    return [];
  });
}

function note(
  run: Import,
  kind: ImportedKind,
  { own, remarks, place = String(kind.placeOf?.(own.id) ?? own.id) }: Mapped,
  { outcome, reason }: Verdict,
): void {
  const { report } = run;
  const at = `${kind.from} ${place}`;
  report.count(kind.name, outcome);
  if (reason) report.remark({ kind: kind.name, at, outcome, reason });
  if (outcome === 'imported' || outcome === 'changed')
    for (const said of remarks ?? []) report.remark({ kind: kind.name, at, outcome, reason: said });
  if (outcome !== 'refused' && reason !== DELETED) refer(run, kind, place, own.id);
}

/** Notes a row that is here, for rows that refer to it. */
function refer({ accounts, numbers }: Import, kind: ImportedKind, place: string, id: number): void {
  if (kind.table === 'account') accounts.add(id);
  if (!kind.isReferredTo) return;
  const known = numbers.get(kind.name) ?? new Map<string, number>();
  numbers.set(kind.name, known.set(place, id));
}

/** Returns a row without what PostgreSQL cannot store: NUL and halves of characters. */
const storable = (mapped: Mapped): Mapped =>
  isClean(mapped.own) ? mapped : { ...mapped, own: cleaned(mapped.own) };

function isClean(value: unknown): boolean {
  if (typeof value === 'string') return isStorable(value);
  if (value === null || typeof value !== 'object') return true;
  return Object.values(value).every(isClean);
}

function cleaned<T>(value: T): T {
  if (typeof value === 'string') return value.replaceAll('\0', '').toWellFormed() as T;
  if (Array.isArray(value)) return value.map(cleaned) as T;
  if (value === null || typeof value !== 'object' || value instanceof Date) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, cleaned(one)])) as T;
}
