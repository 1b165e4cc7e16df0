import type { GraphQLSchema } from 'graphql';
import type { RequestContext } from '../../../core/context.js';
import { DomainError, type Refusal, refuse } from '../../../core/errors.js';
import { byPart, byWhether } from '../../../core/filtering.js';
import { globalId } from '../../../core/node.js';
import { byName, byNumber, byTime, Direction, orderedList } from '../../../core/ordering.js';
import { deleteRow, firstOf, updateRow } from '../../../core/row.js';
import { transact } from '../../../core/transact.js';
import { Prisma } from '../../../generated/prisma/client.js';
import { checkDocument, checkVariables } from './saved-document.js';
import type { CreateSavedReportInput, UpdateSavedReportInput } from './saved-report.inputs.js';
import { SavedReport } from './saved-report.types.js';

const { sql } = Prisma;

/** Reports that an account may save. */
export const MOST_SAVED = 100;

const visible = ({ viewer }: RequestContext) =>
  sql`(r.account_id = ${viewer.id} OR r.is_shared) AND ${viewer.can('introspect')}`;

const columnsFor = ({ viewer }: RequestContext) => sql`r.id, r.name, r.query, r.variables, r.view,
  r.measure, r.is_shared AS "isShared", r.modified_at AS "modifiedAt", r.version,
  r.account_id = ${viewer.id} AS "isOwn", a.name AS "ownerName"`;

const TABLES = sql`saved_report r JOIN account a ON a.id = r.account_id`;

const NUMBER = byNumber(sql`r.id`, ({ id }: SavedReport) => id);

/** The own and the shared reports, newest first. */
export const savedReportList = orderedList<SavedReport>({
  noun: 'SavedReport',
  what: 'saved reports',
  choices: {
    ID: NUMBER,
    MODIFIED_AT: byTime(
      'By when they were changed last.',
      sql`r.modified_at`,
      ({ modifiedAt }) => modifiedAt,
    ),
    NAME: byName('By name; case and accents are ignored.', sql`r.name`, ({ name }) => name),
  },
  filters: {
    search: byPart('Whose name holds this.', sql`r.name`),
    isOwn: byWhether(
      'Own ones, or those of others.',
      ({ viewer }) => sql`r.account_id = ${viewer.id}`,
    ),
    isShared: byWhether('Shared ones, or those that are not.', () => sql`r.is_shared`),
  },
  usual: { field: 'ID', direction: Direction.DESC },
  ties: [NUMBER],
  name: 'savedReports',
  size: 100,
  from: TABLES,
  where: visible,
  read: readReports,
});

const reportOf = (row: object): SavedReport => Object.assign(new SavedReport(), row);

/** Returns the address that opens a report in the playground of a site. */
export const addressOf = (siteUrl: string, id: number): string =>
  `${siteUrl}/graphql?report=${globalId('SavedReport', id)}`;

/** Returns the reports of these ids that the viewer may see. */
export const savedReportsById = (
  context: RequestContext,
  ids: readonly number[],
): Promise<SavedReport[]> =>
  readReports(context, sql`r.id = ANY(${[...ids]}::int[]) AND ${visible(context)}`);

/** The same for a loader: undefined for those that the viewer may not see. */
export async function visibleReports(
  context: RequestContext,
  ids: readonly number[],
): Promise<(SavedReport | undefined)[]> {
  const rows = new Map((await savedReportsById(context, ids)).map((row) => [row.id, row]));
  return ids.map((id) => rows.get(id));
}

async function readReports(
  context: RequestContext,
  condition: Prisma.Sql,
  rest = Prisma.empty,
): Promise<SavedReport[]> {
  const rows = await context.rows<SavedReport>(
    sql`SELECT ${columnsFor(context)} FROM ${TABLES} WHERE ${condition} ${rest}`,
  );
  return rows.map(reportOf);
}

/**
 * Saves a report of the viewer. Throws REPORT_DOCUMENT_INVALID, and SAVED_REPORTS_FULL beyond 100.
 */
