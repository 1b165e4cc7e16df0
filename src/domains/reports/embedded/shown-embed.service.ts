import { capabilitiesOf } from '../../../core/capabilities.js';
import type { RequestContext } from '../../../core/context.js';
import { DomainError } from '../../../core/errors.js';
import { Quota, tooMany } from '../../../core/quota.js';
import { Role } from '../../../core/roles.js';
import { Viewer } from '../../../core/viewer.js';
import { Prisma } from '../../../generated/prisma/client.js';
import { isUnavailable } from '../../../platform/database/database.js';
import type { Policy } from '../../../platform/limits/limiter.js';
import { siteDate } from '../all-report.service.js';
import { countedDays } from '../known.js';
import { chargedAtOnce } from '../report-budget.service.js';
import { columnRolesOf, subjectOf } from '../saved/column-roles.js';
import { type ResultTable, tablesOf } from '../saved/result-table.js';
import type { ABOUT_REPORT, RunReport, SavedReport } from '../saved/saved-report.types.js';
import { embedHash } from './report-embed.service.js';

/** Views of one embedded report, by everybody together. */
const VIEWS: Policy = { name: 'embedded reports', points: 300, seconds: 60 };
/**
 * How long a result is shown. It limits what an embedded report takes of the questions of its
 * maker: 120 in 30 days for each report that its document asks for.
 */
const FRESH_FOR = 6 * 60 * 60 * 1000;
/** How long a failure is told before the report is asked again. */
const FAILED_FOR = 10 * 60 * 1000;
/** Rows and bytes of a result that is kept: fewer rows where they are long. */
const MOST_ROWS = 1_000;
const MOST_BYTES = 256 * 1024;

/** Why nothing is shown: why an embedded report ended, or what failed. */
export type EmbedEnd =
  | 'unknown'
  | 'revoked'
  | 'expired'
  | 'deleted'
  | 'changed'
  | 'unshared'
  | 'outdated'
  | 'spent'
  | 'crowded'
  | 'failed';

/** The first and the last day of what a report was asked for. */
export interface ShownPeriod {
  readonly from: string;
  readonly to: string;
}

/** What is shown at the address of an embedded report. */
export interface ShownEmbed extends Pick<SavedReport, 'name' | 'view' | 'measure'> {
  /** The instant of the answer, and up to when its facts are counted; answers of before lack that. */
  readonly at: string;
  readonly asOf?: string | undefined;
  /** The first day that is not over, or of which facts may still come. */
  readonly open: string;
  readonly table: ResultTable | undefined;
  /** Columns of the table that add up over rows, and those by which its rows are grouped. */
  readonly sums: readonly string[];
  readonly keys: readonly string[];
  /** The days that the table is of. */
  readonly period?: ShownPeriod | undefined;
  /** What `date` of rows stands for. */
  readonly grain?: string | undefined;
  /** Whether the report has more rows than were asked for. */
  readonly isCut?: true;
  /** Rows that the table has in the result. */
  readonly rows: number;
}

/** The result at an address, and the origins that may frame it. */
export type EmbedAnswer = { readonly origins: readonly string[] } & (
  | { readonly shown: ShownEmbed }
  | { readonly end: EmbedEnd }
);

interface EmbedRow {
  readonly id: number;
  readonly accountId: number;
  readonly roles: Role[];
  readonly isSuspended: boolean;
  readonly origins: string[];
  readonly expiresAt: Date;
  readonly revokedAt: Date | null;
  readonly answer: string | null;
  readonly answeredAt: Date | null;
  readonly answeredVersion: number | null;
  readonly reportId: number | null;
  readonly isSeen: boolean | null;
  readonly report: EmbeddedReport | null;
}

/** The columns of the result that is kept. */
const ANSWER = { answer: true, answeredAt: true, answeredVersion: true } as const;

type EmbeddedReport = Pick<
  SavedReport,
  'name' | 'query' | 'variables' | 'view' | 'measure' | 'version'
>;

/** What is kept: a result, or why there is none. */
type CachedResponse =
  | Pick<ShownEmbed, 'at' | 'asOf' | 'table' | 'rows' | 'period' | 'grain' | 'isCut'>
  | { readonly end: EmbedEnd };

/** What is said of the report of a result. */
type ShownReport = Pick<ShownEmbed, 'at' | 'asOf' | 'period' | 'grain' | 'isCut'>;

