import { useEffect, useState } from 'react';
import { failureText } from '../advice.js';
import { openInEditor } from '../opened.js';
import { go, place } from '../place.js';
import { brokenText, NOT_SHOWN, openedOf, readSavedReport } from '../saved-reports.js';
import { maySeeSchema } from '../schema.js';
import { account } from '../session.js';
import { useObserved } from '../use-observed.js';
import { Result } from './answered.js';
import type { Subject } from './catalogue.js';
import { useCatalogue } from './catalogue-reading.js';
import { Form } from './form.js';
import { titleOf } from './naming.js';
import { questionAbout } from './question.js';
import { Reports } from './reports.js';
import { ask, changeQuestion, takeReport, work } from './work.js';
import { Written } from './written.js';

/** The builder of reports: choices at the left, the answer and its GraphQL at the right. */
export function Builder() {
  const who = useObserved(account);
  const { report } = useObserved(place);
  if (maySeeSchema(who)) return <Ready key={who?.username} />;
  return (
    <div className="care-page">
      <h2>Ask for numbers</h2>
      {report && <p className="care-objection">Sign in to open this report.</p>}
      <p>
        Reports are for clinicians, analysts and administrators.{' '}
        {who
          ? 'You are signed in as somebody else. Ask an administrator for the role of an analyst.'
          : 'Sign in at the top right.'}
      </p>
      <p>
        Everybody may ask GraphQL under <a href="/graphql?code">Code</a>.
      </p>
    </div>
  );
}

function Ready() {
  const { subjects, problem, again } = useCatalogue();
  if (problem)
    return (
      <p className="care-objection" role="alert">
        What can be asked is not known. {problem}{' '}
        <button type="button" onClick={again}>
          Try again
        </button>
      </p>
    );
  if (!subjects) return <p className="care-notice">What can be asked is being read.</p>;
  return <Workbench subjects={subjects} />;
}

interface WorkbenchProps {
  readonly subjects: readonly Subject[];
}

function Workbench({ subjects }: WorkbenchProps) {
  const problem = useReportOfAddress(subjects);
  const { question } = useObserved(work);
  const [first] = subjects;
  useEffect(() => {
    if (!question && first) changeQuestion(questionAbout(first), first);
  }, [question, first]);
  const subject = subjects.find(({ name }) => name === question?.subject);
  if (!question || !subject) return null;
  return (
    <div className="care-builder">
      <Form subjects={subjects} subject={subject} question={question} />
      <div className="care-answered">
        {problem && (
          <p className="care-objection" role="alert">
            {problem}
          </p>
        )}
        <Result subject={subject} subjects={subjects} />
        <Written subjects={subjects} />
      </div>
      <Reports subjects={subjects} subject={subject} question={question} />
    </div>
  );
}

/** Opens the report of the address and asks it. Returns why it is not shown. */
function useReportOfAddress(subjects: readonly Subject[]): string {
  const { report: id } = useObserved(place);
  const [problem, setProblem] = useState('');
  useEffect(() => {
    if (!id) return setProblem('');
    if (work.value.report?.id === id) return;
    let isCurrent = true;
    openReport(id, subjects).then((said) => isCurrent && setProblem(said));
    return () => {
      isCurrent = false;
    };
  }, [id, subjects]);
  return problem;
}

async function openReport(id: string, subjects: readonly Subject[]): Promise<string> {
  try {
    const report = await readSavedReport(id);
    if (!report) return NOT_SHOWN;
    const broken = brokenText(report);
    if (broken) return broken;
    if (!takeReport(report, subjects)) {
      go({ view: 'code' }, true);
      openInEditor(openedOf(report));
      return '';
    }
    await ask(report.name);
    return '';
  } catch (error) {
    return failureText(error);
  }
}

/** Returns the name of what is worked on: that of its report, or of its question. */
export function useTitle(subject: Subject): string {
  const { question, report } = useObserved(work);
  return report?.name ?? (question ? titleOf(question, subject) : '');
}
