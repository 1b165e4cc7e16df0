import { createHash, randomBytes } from 'node:crypto';
import type { GraphQLSchema } from 'graphql';
import type { RequestContext } from '../../../core/context.js';
import { refuse } from '../../../core/errors.js';
import { byRow, byWhether } from '../../../core/filtering.js';
import { byNumber, byTime, Direction, orderedList } from '../../../core/ordering.js';
import { firstOf } from '../../../core/row.js';
import { transact } from '../../../core/transact.js';
import { Prisma } from '../../../generated/prisma/client.js';
import { recordAudit } from '../../audit/audit.service.js';
import { requireProof } from '../../sign-in/proof/email-proof.service.js';
import { checkEmbeddable } from '../saved/saved-document.js';
import { savedReportOf } from '../saved/saved-report.service.js';
import { type CreateReportEmbedInput, MOST_ORIGINS } from './report-embed.inputs.js';
import { type CreatedEmbed, ReportEmbed } from './report-embed.types.js';

const { sql } = Prisma;
const DAY = 24 * 60 * 60 * 1000;
const USUAL_LIFETIME = 90 * DAY;
const LONGEST_LIFETIME = 366 * DAY;
/** How long one that ended is listed, and says that it did. */
const REMEMBERED = 30 * DAY;
/** Embedded reports of an account that have not ended. */
export const MOST_EMBEDS = 20;

/** The secret itself is not kept: 256 random bits need no slow hash. */
export const embedHash = (secret: string): string =>
  createHash('sha256').update(secret).digest('base64url');

const TABLES = sql`report_embed e JOIN account a ON a.id = e.account_id
  LEFT JOIN saved_report r ON r.id = e.report_id`;

const visible = ({ viewer }: RequestContext) => sql`${viewer.can('introspect')}
  AND (${viewer.can('manage_options')} OR e.account_id = ${viewer.id} OR r.account_id = ${viewer.id})`;

/** The embedded reports that concern the viewer, newest first. */
export const reportEmbedList = orderedList<ReportEmbed>({
  noun: 'ReportEmbed',
  what: 'embedded reports',
  choices: {
    CREATED_AT: byTime('By when they were made.', sql`e.created_at`, ({ createdAt }) => createdAt),
    EXPIRES_AT: byTime('By when they end.', sql`e.expires_at`, ({ expiresAt }) => expiresAt),
  },
  filters: {
    isExpired: byWhether(
      'Those that have ended, or those that show something.',
      (context) => sql`e.expires_at <= ${context.now().toISOString()}::timestamptz`,
    ),
    reportId: byRow('SavedReport', 'Of this report.', sql`e.report_id`),
  },
  usual: { field: 'CREATED_AT', direction: Direction.DESC },
  ties: [byNumber(sql`e.id`, ({ id }) => id)],
  name: 'reportEmbeds',
  size: 100,
  from: TABLES,
  where: visible,
  read: readEmbeds,
});

/** Returns the embedded reports of these ids that concern the viewer. */
export const reportEmbedsById = (
  context: RequestContext,
  ids: readonly number[],
): Promise<ReportEmbed[]> =>
  readEmbeds(context, sql`e.id = ANY(${[...ids]}::int[]) AND ${visible(context)}`);

async function readEmbeds(
  context: RequestContext,
  condition: Prisma.Sql,
  rest = Prisma.empty,
): Promise<ReportEmbed[]> {
  const rows = await context.rows<ReportEmbed>(
    sql`SELECT e.id, e.report_id AS "reportId", r.name AS "reportName", a.name AS "makerName",
        e.origins, e.created_at AS "createdAt", e.expires_at AS "expiresAt",
        e.revoked_at AS "revokedAt"
      FROM ${TABLES} WHERE ${condition} ${rest}`,
  );
  return rows.map((row) => Object.assign(new ReportEmbed(), row));
}

/**
 * Makes an address at which a saved report is shown. The secret in it is stored as a hash, so that
 * a repetition under an Idempotency-Key makes another. Throws as `createReportEmbed` says.
 */
