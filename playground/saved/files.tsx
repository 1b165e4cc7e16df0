import { fileName, save } from '../result/download.js';
import type { ReportHeader } from '../saved-reports.js';
import { fileAt } from '../sending.js';
import { useOutcome } from './outcome.js';

/** The files of a report: what they are called, where they are, and what they are for. */
const FILES = [
  { label: 'CSV', end: 'csv', query: '', use: 'the rows as text' },
  {
    ...{ label: 'CSV with a byte order mark', end: 'csv', query: '?bom=1' },
    use: 'for spreadsheets that show é or ü wrong',
  },
  {
    ...{ label: 'XLSX', end: 'xlsx', query: '' },
    use: 'a sheet for each table, and one for why numbers are hidden',
  },
  { label: 'JSON', end: 'json', query: '', use: 'all that is answered, for programs' },
] as const;

/** Gives a saved report as a file, which the service makes. */
export function Files({ report: { id, name } }: { readonly report: ReportHeader }) {
  const { attempt, isBusy, outcome } = useOutcome();
  return (
    <>
      <p className="care-hint">
        What is saved is asked anew, which counts as a question. Pictures, PNG and SVG, are given
        beside what is drawn.
      </p>
      <ul>
        {FILES.map(({ label, end, query, use }) => (
          <li key={label}>
            <button
              type="button"
              className="care-do"
              disabled={isBusy}
              onClick={() =>
                attempt(async () => {
                  const file = fileName(name, end);
                  save(
                    file,
                    await fileAt(`/graphql/reports/${encodeURIComponent(id)}.${end}${query}`),
                  );
                  return `${file} is among your downloads.`;
                })
              }
            >
              {label}
            </button>{' '}
            <small>{use}</small>
          </li>
        ))}
      </ul>
      {isBusy && <p role="status">The file is being made.</p>}
      {outcome}
    </>
  );
}
