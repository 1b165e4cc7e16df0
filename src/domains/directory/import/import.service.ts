import type { RequestContext } from '../../../core/context.js';
import { refuse } from '../../../core/errors.js';
import { fold } from '../../../core/folding.js';
import { deleteOnce, hold } from '../../../core/transact.js';
import { CsvError, type CsvRow, parseCsv } from '../../../platform/csv.js';
import { recordAudit } from '../../audit/audit.service.js';
import { serviceRowsByExternalId } from '../service/service-list.service.js';
import { columnsOfRow, type ServiceColumns } from '../service/service-row.service.js';
import { type ServiceToSave, saveServices } from '../service/service-save.service.js';
import { emptyService } from '../service/service-write.service.js';
import { pathOf, type TypeTree, typeTree } from '../service-type/type-tree.service.js';
import {
  ImportedServices,
  type ImportHealthcareServicesInput,
  ImportProblem,
  MOST_PROBLEMS,
  MOST_ROWS,
} from './import.types.js';
import { COLUMNS, FieldProblem, type FindType } from './import-row.js';

/** A row without problems: what it sets. */
interface ImportedRow {
  readonly line: number;
  readonly columns: Partial<ServiceColumns> & { readonly externalId: string };
}

/**
 * Creates and updates services from a CSV, in one transaction and a constant number of statements.
 * Rows with problems are reported and change nothing. A retry with the
 * same Idempotency-Key leaves what was changed since. Throws CSV_INVALID.
 */
export async function importServices(
  context: RequestContext,
  { csv, dryRun }: ImportHealthcareServicesInput,
): Promise<ImportedServices> {
  const { names, rows } = tableOf(csv);
  const done = await deleteOnce(context, async (inner) => {
    await hold(inner, 'service import');
    const problems: ImportProblem[] = [];
    const given = readRows(names, rows, finderOf(await typeTree(inner)), problems);
    const { saved, created, unchanged } = await compare(inner, given, problems);
    if (!dryRun) {
      await saveServices(inner, saved);
      const detail = { created, updated: saved.length - created };
      await recordAudit(inner, { action: 'directory.import', subjectId: null, detail });
    }
    return {
      created,
      updated: saved.length - created,
      unchanged,
      failed: new Set(problems.map(({ line }) => line)).size,
      problems: problems.sort((a, b) => a.line - b.line).slice(0, MOST_PROBLEMS),
    };
  });
  const shown = done.problems.map(({ line, column, message }) => problem(line, column, message));
  return Object.assign(new ImportedServices(), done, { problems: shown });
}

/** Returns the names of the columns, and the rows below them. */
function tableOf(csv: string): { names: readonly string[]; rows: readonly CsvRow[] } {
  const [header, ...rows] = rowsOf(csv);
  const names = header?.fields.map((name) => name.trim().toLowerCase()) ?? [];
  const strange = names.filter((name) => !Object.hasOwn(COLUMNS, name));
  const missing = names.includes('external_id') ? [] : ['external_id'];
  if (strange.length > 0) throw invalid(`There is no column ${strange.join(', ').slice(0, 200)}.`);
  if (missing.length > 0) throw invalid('The column external_id is missing.');
  if (new Set(names).size < names.length) throw invalid('A column is named twice.');
  if (rows.length > MOST_ROWS) throw invalid(`At most ${MOST_ROWS} rows are imported at once.`);
  return { names, rows };
}

function rowsOf(csv: string): CsvRow[] {
  try {
    return parseCsv(csv);
  } catch (error) {
    if (error instanceof CsvError) throw invalid(`Line ${error.line}: ${error.message}`);
    throw error;
  }
}

const invalid = (message: string) => refuse('CSV_INVALID', message, { param: 'csv' });

const problem = (line: number, column: string | null, message: string) =>
  Object.assign(new ImportProblem(), { line, column, message });

function readRows(
  names: readonly string[],
  rows: readonly CsvRow[],
  find: FindType,
  problems: ImportProblem[],
): ImportedRow[] {
  const seen = new Map<string, number>();
  return rows.flatMap(({ line, fields }) => {
    const wrong = wrongWith(names, fields).map((message) => problem(line, null, message));
    let columns: Partial<ServiceColumns> = {};
    for (const [i, name] of names.entries()) {
      try {
        const text = fields[i]?.trim() ?? '';
        columns = { ...columns, ...COLUMNS[name]?.(text, find) };
      } catch (error) {
        if (!(error instanceof FieldProblem)) throw error;
        if (wrong.every(({ column }) => column !== null))
          wrong.push(problem(line, name, error.message));
      }
    }
    const { externalId, latitude, longitude } = columns;
    if (wrong.length === 0 && ((latitude ?? null) === null) !== ((longitude ?? null) === null))
      wrong.push(problem(line, 'longitude', 'stands beside a latitude'));
    const before = externalId ? seen.get(externalId) : undefined;
    if (before !== undefined)
      wrong.push(problem(line, 'external_id', `is that of line ${before}, too`));
    if (externalId && before === undefined) seen.set(externalId, line);
    problems.push(...wrong);
    return wrong.length === 0 && externalId
      ? [{ line, columns: { ...columns, externalId } } as ImportedRow]
      : [];
  });
}

const wrongWith = (names: readonly string[], fields: readonly string[]) =>
  fields.length === names.length
    ? []
    : [`has ${fields.length} fields, and there are ${names.length} columns`];

/** Compares rows with the services that there are. */
async function compare(
  inner: RequestContext,
  given: readonly ImportedRow[],
  problems: ImportProblem[],
) {
  const rows = await serviceRowsByExternalId(
    inner,
    given.map(({ columns }) => columns.externalId),
  );
  const known = new Map(rows.map((row) => [row.externalId, row]));
  const saved: ServiceToSave[] = [];
  let [created, unchanged] = [0, 0];
  for (const { line, columns } of given) {
    const row = known.get(columns.externalId);
    const before = row ? columnsOfRow(row) : { ...emptyService(inner), name: '' };
    const after = { ...before, ...columns };
    if (!after.name) problems.push(problem(line, 'name', 'is needed for a new service'));
    else if (row && JSON.stringify(sorted(after)) === JSON.stringify(sorted(before))) unchanged++;
    else {
      saved.push(row ? { ...after, id: row.id } : after);
      if (!row) created++;
    }
  }
  return { saved, created, unchanged };
}

/** Returns the columns in one order, with the hours in the order of their parts. */
const sorted = ({ hours, ...columns }: ServiceColumns) => [
  Object.entries(columns).sort(([a], [b]) => (a < b ? -1 : 1)),
  hours.map(({ weekday, opens, closes }) => [weekday, opens, closes]),
];

/** Finds types by their name, when it is the only one of that name, or by their path. */
function finderOf(tree: TypeTree): FindType {
  const found = new Map<string, Set<number>>();
  for (const { id, name } of tree.values()) {
    const path = pathOf(tree, id).map((type) => fold(type.name));
    for (const key of new Set([fold(name), path.join(' > ')]))
      found.set(key, (found.get(key) ?? new Set()).add(id));
  }
  return (path) => {
    const key = path
      .split('>')
      .map((part) => fold(part.trim()))
      .join(' > ');
    const ids = [...(found.get(key) ?? [])];
    return ids.length === 1 ? ids[0] : undefined;
  };
}
