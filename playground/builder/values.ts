import { dataOf } from '../sending.js';
import { ended } from '../session.js';
import type { Option, Subject } from './catalogue.js';
import { valueNames } from './labelled.js';
import type { Period } from './question.js';
import { documentOf } from './writing.js';

/** A value that a filter can keep: null stands for none. */
export type FilterValue = string | number | null;

/** Values that are offered at most; the filter of the schema takes a hundred. */
const MOST_VALUES = 500;
const known = new Map<string, Promise<readonly FilterValue[]>>();
const names = new Map<string, string>();
// They are what somebody may see: a clinician's are the own ones.
ended.watch(() => {
  known.clear();
  names.clear();
});

const keyOf = (subject: Subject, { name }: Option, value: FilterValue) =>
  JSON.stringify([subject.name, name, value]);

/** Returns what a value of a filter is called: by its name, once its values were read. */
export const valueText = (subject: Subject, filter: Option, value: FilterValue): string =>
  value === null ? 'none' : (names.get(keyOf(subject, filter, value)) ?? String(value));

/**
 * Returns the values of a dimension in a period, the most frequent first: those of the schema, or
 * those that a report shows. What is hidden in it is not offered.
 */
export function valuesOf(
  subject: Subject,
  filter: Option,
  period: Period,
): Promise<readonly FilterValue[]> {
  if (filter.values) return Promise.resolve(filter.values.map(({ name }) => name));
  const key = JSON.stringify([subject.name, filter.name, period]);
  const values = known.get(key) ?? askValues(subject, filter, period);
  known.set(key, values);
  values.catch(() => known.get(key) === values && known.delete(key));
  return values;
}

async function askValues(
  subject: Subject,
  filter: Option,
  period: Period,
): Promise<readonly FilterValue[]> {
  const { name } = filter;
  const [measure] = subject.measures;
  if (!measure) return [];
  const by = measure.name;
  const query = documentOf(
    {
      ...{ subject: subject.name, measures: [by], groups: [name], filter: {}, period },
      ...{ options: {}, companions: [], order: { by, isDescending: true }, first: MOST_VALUES },
    },
    subject,
  );
  const data = await dataOf({ query });
  const { rows } = data[subject.name] as { rows: readonly Record<string, FilterValue>[] };
  const dimension = subject.dimensions.find((other) => other.name === name);
  for (const [value, text] of dimension ? valueNames(rows, dimension) : [])
    names.set(keyOf(subject, filter, value as FilterValue), text);
  return [...new Set(rows.filter((row) => row[by] !== null).map((row) => row[name] ?? null))];
}
