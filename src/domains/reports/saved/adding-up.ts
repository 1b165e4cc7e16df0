import { parse } from 'graphql';
import { rootNamesOf } from '../../../platform/graphql/root-names.js';
import { SUBJECTS } from '../catalogue/catalogue.js';
import { addingUp } from '../catalogue/subject.js';
import type { ResultTable } from './result-table.js';

/** Where rows have counts: their own, those of the period before, and their running sums. */
const PLACES = ['', 'previous.', 'cumulative.'];

/**
 * Returns the columns of a table of a report that add up over rows, which are counts of facts. Different
 * accounts, rates, averages and percentiles do not. `query` is the document that was asked.
 */
export function columnsAddingUp(
  query: string,
  { name }: Pick<ResultTable, 'name'>,
): readonly string[] {
  const [key = '', list] = name.split('.');
  const root = rootNamesOf(parse(query)).get(key);
  const subject = SUBJECTS.find((other) => `${other.name}Report` === root);
  if (!subject || list !== 'rows') return [];
  const counts = addingUp(subject).filter(({ type }) => type === 'int');
  return PLACES.flatMap((place) => counts.map((count) => place + count.name));
}
