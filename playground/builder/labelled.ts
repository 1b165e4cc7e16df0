import type { Subject } from './catalogue.js';

type Row = Readonly<Record<string, unknown>>;

/** Returns the names of a dimension's values in rows. */
export function valueNames(
  rows: readonly Row[],
  { name, names }: Subject['dimensions'][number],
): ReadonlyMap<unknown, string> {
  const named = new Map<unknown, string>();
  for (const row of rows) {
    const text = names && row[names];
    if (typeof text === 'string') named.set(row[name], text);
  }
  return named;
}

/** Returns an answer whose rows have the names of polls, options and forms for their numbers. */
export function labelled(data: Row, subject: Subject): Row {
  const report = data[subject.name] as { readonly rows?: readonly Row[] } | null | undefined;
  const dimensions = subject.dimensions.filter(({ names }) => names);
  if (!report?.rows || dimensions.length === 0) return data;
  let { rows } = report;
  for (const dimension of dimensions) {
    const named = valueNames(rows, dimension);
    rows = rows.map((row) => {
      const { [dimension.names ?? '']: _name, ...others } = row;
      const value = row[dimension.name];
      return dimension.name in row
        ? { ...others, [dimension.name]: named.get(value) ?? value }
        : row;
    });
  }
  return { ...data, [subject.name]: { ...report, rows } };
}
