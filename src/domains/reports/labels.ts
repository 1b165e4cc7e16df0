import type { RequestContext } from '../../core/context.js';
import type { Names } from './catalogue/names.js';
import type { Label, Subject } from './catalogue/subject.js';
import { refuseMisspelt } from './question.js';
import type { ReportFilter } from './report.inputs.js';
import type { ReportValues } from './report.types.js';
import { NOTHING_ASKED, type ReportSelection } from './selected.js';

/**
 * Returns rows with the names of their values that are selected, in one statement for each. A name
 * that several values of the rows have is followed by its value: "Sleep (12)".
 */
export async function withLabels(
  context: RequestContext,
  { dimensions, labels = [] }: Subject,
  rows: readonly ReportValues[],
  asked: ReportSelection,
): Promise<readonly ReportValues[]> {
  const selected = asked.get('rows') ?? NOTHING_ASKED;
  const columns = await Promise.all(
    labels
      .filter(({ name }) => selected.has(name))
      .map(async ({ name, of }) => ({ name, of, names: await namesOf(of) })),
  );
  if (columns.length === 0) return rows;
  return rows.map((row) => ({
    ...row,
    ...Object.fromEntries(
      columns.map(({ name, of, names }) => [name, names.get(String(row[of])) ?? null]),
    ),
  }));

  async function namesOf(of: Label['of']) {
    const values = new Set(rows.map((row) => row[of]).filter((value) => typeof value === 'string'));
    const known = dimensions.find(({ name }) => name === of)?.known;
    return toldApart((await known?.(context, [...values])) ?? new Map());
  }
}

function toldApart(names: Names): Names {
  const counts = new Map<string | null, number>();
  for (const name of names.values()) counts.set(name, (counts.get(name) ?? 0) + 1);
  return new Map(
    [...names].map(([value, name]) => [
      value,
      name !== null && (counts.get(name) ?? 0) > 1 ? `${name} (${value})` : name,
    ]),
  );
}

/** Throws FILTER_INVALID for a value that there is not, where all values are known. */
export async function refuseUnknownValues(
  context: RequestContext,
  { dimensions }: Subject,
  filter: ReportFilter | null | undefined,
): Promise<void> {
  for (const { name, known } of dimensions) {
    const values = filter?.[name]?.filter((value) => value !== null);
    if (!known || !values?.length) continue;
    const names = await known(context, values);
    if (values.every((value) => names.has(value))) continue;
    const all = await known(context);
    const shown = [...all].map(([value, label]) =>
      value === label ? value : `${value} (${label})`,
    );
    const missing = values.filter((value) => !names.has(value));
    refuseMisspelt(name, missing, shown);
  }
}
