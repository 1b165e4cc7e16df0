import { useObserved } from '../use-observed.js';
import type { Field, Subject } from './catalogue.js';
import { Filters } from './filters.js';
import { titleOf } from './naming.js';
import { Options } from './options.js';
import { PeriodPicker } from './period.js';
import {
  dimensionsOf,
  MOST_GROUPS,
  objectionTo,
  type Question,
  questionAbout,
} from './question.js';
import { ask, changeQuestion, isAsking, leaveReport, startAnew, work } from './work.js';

/** What the parts of the form are given. */
export interface PartProps {
  readonly subject: Subject;
  readonly question: Question;
}

/** The choices that make a question. */
export function Form({
  subjects,
  subject,
  question,
}: PartProps & { readonly subjects: readonly Subject[] }) {
  const isBusy = useObserved(isAsking);
  const { problem, report } = useObserved(work);
  const objection = problem ? undefined : objectionTo(question);
  return (
    <form
      className="care-form"
      aria-label="Question"
      onSubmit={(event) => {
        event.preventDefault();
        if (!objection) ask(report?.name ?? titleOf(question, subject));
      }}
    >
      <h2>Ask for numbers</h2>
      <SubjectPicker subjects={subjects} subject={subject} />
      <PeriodPicker subject={subject} question={question} />
      <Measures subject={subject} question={question} />
      <Groups subject={subject} question={question} />
      <Filters subject={subject} question={question} />
      <Options subject={subject} question={question} />
      <div className="care-ask">
        <button type="submit" className="care-first" disabled={isBusy || Boolean(objection)}>
          {isBusy ? 'Asking' : 'Ask'}
        </button>
        <button type="button" onClick={startAnew}>
          New question
        </button>
        <p role="status" className="care-hint">
          {objection}
        </p>
      </div>
    </form>
  );
}

function SubjectPicker({
  subjects,
  subject,
}: {
  readonly subjects: readonly Subject[];
  readonly subject: Subject;
}) {
  return (
    <p className="care-picked">
      <label>
        About{' '}
        <select
          value={subject.name}
          aria-describedby="care-about"
          onChange={(event) => {
            const other = subjects.find(({ name }) => name === event.target.value);
            if (!other) return;
            leaveReport();
            changeQuestion(questionAbout(other), other);
          }}
        >
          {subjects.map(({ name, label }) => (
            <option key={name} value={name}>
              {label}
            </option>
          ))}
        </select>
      </label>
      <small id="care-about">{subject.description}</small>
    </p>
  );
}

/** Returns a list with a name put into it or taken out, in the order of the schema. */
const toggled = (names: readonly string[], name: string, items: readonly Field[]) => {
  const chosen = names.includes(name) ? names.filter((other) => other !== name) : [...names, name];
  return items.flatMap((item) => (chosen.includes(item.name) ? [item.name] : []));
};

function Measures({ subject, question }: PartProps) {
  return (
    <fieldset>
      <legend>Numbers</legend>
      {subject.measures.map(({ name, label, description }) => (
        <label key={name} title={description}>
          <input
            type="checkbox"
            checked={question.measures.includes(name)}
            onChange={() => {
              const measures = toggled(question.measures, name, subject.measures);
              changeQuestion({ measures }, subject);
            }}
          />{' '}
          {label}
        </label>
      ))}
    </fieldset>
  );
}

function Groups({ subject, question }: PartProps) {
  const isFull = dimensionsOf(question).length >= MOST_GROUPS;
  return (
    <fieldset>
      <legend>
        By <small>at most {MOST_GROUPS}, with those that are filtered</small>
      </legend>
      {subject.dimensions.map(({ name, label, description }) => (
        <label key={name} title={description}>
          <input
            type="checkbox"
            checked={question.groups.includes(name)}
            disabled={isFull && !dimensionsOf(question).includes(name)}
            onChange={() => {
              const groups = toggled(question.groups, name, subject.dimensions);
              changeQuestion({ groups }, subject);
            }}
          />{' '}
          {label}
        </label>
      ))}
    </fieldset>
  );
}