/** Answers that are being made in this process: many readers wait for one. */
const making = new Map<string, Promise<CachedResponse>>();

/**
 * Returns what is shown behind a secret. The row is read at each view, so whatever ends an embedded
 * report does so at once, on all processes: it is revoked or expired, its report is deleted or no
 * longer shared with its maker, or its maker may not read reports any more or is suspended. The
 * report is run as an analyst would, whatever its maker may, and is charged to the maker. So the
 * maker alone decides what is asked: an own report as it is now, and that of somebody else as it was
 * embedded.
 */
export async function embedOf(
  context: RequestContext,
  secret: string,
  run: RunReport,
): Promise<EmbedAnswer> {
  const row = /^[\w-]{43}$/.test(secret) ? await readEmbed(context, secret) : undefined;
  if (!row) return { origins: [], end: 'unknown' };
  const { origins, report } = row;
  const end = endOf(context, row) ?? (await crowdedAt(context, row));
  if (end || !report) return { origins, end: end ?? 'changed' };
  const { name, view, measure } = report;
  const result = await answerOf(context, row, report, run);
  if ('end' in result) return { origins, end: result.end };
  const open = openIn(context, report, result);
  const columns = columnRolesOf(report.query, result.table ?? { name: '' });
  return { origins, shown: { name, view, measure, open, ...columns, ...result } };
}

/** Returns the first day that is not over, or of which facts of a report may still come. */
function openIn(
  context: RequestContext,
  { query }: EmbeddedReport,
  { at, asOf, table }: Pick<ShownEmbed, 'at' | 'asOf' | 'table'>,
): string {
  const dateAt = (instant: Date) => siteDate(context, instant);
  const today = dateAt(new Date(at));
  const subject = table && subjectOf(query, table);
  if (!subject || !asOf) return today;
  const { open } = countedDays(subject, new Date(asOf), dateAt);
  return open < today ? open : today;
}

function failureOf(context: RequestContext, error: unknown): EmbedEnd {
  const reason = error instanceof DomainError ? error.refusal.reason : undefined;
  if (!reason && !isUnavailable(error)) context.deps.log.error({ err: error }, 'embed failed');
  return FAILURES[reason ?? ''] ?? 'failed';
}

const FAILURES: Readonly<Record<string, EmbedEnd>> = {
  REPORT_DOCUMENT_INVALID: 'outdated',
  REPORT_NOT_EMBEDDABLE: 'outdated',
  DATE_INVALID: 'outdated',
  RANGE_TOO_LONG: 'outdated',
  FILTER_INVALID: 'outdated',
  TOO_MANY_DIMENSIONS: 'outdated',
  TOO_EXPENSIVE: 'outdated',
  REPORT_BUDGET_SPENT: 'spent',
  TOO_MANY_REQUESTS: 'crowded',
};

async function readEmbed(context: RequestContext, secret: string): Promise<EmbedRow | undefined> {
  const [row] = await context.rows<EmbedRow>(Prisma.sql`
    SELECT e.id, e.account_id AS "accountId", a.roles,
      a.suspended_at IS NOT NULL AS "isSuspended", e.origins, e.expires_at AS "expiresAt",
      e.revoked_at AS "revokedAt", e.answer, e.answered_at AS "answeredAt",
      e.answered_version AS "answeredVersion", r.id AS "reportId",
      r.is_shared OR r.account_id = e.account_id AS "isSeen",
      CASE WHEN r.account_id = e.account_id THEN jsonb_build_object('name', r.name,
        'query', r.query, 'variables', r.variables, 'view', r.view, 'measure', r.measure,
        'version', r.version) ELSE e.embedded END AS report
    FROM report_embed e JOIN account a ON a.id = e.account_id
      LEFT JOIN saved_report r ON r.id = e.report_id
    WHERE e.hash = ${embedHash(secret)}`);
  return row;
}

function endOf(context: RequestContext, row: EmbedRow): EmbedEnd | undefined {
  if (row.revokedAt) return 'revoked';
  if (row.expiresAt <= context.now()) return 'expired';
  if (row.reportId === null) return 'deleted';
  const may = !row.isSuspended && capabilitiesOf(row.roles).has('read_reports');
  return may && row.isSeen ? undefined : 'unshared';
}

