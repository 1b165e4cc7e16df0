import { type GraphiQLPlugin, useGraphiQL } from '@graphiql/react';
import { type FormEvent, useEffect, useState } from 'react';
import { choices, choose } from './choices.js';
import { examplesFor } from './examples.js';
import { useObserved } from './observed.js';
import { useOpening } from './opening.js';
import { addressOf } from './place.js';
import {
  deleteReport,
  openedOf,
  readSavedReports,
  type SavedReport,
  savedReports,
  saveReport,
} from './saved-reports.js';
import { maySeeSchema } from './schema.js';
import { account } from './session.js';

function Icon() {
  return (
    <svg viewBox="0 0 16 16" fill="none" stroke="currentColor" strokeWidth="1.5" aria-hidden="true">
      <path d="M2 14V2M2 14H14M5 11V8M8 11V4M11 11V6" />
    </svg>
  );
}

function Content() {
  const who = useObserved(account);
  return (
    <div className="care-reports">
      <h2>Reports</h2>
      {maySeeSchema(who) ? (
        <>
          <SaveForm />
          <SavedList />
        </>
      ) : (
        <p>Sign in as analyst, clinician or administrator to save reports.</p>
      )}
      <Examples />
    </div>
  );
}

/** Saves what stands in the tab, with the way in which it is shown. */
function SaveForm() {
  const [said, setSaid] = useState('');
  const { id, title, query, variables } = useGraphiQL(({ tabs, activeTabIndex }) => {
    const tab = tabs[activeTabIndex];
    return {
      id: tab?.id ?? '',
      title: tab?.title ?? '',
      query: tab?.query ?? '',
      variables: tab?.variables ?? '',
    };
  });
  const choice = useObserved(choices).get(id);
  const known = useObserved(savedReports).find((report) => report.id === choice?.report);
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    const { submitter } = event.nativeEvent as SubmitEvent;
    const input = {
      name: String(fields.get('name')).trim(),
      query,
      variables: variables.trim() || '{}',
      view: choice?.view?.toUpperCase() ?? null,
      measure: choice?.measure ?? null,
      isShared: fields.has('shared'),
    };
    try {
      const changed = submitter?.getAttribute('value') === 'change' ? known?.id : undefined;
      choose(id, { report: await saveReport(input, changed) });
      setSaid('Saved.');
    } catch (error) {
      setSaid((error as Error).message);
    }
  };
  return (
    <form onSubmit={submit} key={`${id} ${known?.id}`}>
      <h3>Save this tab</h3>
      <label>
        Name <input name="name" required maxLength={100} defaultValue={known?.name ?? title} />
      </label>
      <label className="care-check">
        <input type="checkbox" name="shared" defaultChecked={known?.isShared ?? false} /> Share with
        clinicians, analysts and administrators
      </label>
      {known && (
        <button type="submit" value="change" className="care-do">
          Save changes
        </button>
      )}{' '}
      <button type="submit" value="new" className="care-do">
        {known ? 'Save as new' : 'Save'}
      </button>
      <p role="status">{said}</p>
    </form>
  );
}

function SavedList() {
  const who = useObserved(account);
  const reports = useObserved(savedReports);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the list is that of who is signed in
  useEffect(() => {
    readSavedReports().catch(() => savedReports.set([]));
  }, [who]);
  return (
    <>
      <h3>Saved</h3>
      {reports.length === 0 && <p>None yet.</p>}
      <ul>
        {reports.map((report) => (
          <Saved key={report.id} report={report} />
        ))}
      </ul>
    </>
  );
}

function Saved({ report }: { readonly report: SavedReport }) {
  const open = useOpening();
  const [isAsked, setAsked] = useState(false);
  const { id, name, isOwn, isShared, ownerName } = report;
  return (
    <li>
      <button type="button" className="care-open" onClick={() => open(openedOf(report))}>
        {name}
      </button>{' '}
      <small>
        {isOwn ? (isShared ? 'shared' : 'own') : `by ${ownerName}`} ·{' '}
        <a href={addressOf({ view: 'reports', report: id })} aria-label={`Address of ${name}`}>
          address
        </a>
        {isOwn && (
          <>
            {' · '}
            <button
              type="button"
              className="care-open"
              aria-label={isAsked ? `Delete ${name} for good` : `Delete ${name}`}
              onClick={() => (isAsked ? deleteReport(id) : setAsked(true))}
            >
              {isAsked ? 'delete for good?' : 'delete'}
            </button>
          </>
        )}
      </small>
    </li>
  );
}

function Examples() {
  const who = useObserved(account);
  const open = useOpening();
  return (
    <>
      <h3>Examples</h3>
      <ul>
        {examplesFor(who).map(({ name, query, variables }) => (
          <li key={name}>
            <button
              type="button"
              className="care-open"
              onClick={() =>
                open({ query, variables: variables ? JSON.stringify(variables, null, 2) : '' })
              }
            >
              {name}
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}

/** Saved reports and examples, in the side pane of GraphiQL. */
export const REPORTS_PLUGIN: GraphiQLPlugin = { title: 'Reports', icon: Icon, content: Content };