export async function createReportEmbed(
  context: RequestContext,
  schema: GraphQLSchema,
  input: CreateReportEmbedInput,
): Promise<CreatedEmbed> {
  const { reportId } = input;
  const origins = originsOf(input);
  const expiresAt = expiryOf(context, input);
  const secret = randomBytes(32).toString('base64url');
  const accountId = context.viewer.id;
  const id = await transact(context, async (inner) => {
    await requireProof(inner);
    // Simultaneous calls of an account wait for each other, so that it has 20 at most.
    await inner.db.$executeRaw`SELECT 1 FROM account WHERE id = ${accountId} FOR UPDATE`;
    const report = await savedReportOf(inner, reportId);
    if (!report.isOwn && !inner.viewer.can('manage_options'))
      throw refuse('FORBIDDEN', 'Only who saved a report, or an administrator, may embed it.');
    checkEmbeddable(schema, report.query);
    const { name, query, variables, view, measure, version } = report;
    const now = inner.now();
    const where = { accountId, revokedAt: null, expiresAt: { gt: now } };
    if ((await inner.db.reportEmbed.count({ where })) >= MOST_EMBEDS)
      throw refuse('REPORT_EMBEDS_FULL', `There are ${MOST_EMBEDS}. Revoke one before.`);
    const data = {
      accountId,
      reportId,
      hash: embedHash(secret),
      origins,
      createdAt: now,
      expiresAt,
      embedded: { name, query, variables, view, measure, version },
    };
    const made = await inner.db.reportEmbed.create({ data, select: { id: true } });
    const detail = { id: made.id, report: reportId, origins: origins.join(' ') };
    await recordAudit(inner, { action: 'report_embed.create', detail });
    return made.id;
  });
  const reportEmbed = firstOf(await reportEmbedsById(context, [id]), notFound);
  return { reportEmbed, url: `${context.siteUrl}/embedded-report/${secret}` };
}

function originsOf({ origins }: CreateReportEmbedInput): string[] {
  const different = [...new Set(origins)];
  if (different.length > 0 && different.length <= MOST_ORIGINS) return different;
  throw refuse('TOO_MANY', `There are 1 to ${MOST_ORIGINS} origins.`, { param: 'origins' });
}

function expiryOf(context: RequestContext, { expiresAt }: CreateReportEmbedInput): Date {
  const now = context.now().getTime();
  const until = expiresAt?.getTime() ?? now + USUAL_LIFETIME;
  if (until > now && until <= now + LONGEST_LIFETIME) return new Date(until);
  throw refuse('DATE_INVALID', 'The end lies in the future, at most a year from now.', {
    param: 'expiresAt',
  });
}

/** Ends an embedded report. Throws REPORT_EMBED_NOT_FOUND. */
export async function revokeReportEmbed(context: RequestContext, id: number): Promise<ReportEmbed> {
  await transact(
    context,
    async (inner) => {
      firstOf(await reportEmbedsById(inner, [id]), notFound);
      const { count } = await inner.db.reportEmbed.updateMany({
        where: { id, revokedAt: null },
        data: { revokedAt: inner.now(), answer: null },
      });
      if (count > 0) await recordAudit(inner, { action: 'report_embed.revoke', detail: { id } });
      return id;
    },
    { replayable: true },
  );
  return firstOf(await reportEmbedsById(context, [id]), notFound);
}

const notFound = () =>
  refuse('REPORT_EMBED_NOT_FOUND', 'There is no such embedded report.', { param: 'id' });

/** Deletes what ended 30 days ago. For a job. */
export async function pruneReportEmbeds({ db, deps }: RequestContext): Promise<void> {
  const before = new Date(deps.clock() - REMEMBERED);
  await db.reportEmbed.deleteMany({
    where: { OR: [{ expiresAt: { lt: before } }, { revokedAt: { lt: before } }] },
  });
}

/** Returns the embedded reports that the account has made, for the export of its data. */
export async function exportReportEmbeds(
  { db }: RequestContext,
  accountId: number,
): Promise<object[]> {
  return db.reportEmbed.findMany({
    where: { accountId },
    orderBy: { id: 'asc' },
    select: {
      id: true,
      reportId: true,
      origins: true,
      createdAt: true,
      expiresAt: true,
      revokedAt: true,
    },
  });
}
