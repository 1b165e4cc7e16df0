import { go } from '../place.js';
import { SavedList } from '../saved/list.js';
import { ReportPanel } from '../saved/panel.js';
import { SaveForm } from '../saved/saving.js';
import { useObserved } from '../use-observed.js';
import type { Subject } from './catalogue.js';
import type { PartProps } from './form.js';
import { titleOf } from './naming.js';
import { begun, changeText, leaveReport, past, work } from './work.js';

/** Saving, what a saved report can be given as, the saved reports, and what was asked before. */
export function Reports({
  subjects,
  subject,
  question,
}: PartProps & { readonly subjects: readonly Subject[] }) {
  const { report, text, choice } = useObserved(work);
  const number = useObserved(begun);
  return (
    <aside className="care-reports" aria-label="Reports">
      <SaveForm
        heading={<h2>Save this report</h2>}
        report={report}
        title={titleOf(question, subject)}
        begun={number}
        saving={{
          ...{ query: text, variables: '{}' },
          view: choice.view?.toUpperCase() ?? null,
          measure: choice.measure ?? null,
        }}
        onSaved={(saved) => {
          work.set({ ...work.value, report: saved });
          go({ view: 'reports', report: saved.id }, true);
          return 'Saved. The address of this page opens it.';
        }}
      />
      {report && <ReportPanel key={report.id} report={report} />}
      <h2>Saved reports</h2>
      <SavedList
        onOpen={({ id }) => {
          const { report: _report, ...others } = work.value;
          work.set(others);
          go({ view: 'reports', report: id });
        }}
      />
      <History subjects={subjects} />
    </aside>
  );
}

/** Takes a question of before, which is no saved report any more. */
function reopen(text: string, subjects: readonly Subject[]): void {
  leaveReport();
  changeText(text, subjects);
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
            <button type="button" className="care-open" onClick={() => reopen(text, subjects)}>
              {title}
            </button>{' '}
            <small>{new Date(at).toLocaleTimeString('en', { timeStyle: 'short' })}</small>
          </li>
        ))}
      </ol>
    </>
  );
}
