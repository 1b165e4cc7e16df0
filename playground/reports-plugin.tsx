import { type GraphiQLPlugin, useGraphiQL } from '@graphiql/react';
import { choices, choose } from './choices.js';
import { examplesFor } from './examples.js';
import { useOpening } from './opening.js';
import { SavedList } from './saved/list.js';
import { ReportPanel } from './saved/panel.js';
import { SaveForm } from './saved/saving.js';
import { openedOf, savedReports } from './saved-reports.js';
import { maySeeSchema } from './schema.js';
import { account } from './session.js';
import { useObserved } from './use-observed.js';

function Icon() {
  return (
    <svg viewBox="0 0 16 16" fill="none" stroke="currentColor" strokeWidth="1.5" aria-hidden="true">
      <path d="M2 14V2M2 14H14M5 11V8M8 11V4M11 11V6" />
    </svg>
  );
}

function Content() {
  const who = useObserved(account);
  const open = useOpening();
  return (
    <div className="care-reports">
      <h2>Reports</h2>
      {maySeeSchema(who) ? (
        <>
          <SavedTab />
          <h3>Saved</h3>
          <SavedList onOpen={(report) => open(openedOf(report))} />
        </>
      ) : (
        <p>Sign in as analyst, clinician or administrator to save reports.</p>
      )}
      <Examples />
    </div>
  );
}

/** Saves what stands in the tab, with the way in which it is shown. */
function SavedTab() {
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
  const report = useObserved(savedReports).find((other) => other.id === choice?.report);
  return (
    <>
      <SaveForm
        key={id}
        heading={<h3>Save this tab</h3>}
        report={report}
        title={title}
        saving={{
          ...{ query, variables: variables.trim() || '{}' },
          view: choice?.view?.toUpperCase() ?? null,
          measure: choice?.measure ?? null,
        }}
        onSaved={(saved) => {
          choose(id, { report: saved.id });
          return 'Saved. Its link below opens it.';
        }}
      />
      {report && <ReportPanel key={report.id} report={report} />}
    </>
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
