import { grainOf, timeText } from '../../src/platform/pictures/grain.js';
import { type Kind, rolesOf, seriesKey } from '../../src/platform/pictures/kind.js';
import { beside, isPart, NO_ROWS_BEFORE } from '../../src/platform/pictures/points.js';
import { foldText, isHiding, MOST_SERIES } from '../../src/platform/pictures/series.js';
import { type Column, cutText, type Table } from '../../src/platform/pictures/table.js';

/** Why values are hidden or missing, as people read it. Other reasons are shown by their names. */
const REASONS: Readonly<Record<string, string>> = {
  FEW_ACCOUNTS: 'too few people are behind it',
  PARTLY_FEW_ACCOUNTS:
    'too few people are behind a part of it: ask by a longer time, or for other values',
  UNEQUAL_SPANS: 'what it is compared with has other days, or a part of the time is not over yet',
  BEFORE_RANGE: 'the rows that it is of begin before the time that is asked for',
  NO_FACTS: 'there is nothing that it could be of, or very little',
  NOT_COUNTED: 'a month of it was closed before this was counted',
  AFTER_AS_OF: 'it is not counted yet',
  NOT_KEPT: 'numbers are kept for five years',
  ACCOUNTS_UNKNOWN: 'who is in several parts of the time is not known: ask by month or by day',
};

/** Returns a reason as people read it. */
export const reasonText = (reason: string): string =>
  REASONS[reason] ?? reason.toLowerCase().replaceAll('_', ' ');

/** Times that a note names one by one. */
const MOST_NAMED = 3;

/** How many cells a report does not show at all. */
export type Suppressed = number | undefined;

/** Returns what must be known to read a table or its drawing: a sentence each. */
export function notesOf(
  table: Table,
  kind: Kind,
  measure: Column | undefined,
  suppressed: Suppressed,
): readonly string[] {
  return [
    ...(table.span?.isExact ? ['These are your own doses, not those of all members.'] : []),
    ...(table.span?.isCut && !table.isSingle ? [cutText(table.rows.length)] : []),
    ...emptyNote(table, suppressed),
    ...hiddenNotes(table, kind, measure),
    ...partNote(table, kind),
    ...(measure && kind !== 'table' && kind !== 'number' && kind !== 'heat'
      ? foldedNote(table, kind, measure)
      : []),
    ...(suppressed && table.rows.length > 0
      ? [`About ${suppressed} cells are not shown, since too few people are behind each.`]
      : []),
  ];
}

function emptyNote({ rows }: Table, suppressed: Suppressed): readonly string[] {
  if (rows.length > 0) return [];
  return suppressed
    ? [
        `All of it is hidden: too few people are behind each of about ${suppressed} cells. Ask by a longer time, or with fewer groups.`,
      ]
    : [
        'Nothing is shown: nothing happened in this time that the filter keeps, or too few people are behind all of it. Ask for a longer time, or with fewer groups.',
      ];
}

function hiddenNotes(
  { rows, columns }: Table,
  kind: Kind,
  measure: Column | undefined,
): readonly string[] {
  const isDrawn = kind !== 'table' && kind !== 'number';
  const wanted = isDrawn && measure ? [beside(measure.name, 'withheld')] : undefined;
  const names = columns
    .map(({ name }) => name)
    .filter((name) => (wanted ? wanted.includes(name) : /(^|\.)withheld$/.test(name)));
  const counts = new Map<string, number>();
  for (const reason of rows.flatMap((row) => names.map((name) => row[name])))
    if (typeof reason === 'string') counts.set(reason, (counts.get(reason) ?? 0) + 1);
  return [...counts].map(([reason, count]) => {
    const what = isHiding(reason) ? 'hidden' : 'missing';
    const sign = isDrawn && reason !== NO_ROWS_BEFORE ? ' (×)' : '';
    return `${count} ${count === 1 ? 'value is' : 'values are'} ${what}${sign}: ${reasonText(reason)}.`;
  });
}

function partNote(table: Table, kind: Kind): readonly string[] {
  const { along } = rolesOf(table);
  if (!along) return [];
  const grain = grainOf(along, table);
  const parts = new Set(
    table.rows
      .map((row) => row[along.name])
      .filter((at): at is string => typeof at === 'string' && isPart(at, along, table)),
  );
  if (parts.size === 0) return [];
  const times = [...parts].sort().map((at) => timeText(new Date(at), grain));
  const isLong = times.length > MOST_NAMED;
  const names = isLong
    ? `${times.length} times from ${times[0]} to ${times.at(-1)}`
    : times.join(', ');
  const how = kind === 'heat' ? 'drawn with a dashed edge' : 'drawn lighter';
  return [
    `${names} ${parts.size === 1 ? 'is' : 'are'} not over, or only partly asked for: ${how}, and no value to compare with.`,
  ];
}

function foldedNote(table: Table, kind: Kind, measure: Column): readonly string[] {
  const { series } = rolesOf(table);
  const count = new Set(table.rows.map((row) => seriesKey(row, series))).size - MOST_SERIES;
  if (count <= 0) return [];
  return [foldText({ folded: count, measure, hasLines: kind === 'line' })];
}
