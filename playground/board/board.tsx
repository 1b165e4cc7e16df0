import { useCallback, useEffect, useState } from 'react';
import { failureText } from '../advice.js';
import { Answer } from '../builder/answered.js';
import type { Subject } from '../builder/catalogue.js';
import { useCatalogue } from '../builder/catalogue-reading.js';
import { readBack } from '../builder/reading-back.js';
import { type Asked, answerTo } from '../builder/work.js';
import { documentOf } from '../builder/writing.js';
import { viewNamed } from '../choices.js';
import { addressOf, place } from '../place.js';
import { brokenText, NOT_SHOWN, readSavedReport, type SavedReport } from '../saved-reports.js';
import { maySeeSchema } from '../schema.js';
import { account } from '../session.js';
import { useObserved } from '../use-observed.js';
import { asOfIn, earliestOf } from './as-of.js';
import { Composing } from './composing.js';

/** Up to twelve saved reports beside each other, refreshed together. Its address is all of it. */
export function Board() {
  const who = useObserved(account);
  const { board = [], name = 'Board' } = useObserved(place);
  const { subjects, problem, again } = useCatalogue(maySeeSchema(who));
  const [refreshed, setRefreshed] = useState(() => new Date());
  const [counted, setCounted] = useState<Readonly<Record<string, string | undefined>>>({});
  const onAnswered = useCallback(
    (id: string, asOf: string | undefined) => setCounted((before) => ({ ...before, [id]: asOf })),
    [],
  );
  const asOf = earliestOf(board.map((id) => counted[id]));
  if (!maySeeSchema(who))
    return (
      <div className="care-page">
        <h2>{name}</h2>
        <p className="care-objection">
          Sign in as clinician, analyst or administrator to see a board.
        </p>
      </div>
    );
  return (
    <div className="care-page care-board-page">
      <header>
        <h2>{name}</h2>
        {asOf && (
          <p>
            As of {new Date(asOf).toLocaleString('en', { dateStyle: 'medium', timeStyle: 'short' })}
            .
          </p>
        )}
        <button type="button" onClick={() => setRefreshed(new Date())}>
          Refresh all
        </button>
        <button type="button" onClick={() => print()}>
          Print
        </button>
      </header>
      {problem && (
        <p className="care-objection" role="alert">
          {problem}{' '}
          <button type="button" onClick={again}>
            Try again
          </button>
        </p>
      )}
      <Composing ids={board} name={name} />
      {subjects && (
        <div className="care-tiles">
          {board.map((id) => (
            <Tile key={id} {...{ id, subjects, refreshed, onAnswered }} />
          ))}
        </div>
      )}
    </div>
  );
}

interface TileProps {
  readonly id: string;
  readonly subjects: readonly Subject[];
  readonly refreshed: Date;
  /** Called when numbers came, with the instant up to which they are counted. */
  readonly onAnswered: (id: string, asOf: string | undefined) => void;
}

/** What a tile shows: a report with its answer, or why there is none. */
interface Shown {
  readonly report?: SavedReport;
  readonly subject?: Subject;
  readonly answer?: Asked;
  readonly problem?: string;
  /** Whether nothing was answered: what was shown before stays. */
  readonly isFailed?: true;
}

function Tile({ id, subjects, refreshed, onAnswered }: TileProps) {
  const [shown, setShown] = useState<Shown>();
  const read = useCallback(() => readTile(id, subjects), [id, subjects]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each refresh reads it again
  useEffect(() => {
    let isCurrent = true;
    read().then((found) => {
      if (!isCurrent) return;
      setShown((before) => shownAfter(before, found));
      const { answer, subject } = found;
      if (answer?.data && subject) onAnswered(id, asOfIn(answer.data, subject.name));
    });
    return () => {
      isCurrent = false;
    };
  }, [id, read, refreshed, onAnswered]);
  const { report, subject, answer, problem } = shown ?? {};
  const view = viewNamed(report?.view);
  return (
    <article className="care-tile" aria-busy={!shown}>
      <h3>
        {report ? <a href={addressOf({ view: 'reports', report: id })}>{report.name}</a> : id}
      </h3>
      {!shown && <p className="care-hint">Asking.</p>}
      {problem && <p className="care-objection">{problem}</p>}
      {report && subject && answer && (
        <Answer
          answer={answer}
          subject={subject}
          title={report.name}
          choice={{ ...(view && { view }), ...(report.measure && { measure: report.measure }) }}
        />
      )}
    </article>
  );
}

/** Returns what a tile shows once more is known: numbers stay until others come. */
function shownAfter(before: Shown | undefined, found: Shown): Shown {
  if (found.isFailed) return { ...before, ...found };
  const { answer } = found;
  const isSame = before?.answer?.text === answer?.text;
  if (!answer || answer.data || !before?.answer || !isSame) return found;
  return { ...found, answer: { ...before.answer, problems: answer.problems } };
}

/** Reads a report and asks it. It never throws. */
async function readTile(id: string, subjects: readonly Subject[]): Promise<Shown> {
  try {
    const report = await readSavedReport(id);
    if (!report) return { problem: NOT_SHOWN };
    const broken = brokenText(report);
    if (broken) return { report, problem: broken };
    const { question, problem } = readBack(report.query, JSON.parse(report.variables), subjects);
    const subject = subjects.find(({ name }) => name === question?.subject);
    if (!question || !subject) return { report, problem: `It cannot be shown here. ${problem}` };
    return { report, subject, answer: await answerTo(documentOf(question, subject)) };
  } catch (error) {
    return { problem: failureText(error), isFailed: true };
  }
}