async function crowdedAt(
  { deps }: RequestContext,
  { id }: EmbedRow,
): Promise<'crowded' | undefined> {
  if (!deps.limits.on) return undefined;
  const { allowed, resetMs } = await deps.limits.limiter(VIEWS).take(String(id), 1);
  if (!allowed) tooMany(VIEWS.name, resetMs);
  return allowed ? undefined : 'crowded';
}

async function answerOf(
  context: RequestContext,
  row: EmbedRow,
  report: EmbeddedReport,
  run: RunReport,
): Promise<CachedResponse> {
  const kept = cachedResult(context, row, report);
  if (kept) return kept;
  const key = `${row.id} ${report.version}`;
  const begun = making.get(key);
  if (begun) return begun;
  const made = makeOnce(context, row, report, run).finally(() => making.delete(key));
  making.set(key, made);
  return made;
}

/** Runs a report, unless that was done since the row was read. */
async function makeOnce(
  context: RequestContext,
  row: EmbedRow,
  report: EmbeddedReport,
  run: RunReport,
): Promise<CachedResponse> {
  const now = await context.db.reportEmbed.findUnique({ where: { id: row.id }, select: ANSWER });
  const kept = now && cachedResult(context, now, report);
  return kept ?? makeAnswer(context, row, report, run);
}

function cachedResult(
  context: RequestContext,
  { answer, answeredAt, answeredVersion }: Pick<EmbedRow, keyof typeof ANSWER>,
  { version }: EmbeddedReport,
): CachedResponse | undefined {
  const age = context.now().getTime() - (answeredAt?.getTime() ?? 0);
  if (!answer || answeredVersion !== version || age < 0 || age >= FRESH_FOR) return undefined;
  const kept = JSON.parse(answer) as CachedResponse;
  return 'end' in kept && age >= FAILED_FOR ? undefined : kept;
}

/** Runs a report. A failure is kept too, but for what is not the report's: nobody pays for it. */
async function makeAnswer(
  context: RequestContext,
  row: EmbedRow,
  report: EmbeddedReport,
  run: RunReport,
): Promise<CachedResponse> {
  // Its maker pays, not the address of whoever looks at it first.
  const quota = Quota.of(context.deps.limits, row.accountId, '');
  const reader = context.as(new Viewer(row.accountId, [Role.ANALYST]), quota);
  const at = context.now();
  const keep = async (response: string) => {
    await context.db.reportEmbed.updateMany({
      where: { id: row.id, revokedAt: null },
      data: { answer: response, answeredAt: at, answeredVersion: report.version },
    });
  };
  try {
    const data = await chargedAtOnce(reader, () => run(reader, report, { embedded: true }));
    const [table] = tablesOf(data);
    const of = { at: at.toISOString(), ...reportOf(data, table) };
    const { answer, text } = boundedTo(MOST_ROWS, of, table);
    await keep(text);
    return answer;
  } catch (error) {
    const end = failureOf(context, error);
    if (end !== 'crowded' && !isUnavailable(error)) await keep(JSON.stringify({ end }));
    return { end };
  }
}

type AboutReport = Readonly<Record<keyof typeof ABOUT_REPORT, Date | string | null>>;

/** Returns what a report says of a table of a response, and up to when it is counted. */
function reportOf(data: object, table: ResultTable | undefined): Omit<ShownReport, 'at'> {
  const report = Object.entries(data).find(([name]) => name === table?.name.split('.')[0])?.[1];
  const about = (report ?? {}) as Partial<AboutReport>;
  const [from, to, grain] = [about.__from, about.__to, about.__grain].map((value) =>
    typeof value === 'string' ? value : undefined,
  );
  const instant = new Date(about.__asOf ?? 0);
  return {
    period: from !== undefined && to !== undefined ? { from, to } : undefined,
    grain,
    // Nothing is counted before the first roll-up.
    asOf: instant.getTime() > 0 ? instant.toISOString() : undefined,
    ...(table?.isCut && { isCut: true }),
  };
}

/** Returns a result with at most so many rows, fewer where it would have too many bytes. */
function boundedTo(
  most: number,
  of: ShownReport,
  table: ResultTable | undefined,
): { readonly answer: CachedResponse; readonly text: string } {
  const cut = table && { ...table, rows: table.rows.slice(0, most) };
  const response = { ...of, table: cut, rows: table?.rows.length ?? 0 };
  const text = JSON.stringify(response);
  return most === 0 || Buffer.byteLength(text) <= MOST_BYTES
    ? { answer: response, text }
    : boundedTo(Math.floor(most / 2), of, table);
}
