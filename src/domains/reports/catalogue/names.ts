import type { RequestContext } from '../../../core/context.js';

/** Names of values of a dimension; null for what is gone. */
export type Names = ReadonlyMap<string, string | null>;

/**
 * Reads the names of some values of a dimension, or of the newest values, at most 100, when none
 * are given.
 */
export type ReadNames = (context: RequestContext, values?: readonly string[]) => Promise<Names>;

/** How many values a refusal names at most. */
const MOST_NAMED = 100;

/** Returns which rows are read: those of the values, or the newest. */
const chosen = (values: readonly string[] | undefined) =>
  ({
    where: values ? { id: { in: values.map(Number).filter(isId) } } : {},
    orderBy: { id: 'desc' },
    take: values ? values.length : MOST_NAMED,
  }) as const;

/** Keys of rows have 32 bits. */
const isId = (value: number) => Number.isInteger(value) && value > 0 && value < 2 ** 31;

const named = (rows: readonly { readonly id: number; readonly name: string }[]): Names =>
  new Map(rows.map(({ id, name }) => [String(id), name]));

/** Questions of polls. */
export const namesOfPolls: ReadNames = async ({ db }, values) => {
  const rows = await db.poll.findMany({ select: { id: true, question: true }, ...chosen(values) });
  return named(rows.map(({ id, question: name }) => ({ id, name })));
};

/** Texts of the options of polls. */
export const namesOfOptions: ReadNames = async ({ db }, values) => {
  const rows = await db.pollOption.findMany({
    select: { id: true, text: true },
    ...chosen(values),
  });
  return named(rows.map(({ id, text: name }) => ({ id, name })));
};

/** Names of forms. */
export const namesOfForms: ReadNames = async ({ db }, values) =>
  named(await db.form.findMany({ select: { id: true, name: true }, ...chosen(values) }));

/** Languages are their own names. */
export const namesOfLanguages: ReadNames = async ({ db }) => {
  const rows = await db.language.findMany({ select: { code: true }, orderBy: { id: 'asc' } });
  return new Map(rows.map(({ code }) => [code, code]));
};
