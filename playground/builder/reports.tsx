import { type FormEvent, useEffect, useState } from 'react';
import { failureText } from '../advice.js';
import { useObserved } from '../observed.js';
import { addressOf, go } from '../place.js';
import {
  deleteReport,
  readSavedReports,
  type SavedReport,
  savedReports,
  saveReport,
} from '../saved-reports.js';
import type { Subject } from './catalogue.js';
import type { PartProps } from './form.js';
import { titleOf } from './naming.js';
import { changeText, past, work } from './work.js';

/** Saving, the saved reports, and what was asked before. */
export function Reports({
  subjects,
  subject,
  question,
}: PartProps & { readonly subjects: readonly Subject[] }) {
  const [problem, setProblem] = useState('');
  useEffect(() => {
    readSavedReports().catch((error) => setProblem(failureText(error)));
  }, []);
  return (
    <aside className="care-reports" aria-label="Reports">
      <SaveForm subject={subject} question={question} />
      <h2>Saved reports</h2>
      {problem && <p className="care-objection">{problem}</p>}
      <SavedList />
      <History subjects={subjects} />
    </aside>
  );
}

function SaveForm({ subject, question }: PartProps) {
  const [said, setSaid] = useState('');
  const { report } = useObserved(work);
  const isOwn = report?.isOwn ?? false;
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    const { submitter } = event.nativeEvent as SubmitEvent;
    const isChange = submitter?.getAttribute('value') === 'change';
    const name = String(fields.get('name')).trim();
    const isShared = fields.has('shared');
    try {
      const id = await save(name, isShared, isChange ? report?.id : undefined);
      work.set({ ...work.value, report: { id, name, isShared, isOwn: true, ownerName: '' } });
      go({ view: 'reports', report: id }, true);
      setSaid('Saved. The address of this page opens it.');
    } catch (error) {
      setSaid(failureText(error));
    }
  };
  return (
    <form onSubmit={submit} key={report?.id ?? titleOf(question, subject)} aria-label="Save">
      <h2>Save this report</h2>
      <label>
        Name{' '}
        <input
          name="name"
          required
          maxLength={100}
          defaultValue={report?.name ?? titleOf(question, subject)}
        />
      </label>
      <label className="care-check">
        <input type="checkbox" name="shared" defaultChecked={report?.isShared ?? false} /> Share
        with clinicians, analysts and administrators
      </label>
      {isOwn && (
        <button type="submit" value="change" className="care-do">
          Save changes
        </button>
      )}{' '}
      <button type="submit" value="new" className="care-do">
        {report ? 'Save as new' : 'Save'}
      </button>
      <p role="status">{said}</p>
    </form>
  );
}

/** Saves what is worked on, with the way in which it is shown. */
function save(name: string, isShared: boolean, id: string | undefined): Promise<string> {
  const { text, choice } = work.value;
  return saveReport(
    {
      ...{ name, isShared, query: text, variables: '{}' },
      view: choice.view?.toUpperCase() ?? null,
      measure: choice.measure ?? null,
    },
    id,
  );
}

function SavedList() {
  const reports = useObserved(savedReports);
  if (reports.length === 0) return <p>None yet.</p>;
  return (
    <ul>
      {reports.map((report) => (
        <Saved key={report.id} report={report} />
      ))}
    </ul>
  );
}

function Saved({ report }: { readonly report: SavedReport }) {
  const [isAsked, setAsked] = useState(false);
  const [problem, setProblem] = useState('');
  const { id, name, isOwn, isShared, ownerName } = report;
  const address = addressOf({ view: 'reports', report: id });
  const remove = () => deleteReport(id).catch((error) => setProblem(failureText(error)));
  return (
    <li>
      <a
        href={address}
        onClick={(event) => {
          if (event.metaKey || event.ctrlKey || event.shiftKey) return;
          event.preventDefault();
          const { report: _report, ...others } = work.value;
          work.set(others);
          go({ view: 'reports', report: id });
        }}
      >
        {name}
      </a>{' '}
      <small>
        {isOwn ? (isShared ? 'shared' : 'own') : `by ${ownerName}`}
        {isOwn && (
          <>
            {' · '}
            <button
              type="button"
              className="care-open"
              aria-label={isAsked ? `Delete ${name} for good` : `Delete ${name}`}
              onClick={() => (isAsked ? remove() : setAsked(true))}
            >
              {isAsked ? 'delete for good?' : 'delete'}
            </button>
          </>
        )}
      </small>
      {problem && <p className="care-objection">{problem}</p>}
    </li>
  );
}

function History({ subjects }: { readonly subjects: readonly Subject[] }) {
  const before = useObserved(past);
  if (before.length === 0) return null;
  return (
    <>
      <h2>Asked before</h2>
      <ol>
        {before.map(({ text, title, at }) => (
          <li key={text}>
            <button type="button" className="care-open" onClick={() => changeText(text, subjects)}>
              {title}
            </button>{' '}
            <small>{new Date(at).toLocaleTimeString('en', { timeStyle: 'short' })}</small>
          </li>
        ))}
      </ol>
    </>
  );
}
