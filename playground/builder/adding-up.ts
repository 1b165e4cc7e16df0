import { Kind, parse } from 'graphql';
import type { Known } from '../result/shape.js';
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

/** Returns the root fields of a document by the names that they have in the answer. */
function rootsOf(query: string): ReadonlyMap<string, string> {
  try {
    const fields = parse(query)
      .definitions.flatMap((definition) =>
        definition.kind === Kind.OPERATION_DEFINITION ? definition.selectionSet.selections : [],
      )
      .filter((selection) => selection.kind === Kind.FIELD);
    return new Map(fields.map(({ alias, name }) => [(alias ?? name).value, name.value]));
  } catch {
    return new Map();
  }
}
