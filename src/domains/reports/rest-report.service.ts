import type { RequestContext } from '../../core/context.js';
import { Selection } from '../../core/selection.js';
import { memberOf } from '../reminders/setting/member.service.js';
import { doseSubject, ownDoseSubject } from './catalogue/dose.subject.js';
import { dayAfter } from './period.js';
import { reportOf } from './report.service.js';
import type { ReportResult, ReportValues } from './report.types.js';
import type { ReportChart, ReportReminder, ReportStatistics } from './report-rest.types.js';

const LINES = ['taken', 'skipped', 'missed'] as const;

/**
 * Returns doses of the range by day: every day has a label; days without doses show 0, and those
 * that are hidden null.
 */
export async function chartOf(
  context: RequestContext,
  { from, to }: Pick<ReportResult, 'from' | 'to'>,
): Promise<ReportChart> {
  const args = { from, to, fill: true };
  const { rows } = await reportOf(context, doseSubject, args, asking(['rows'], 'day'));
  const byDay = new Map(rows.map((row) => [row.day, row]));
  const labels: string[] = [];
  for (let day = from; day <= to; day = dayAfter(day, 1)) labels.push(day);
  const datasets = LINES.map((label) => ({
    label,
    data: labels.map((day) => numberOf(byDay.get(day), label)),
  }));
  return { labels, datasets, range: { from, to } };
}

/**
 * Numbers about the doses of the range, as a whole and by reminder; of all members together by type
 * of medicine.
 */
export async function statisticsOf(
  context: RequestContext,
  { from, to, isExact }: Pick<ReportResult, 'from' | 'to' | 'isExact'>,
): Promise<ReportStatistics> {
  const subject = isExact ? ownDoseSubject : doseSubject;
  const dimensions = isExact ? ['reminderId', 'name', 'medicineType'] : ['medicineType'];
  const asked = asking(['rows', 'total'], ...dimensions);
  const { rows, total, ...all } = await reportOf(context, subject, { from, to }, asked);
  // Of a member who has never answered a dose nobody knows what was taken.
  const isKnown = !isExact || (await memberOf(context, context.viewer.id)).answers;
  const rateOf = ({ adherenceRate }: ReportValues) => (isKnown ? (adherenceRate ?? null) : null);
  return {
    range: { from: all.from, to: all.to },
    totals: totalsOf(total),
    adherence: rateOf(total) as number | null,
    reminders: rows.map((row) => ({
      id: row.reminderId ?? null,
      name: row.name ?? null,
      medicineType: row.medicineType,
      adherence: rateOf(row),
      ...totalsOf(row),
    })) as ReportReminder[],
  };
}

/**
 * Returns a question for these parts of a report, by these dimensions, with the measures that bodies
 * are made of.
 */
function asking(parts: readonly string[], ...dimensions: readonly string[]) {
  const names = [...dimensions, ...LINES, 'scheduled', 'asNeeded', 'adherenceRate'];
  const selected = {
    has: (name: string) => names.includes(name),
    get: () => undefined,
  } as unknown as Selection;
  const has = (part: string) => parts.includes(part);
  return { has, get: (part: string) => (has(part) ? selected : undefined) };
}

/** Returns a number of a row: 0 where nothing happened, null where it is not shown. */
const numberOf = (row: ReportValues | undefined, name: string) =>
  (row ? (row[name] ?? null) : 0) as number | null;

function totalsOf(row: ReportValues) {
  const [scheduled, asNeeded] = [numberOf(row, 'scheduled'), numberOf(row, 'asNeeded')];
  const [taken, skipped, missed] = LINES.map((name) => numberOf(row, name)) as [
    number | null,
    number | null,
    number | null,
  ];
  return { scheduled, taken, skipped, missed, asNeeded };
}
