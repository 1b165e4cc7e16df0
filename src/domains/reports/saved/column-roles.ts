import { parse } from 'graphql';
import { rootNamesOf } from '../../../platform/graphql/root-names.js';
import { SUBJECTS } from '../catalogue/catalogue.js';
import { addingUp, type Subject } from '../catalogue/subject.js';
import type { ResultTable } from './result-table.js';

/** Where rows have counts: their own, those of the period before, and their running sums. */
const PLACES = ['', 'previous.', 'cumulative.'];

/** What the catalogue says of the columns of a table. */
interface ColumnRoles {
  /** Those that add up over rows, which are counts of facts. */
  readonly sums: readonly string[];
  /** Those by which rows are grouped. */
  readonly keys: readonly string[];
}

/** Returns what a table of a report is about. `query` is the document that was asked. */
export function subjectOf(query: string, { name }: Pick<ResultTable, 'name'>): Subject | undefined {
  const [key = ''] = name.split('.');
  const root = rootNamesOf(parse(query)).get(key) ?? key;
  return SUBJECTS.find((subject) => `${subject.name}Report` === root);
}

/**
 * Returns what the columns of a table of a report are. Different accounts, rates, averages and
 * percentiles do not add up. `query` is the document that was asked.
 */
export function columnRolesOf(query: string, { name }: Pick<ResultTable, 'name'>): ColumnRoles {
  const subject = subjectOf(query, { name });
  if (!subject || name.split('.')[1] !== 'rows') return { sums: [], keys: [] };
  const counts = addingUp(subject).filter(({ type }) => type === 'int');
  return {
    sums: PLACES.flatMap((place) => counts.map((count) => place + count.name)),
    keys: [...subject.dimensions, ...(subject.labels ?? [])].map((column) => column.name),
  };
}
