import type { RequestContext } from '../../core/context.js';
import { refuse } from '../../core/errors.js';
import { firstOf, updateRow } from '../../core/row.js';
import { hold, transact } from '../../core/transact.js';
import { recordAudit } from '../audit/audit.service.js';
import type { CreateFormInput, UpdateFormInput } from './form.inputs.js';
import { Form } from './form.types.js';

/** Days for which submissions are kept unless a form says otherwise. */
export const RETENTION = 180;
const MOST_FORMS = 200;

/** The row of a form, whose decimals are objects. */
interface FormRow {
  readonly scoreLeast: { toNumber(): number };
  readonly scoreMost: { toNumber(): number };
}

const formOf = (row: FormRow) =>
  Object.assign(new Form(), row, {
    scoreLeast: row.scoreLeast.toNumber(),
    scoreMost: row.scoreMost.toNumber(),
  });

/** Returns all forms by their numbers; at most 200. */
export async function listForms({ db }: RequestContext): Promise<Form[]> {
  return (await db.form.findMany({ orderBy: { id: 'asc' }, take: MOST_FORMS })).map(formOf);
}

/** Returns the forms of these ids. */
export async function formsById({ db }: RequestContext, ids: readonly number[]): Promise<Form[]> {
  return (await db.form.findMany({ where: { id: { in: [...ids] } } })).map(formOf);
}

/** Loads forms by id, for `context.loader`. */
export async function loadForms(
  context: RequestContext,
  ids: readonly number[],
): Promise<(Form | undefined)[]> {
  const found = new Map((await formsById(context, ids)).map((form) => [form.id, form]));
  return ids.map((id) => found.get(id));
}

/** Makes a form, audited. Throws FORM_BOUNDS_INVALID, SCORE_INVALID, TOO_MANY. */
export async function createForm(context: RequestContext, input: CreateFormInput): Promise<Form> {
  const { name, scoreLeast, scoreMost } = input;
  refuseScore(scoreLeast, 'scoreLeast');
  refuseScore(scoreMost, 'scoreMost');
  if (scoreLeast > scoreMost)
    throw refuse('FORM_BOUNDS_INVALID', 'The least score is above the most.', {
      param: 'scoreLeast',
    });
  const retentionDays = input.retentionDays ?? RETENTION;
  const data = { name, scoreLeast, scoreMost, retentionDays, createdAt: context.now() };
  const id = await transact(
    context,
    async (inner) => {
      await hold(inner, 'forms');
      if ((await inner.db.form.count()) >= MOST_FORMS)
        throw refuse('TOO_MANY', `There are ${MOST_FORMS} forms: no more fit.`);
      const form = await inner.db.form.create({ data, select: { id: true } });
      await recordAudit(inner, {
        action: 'form.create',
        subjectId: null,
        detail: { form: form.id, retentionDays },
      });
      return form.id;
    },
    { replayable: true },
  );
  return one(context, id);
}

/** Throws SCORE_INVALID for more than two decimals. */
export function refuseScore(score: number, param: string): void {
  if (Number(score.toFixed(2)) !== score)
    throw refuse('SCORE_INVALID', 'A score has two decimals at most.', { param });
}

/** Changes a form, audited. Throws FORM_NOT_FOUND, CONFLICT. */
export function updateForm(
  context: RequestContext,
  { name, retentionDays, open, ...form }: UpdateFormInput,
): Promise<Form> {
  const changes = {
    ...(name && { name }),
    ...(retentionDays && { retentionDays }),
    ...(typeof open === 'boolean' && { open }),
  };
  return updateRow(context, form, {
    what: 'form',
    read: one,
    update: async (inner, where, version) => {
      const detail = { form: form.id, ...changes };
      await recordAudit(inner, { action: 'form.update', subjectId: null, detail });
      return inner.db.form.updateMany({ where, data: { ...changes, version } });
    },
  });
}

const one = async (context: RequestContext, id: number): Promise<Form> =>
  firstOf(await formsById(context, [id]), notFound);

const notFound = () => refuse('FORM_NOT_FOUND', 'There is no such form.', { param: 'id' });
