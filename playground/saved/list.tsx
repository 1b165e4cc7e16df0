import { useEffect, useState } from 'react';
import { failureText } from '../advice.js';
import { addressOf } from '../place.js';
import {
  deleteReport,
  readSavedReports,
  type SavedReport,
  savedReports,
} from '../saved-reports.js';
import { account } from '../session.js';
import { useObserved } from '../use-observed.js';
import { Confirmed } from './confirmed.js';

interface Opens {
  /** Opens a report on this page. Its link has its address. */
  readonly onOpen: (report: SavedReport) => void;
}

/** The reports that who is signed in may see. */
export function SavedList({ onOpen }: Opens) {
  const who = useObserved(account);
  const reports = useObserved(savedReports);
  const [problem, setProblem] = useState('');
  // biome-ignore lint/correctness/useExhaustiveDependencies: the list is that of who is signed in
  useEffect(() => {
    readSavedReports().then(
      () => setProblem(''),
      (error) => setProblem(failureText(error)),
    );
  }, [who]);
  return (
    <>
      {problem && <p className="care-objection">{problem}</p>}
      {reports.length === 0 && <p>None yet.</p>}
      <ul>
        {reports.map((report) => (
          <Saved key={report.id} report={report} onOpen={onOpen} />
        ))}
      </ul>
    </>
  );
}

const MAILED = { WEEK: 'mailed each week', MONTH: 'mailed each month' } as const;

/** Returns what is to be known of a report in a list. */
const stateOf = ({ isOwn, isShared, ownerName, mailing, problem }: SavedReport): string =>
  [
    isOwn ? (isShared ? 'shared' : 'own') : `by ${ownerName}`,
    ...(mailing ? [MAILED[mailing.every]] : []),
    ...(problem ? ['cannot be run any more'] : []),
  ].join(' · ');

function Saved({ report, onOpen }: Opens & { readonly report: SavedReport }) {
  const [problem, setProblem] = useState('');
  const { id, name, isOwn } = report;
  const remove = () => deleteReport(id).catch((error) => setProblem(failureText(error)));
  return (
    <li>
      <a
        href={addressOf({ view: 'reports', report: id })}
        onClick={(event) => {
          if (event.metaKey || event.ctrlKey || event.shiftKey) return;
          event.preventDefault();
          onOpen(report);
        }}
      >
        {name}
      </a>{' '}
      <small>
        {stateOf(report)}
        {isOwn && (
          <>
            {' · '}
            <Confirmed
              says={['delete', 'delete for good?']}
              label={[`Delete ${name}`, `Delete ${name} for good`]}
              onConfirm={remove}
            />
          </>
        )}
      </small>
      {problem && <p className="care-objection">{problem}</p>}
    </li>
  );
}
