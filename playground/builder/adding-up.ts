import { parse } from 'graphql';
import { rootNamesOf } from '../../src/platform/graphql/root-names.js';
import type { Known } from '../../src/platform/pictures/table.js';
import type { Subject } from './catalogue.js';

/**
 * Returns which columns of an answer add up over rows: those of which the catalogue says so. `query`
 * is the document that was asked: its aliases name the reports.
 */
export function addingUp(
  subjects: readonly Pick<Subject, 'name' | 'sums'>[],
  query: string,
): NonNullable<Known['addsUp']> {
  const roots = rootsOf(query);
  return (column, table) => {
    const [key = '', list] = table.split('.');
    const subject = subjects.find(({ name }) => name === (roots.get(key) ?? key));
    return list === 'rows' && (subject?.sums.includes(column) ?? false);
  };
}

/** A text that is no document has no root fields. */
function rootsOf(query: string): ReadonlyMap<string, string> {
  try {
    return rootNamesOf(parse(query));
  } catch {
    return new Map();
  }
}
