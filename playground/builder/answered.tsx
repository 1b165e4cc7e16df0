import { useMemo } from 'react';
import { type Kind, kindOf } from '../../src/platform/pictures/kind.js';
import { tablesOf } from '../../src/platform/pictures/table.js';
import { asOfIn } from '../board/as-of.js';
import { type Choice } from '../choices.js';
import { Drawn, Views } from '../result/drawn.js';
import { useObserved } from '../use-observed.js';
import { addingUp } from './adding-up.js';
import { useTitle } from './builder.js';
import type { Subject } from './catalogue.js';
import { labelled } from './labelled.js';
import { type Asked, type AskedHere, asked, isAsking, work } from './work.js';

interface ResultProps {
  readonly subject: Subject;
  readonly subjects: readonly Subject[];
}

/** The answer to what is worked on, or to what was asked before: with its own name and subject. */
export function Result({ subject, subjects }: ResultProps) {
  const answer = useObserved(asked);
  const { choice, text } = useObserved(work);
  const isBusy = useObserved(isAsking);
  const title = useTitle(subject);
  const isOfBefore = answer !== undefined && answer.text !== text;
  const shown = isOfBefore ? answer.title : title;
  const about = isOfBefore ? subjects.find(({ name }) => name === answer.subject) : subject;
  const state = isBusy
    ? 'Asking.'
    : isOfBefore
      ? 'The question has changed since this answer. Ask again.'
      : '';
  return (
    <section className="care-result" aria-label="Answer" aria-busy={isBusy}>
      <h2>{shown}</h2>
      <p role="status" className="care-status">
        {state}
      </p>
      {answer && about ? (
        <>
          <Times answer={answer} subject={about} />
          <Answer
            answer={answer}
            subject={about}
            title={shown}
            choice={choice}
            onChoose={(part) => {
              const before = work.value;
              work.set({ ...before, choice: { ...before.choice, ...part } });
            }}
          />
        </>
      ) : (
        <p>Choose at the left what to ask, then press Ask.</p>
      )}
    </section>
  );
}

/** Says when an answer came, which may be long ago after a reload, and up to when it is counted. */
function Times({ answer, subject }: Pick<AnswerProps, 'subject'> & { readonly answer: AskedHere }) {
  if (!answer.data) return null;
  const asOf = asOfIn(answer.data, subject.name);
  return (
    <p className="care-hint">
      Asked {timeText(answer.at)}
      {asOf && countedText(asOf)}.
    </p>
  );
}

/** Before the first count a report is counted up to 1970. */
const countedText = (asOf: string) =>
  Date.parse(asOf) > 0 ? `, counted up to ${timeText(asOf)}` : ': nothing is counted yet';

const timeText = (instant: string) =>
  new Date(instant).toLocaleString('en', { dateStyle: 'medium', timeStyle: 'short' });

/** What a report is shown with. */
export interface AnswerProps {
  readonly answer: Asked;
  readonly subject: Subject;
  readonly title: string;
  readonly choice: Choice;
  /** Left out where nothing can be changed. */
  readonly onChoose?: (choice: Choice) => void;
}

/** An answer: drawn, with the choice of how, and with what went wrong. */
export function Answer({ answer, subject, title, choice, onChoose }: AnswerProps) {
  const tables = useMemo(() => {
    const isKey = (name: string) => subject.dimensions.some((other) => other.name === name);
    const addsUp = addingUp([subject], answer.text);
    return tablesOf(labelled(answer.data ?? {}, subject), { isKey, addsUp });
  }, [answer, subject]);
  const found = tables.find(({ name }) => name === choice.table);
  const table = found ?? tables.find(({ name }) => name.endsWith('.rows')) ?? tables[0];
  const view: Kind =
    choice.view && choice.view !== 'json' ? choice.view : table ? kindOf(table) : 'table';
  const report = answer.data?.[subject.name] as { suppressed?: number } | null | undefined;
  return (
    <>
      {answer.problems.map((problem) => (
        <p key={problem} className="care-objection" role="alert">
          {problem}
        </p>
      ))}
      {table && onChoose && <Views table={table} view={view} onChoose={onChoose} />}
      {table && (
        <Drawn
          {...{ tables, table, view, choice, title }}
          suppressed={report?.suppressed}
          onChoose={onChoose}
        />
      )}
    </>
  );
}
