import { useEffect, useState } from 'react';
import { failureText } from '../advice.js';
import { go, MOST_TILES } from '../place.js';
import { readSavedReports, savedReports } from '../saved-reports.js';
import { useObserved } from '../use-observed.js';

/** The choice of what stands on a board, and its name. The address of the page has both. */
export function Composing({
  ids,
  name,
}: {
  readonly ids: readonly string[];
  readonly name: string;
}) {
  const reports = useObserved(savedReports);
  const [problem, setProblem] = useState('');
  const [isOpen, setOpen] = useState(ids.length === 0);
  useEffect(() => {
    readSavedReports().catch((error) => setProblem(failureText(error)));
  }, []);
  const change = (board: readonly string[], called = name) =>
    go({ view: 'board', board, ...(called && called !== 'Board' && { name: called }) }, true);
  const isFull = ids.length >= MOST_TILES;
  return (
    <details
      className="care-composing"
      open={isOpen}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary>What stands on it</summary>
      <p className="care-hint">
        At most {MOST_TILES} saved reports. The address of this page is the board: keep it, or send
        it to others. Each sees of it what they may see.
      </p>
      <label>
        Name of the board{' '}
        <input
          maxLength={100}
          defaultValue={name}
          onBlur={(event) => change(ids, event.target.value.trim())}
        />
      </label>
      {problem && <p className="care-objection">{problem}</p>}
      {reports.length === 0 && <p>There are no saved reports yet: save one under Reports.</p>}
      <fieldset>
        <legend>Saved reports</legend>
        {reports.map((report) => (
          <label key={report.id}>
            <input
              type="checkbox"
              checked={ids.includes(report.id)}
              disabled={isFull && !ids.includes(report.id)}
              onChange={({ target }) =>
                change(
                  target.checked ? [...ids, report.id] : ids.filter((other) => other !== report.id),
                )
              }
            />{' '}
            {report.name}
          </label>
        ))}
      </fieldset>
    </details>
  );
}
