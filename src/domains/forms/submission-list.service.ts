import type { RequestContext } from '../../core/context.js';
import { listPage } from '../../core/listing.js';
import { byNumber, byTime, Direction, type Order, ordering } from '../../core/ordering.js';
import type { Page, PageArgs } from '../../core/paging.js';
import { changeRow, type RowChange } from '../../core/row-change.js';
import { deleteOnce, transact } from '../../core/transact.js';
import { Prisma } from '../../generated/prisma/client.js';
import { auditAccess, recordAudit, recordAudits } from '../audit/audit.service.js';
import type { DeleteFormSubmissionInput, FormSubmissionFilter } from './form.inputs.js';
import { FormSubmission } from './form.types.js';
import { openPerson, type Person, type Sealed } from './submission-seal.js';

const { sql, join } = Prisma;

type SubmissionRow = Sealed & {
  readonly id: number;
  readonly platform: string;
  readonly marks: readonly string[];
  readonly accountId: number | null;
  readonly emailHash: string;
};

/** What submissions may be ordered by. */
export const SUBMISSION_ORDERS = ordering<FormSubmission>({
  noun: 'FormSubmission',
  what: 'submissions',
  choices: {
    RECEIVED_AT: byTime('By when they came in.', sql`received_at`, ({ receivedAt }) => receivedAt),
  },
  usual: { field: 'RECEIVED_AT', direction: Direction.DESC },
  ties: [byNumber(sql`id`, ({ id }) => id)],
});

/**
 * Returns a page of submissions, newest first; audited. One statement for the page besides the
 * audit, and one for the count. Throws CURSOR_INVALID, PAGE_SIZES_BOTH.
 */
export const listSubmissions = (
  context: RequestContext,
  filter: FormSubmissionFilter,
  page: PageArgs,
  order: Order | null | undefined,
): Promise<Page<FormSubmission>> =>
  listPage(context, page, {
    ...SUBMISSION_ORDERS.of('form submissions', order),
    from: sql`form_submission`,
    where: matching(filter),
    read: readSubmissions,
  });

function matching({ formId, from, to, marked }: FormSubmissionFilter): Prisma.Sql {
  const conditions = [
    sql`TRUE`,
    ...(typeof formId === 'number' ? [sql`form_id = ${formId}::int`] : []),
    ...(typeof marked === 'boolean' ? [sql`(cardinality(marks) > 0) = ${marked}::bool`] : []),
    ...(from ? [sql`received_at >= ${from.toISOString()}::timestamptz`] : []),
    ...(to ? [sql`received_at < ${to.toISOString()}::timestamptz`] : []),
  ];
  return join(conditions, ' AND ');
}

/** Returns the submissions of these ids, for staff alone; audited. */
export async function submissionsById(
  context: RequestContext,
  ids: readonly number[],
): Promise<FormSubmission[]> {
  if (!context.viewer.can('read_forms')) return [];
  return readSubmissions(context, sql`id = ANY(${[...ids]}::int[])`);
}

async function readSubmissions(
  context: RequestContext,
  condition: Prisma.Sql,
  rest = Prisma.empty,
): Promise<FormSubmission[]> {
  const rows = await submissionRows(context, condition, rest);
  return rows.map((row) => submissionOf(context, row));
}

/** Reads submissions as they are stored, audited. */
async function submissionRows(
  context: RequestContext,
  condition: Prisma.Sql,
  rest = Prisma.empty,
): Promise<SubmissionRow[]> {
  const rows = await context.rows<SubmissionRow>(sql`
    SELECT id, form_id AS "formId", platform, sealed, key_id AS "keyId", marks,
      account_id AS "accountId", email_hash AS "emailHash", received_at AS "receivedAt" FROM form_submission WHERE ${condition} ${rest}`);
  if (rows.length > 0) await transact(context, (inner) => auditReading(inner, rows));
  return rows;
}

/**
 * Audits that submissions are read: an event for all, with the ids of anonymous ones, and one about
 * each member who sent any.
 */
async function auditReading(
  context: RequestContext,
  rows: readonly SubmissionRow[],
): Promise<void> {
  const anonymous = rows.filter(({ accountId }) => accountId === null).map(({ id }) => id);
  const detail = {
    submissions: rows.length,
    ...(anonymous.length > 0 && { anonymous: anonymous.join(' ') }),
  };
  await recordAudit(context, { action: 'form.read', subjectId: null, detail });
  const senders = rows.flatMap(({ accountId }) => accountId ?? []);
  await auditAccess(context, senders, 'form.read');
}

type Unreadable = { readonly asSent?: Person['asSent'] } & Readonly<
  Record<Exclude<keyof Person, 'asSent'>, null>
>;

function submissionOf({ deps }: RequestContext, row: SubmissionRow): FormSubmission {
  const { sealed: _, keyId: __, accountId: ___, emailHash: ____, ...shown } = row;
  const unreadable = {
    name: null,
    email: null,
    phone: null,
    phoneE164: null,
    score: null,
  } as Unreadable;
  const { asSent = {}, ...person } = openPerson(deps.keys, row) ?? unreadable;
  const sent = Object.entries(asSent).map(([field, text]) => ({ field, text }));
  return Object.assign(new FormSubmission(), shown, person, { asSent: sent });
}

/**
 * Deletes a submission, audited. Returns it as it was; what a retry is answered from is encrypted
 * as it was. Throws FORM_SUBMISSION_NOT_FOUND.
 */
export async function deleteSubmission(
  context: RequestContext,
  { id }: DeleteFormSubmissionInput,
): Promise<FormSubmission> {
  const remove = async (inner: RequestContext) => {
    const [stored] = await submissionRows(inner, sql`id = ${id}::int`);
    await changeRow(inner, SUBMISSION_DELETION, id);
    return stored as SubmissionRow;
  };
  const about = ({ accountId, emailHash }: SubmissionRow) => [accountId ?? 0, emailHash];
  return submissionOf(context, await deleteOnce(context, remove, { about }));
}

/**
 * How submissions are deleted, with an audited event for each. The rule of the mutation has let the
 * viewer through.
 */
export const SUBMISSION_DELETION: RowChange<Pick<SubmissionRow, 'id' | 'accountId'>> = {
  missing: {
    reason: 'FORM_SUBMISSION_NOT_FOUND',
    message: 'There is no such submission.',
    param: 'id',
  },
  async lock(inner, ids: readonly number[]) {
    const rows = await inner.rows<Pick<SubmissionRow, 'id' | 'accountId'>>(sql`
      SELECT id, account_id AS "accountId" FROM form_submission WHERE id = ANY(${ids}::int[]) ORDER BY id FOR UPDATE`);
    const found = new Map(rows.map((row) => [row.id, row]));
    return ids.map((id) => found.get(id));
  },
  refuse: () => undefined,
  async write(inner, rows) {
    const ids = rows.map(({ id }) => id);
    await inner.db.formSubmission.deleteMany({ where: { id: { in: ids } } });
    const events = rows.map(({ id: submission, accountId: subjectId }) => ({
      action: 'form.delete',
      subjectId,
      detail: { submission },
    }));
    await recordAudits(inner, events);
  },
};