export async function createSavedReport(
  context: RequestContext,
  schema: GraphQLSchema,
  input: CreateSavedReportInput,
): Promise<SavedReport> {
  const { name, query, view = null, measure = null } = input;
  const variables = input.variables ?? '{}';
  checkDocument(schema, query);
  checkVariables(variables);
  const accountId = context.viewer.id;
  const id = await transact(
    context,
    async ({ db }) => {
      // Simultaneous saves of an account wait for each other, so that it has 100 at most.
      await db.$executeRaw`SELECT 1 FROM account WHERE id = ${accountId} FOR UPDATE`;
      if ((await db.savedReport.count({ where: { accountId } })) >= MOST_SAVED)
        throw refuse(
          'SAVED_REPORTS_FULL',
          `There are ${MOST_SAVED} saved reports. Delete one before.`,
        );
      const isShared = input.isShared ?? false;
      const modifiedAt = context.now();
      const data = { accountId, name, query, variables, view, measure, isShared, modifiedAt };
      return (await db.savedReport.create({ data, select: { id: true } })).id;
    },
    { replayable: true },
  );
  return savedReportOf(context, id);
}

/**
 * Changes what is given of an own report. Throws SAVED_REPORT_NOT_FOUND, FORBIDDEN for that of
 * somebody else, CONFLICT, REPORT_DOCUMENT_INVALID.
 */
export async function updateSavedReport(
  context: RequestContext,
  schema: GraphQLSchema,
  { name, query, variables, view, measure, isShared, ...report }: UpdateSavedReportInput,
): Promise<SavedReport> {
  if (query) checkDocument(schema, query);
  if (variables) checkVariables(variables);
  const data = {
    ...(name && { name }),
    ...(query && { query }),
    ...(variables && { variables }),
    ...(view !== undefined && { view }),
    ...(measure !== undefined && { measure }),
    ...(typeof isShared === 'boolean' && { isShared }),
    modifiedAt: context.now(),
  };
  return updateRow(context, report, {
    what: 'report',
    read: ownReportOf,
    update: ({ db }, where, version) =>
      db.savedReport.updateMany({ where, data: { ...data, version } }),
  });
}

/** Deletes an own report. Returns it as it was. Throws SAVED_REPORT_NOT_FOUND, FORBIDDEN. */
export const deleteSavedReport = (context: RequestContext, id: number): Promise<SavedReport> =>
  deleteRow(context, id, {
    read: ownReportOf,
    remove: (db, where) => db.savedReport.deleteMany({ where }),
    made: reportOf,
  });

/** Returns an own report. Throws SAVED_REPORT_NOT_FOUND, FORBIDDEN for that of somebody else. */
export async function ownReportOf(context: RequestContext, id: number): Promise<SavedReport> {
  const report = await savedReportOf(context, id);
  const refusal = refusalOfReportChange(report);
  if (refusal) throw new DomainError(refusal);
  return report;
}

/** Returns FORBIDDEN for a report of somebody else. */
export const refusalOfReportChange = ({
  isOwn,
}: Pick<SavedReport, 'isOwn'>): Refusal | undefined =>
  isOwn ? undefined : { reason: 'FORBIDDEN', message: 'Only who saved a report may change it.' };

/**
 * Returns a report that the viewer may see. Throws SAVED_REPORT_NOT_FOUND, in the same words for
 * one of somebody else that is not shared: ids are counted up, and tell nobody what there is.
 */
export const savedReportOf = async (context: RequestContext, id: number): Promise<SavedReport> =>
  firstOf(await savedReportsById(context, [id]), notFound);

const notFound = () =>
  refuse(
    'SAVED_REPORT_NOT_FOUND',
    'There is no such report, or it is not shared with you. Ask who gave you its address to ' +
      'share it.',
    { param: 'id' },
  );

/** Returns the reports that the account has saved, for the export of its data. */
export async function exportSavedReports(
  { db }: RequestContext,
  accountId: number,
): Promise<object[]> {
  return db.savedReport.findMany({
    where: { accountId },
    orderBy: { id: 'asc' },
    omit: { accountId: true },
  });
}
