import { failureText, problemsOf } from '../advice.js';
import { type Choice, viewNamed } from '../choices.js';
import { kept } from '../kept.js';
import { Observed } from '../observed.js';
import { go } from '../place.js';
import type { ReportHeader, SavedReport } from '../saved-reports.js';
import { type Answered, send } from '../sending.js';
import { ended } from '../session.js';
import type { Subject } from './catalogue.js';
import { type Question, tidied } from './question.js';
import { readBack } from './reading-back.js';
import { documentOf } from './writing.js';

/** What somebody works on in the builder. */
export interface Work {
  /** The question; that of before, while the text is none that the builder can show. */
  readonly question?: Question;
  /** The document that is asked. */
  readonly text: string;
  /** Why the builder cannot show the text. */
  readonly problem?: string;
  readonly choice: Choice;
  /** The saved report that is worked on. */
  readonly report?: ReportHeader;
}

/** What came back for a document. */
export interface Asked {
  readonly text: string;
  /** When it came, as an instant in ISO 8601. */
  readonly at: string;
  readonly data?: Answered['data'];
  /** What went wrong, and what to do about it. */
  readonly problems: readonly string[];
  /** Milliseconds until the answer was there. */
  readonly took?: number;
}

/** The answer to what is worked on, which may be another question by now. */
export interface AskedHere extends Asked {
  /** What the question is called. */
  readonly title: string;
  /** The report that it is of. */
  readonly subject: string | undefined;
}

/** A question that was asked before, the newest first. */
export interface Past {
  readonly text: string;
  readonly title: string;
  /** Instant, in ISO 8601. */
  readonly at: string;
}

const MOST_PAST = 20;
const NOTHING: Work = { text: '', choice: {} };

/** What is worked on, what came back, and what was asked before: they survive a reload. */
export const work = kept<Work>('care:work', NOTHING);
export const asked = kept<AskedHere | undefined>('care:asked-at', undefined);
export const past = kept<readonly Past[]>('care:past', []);
/** Whether an answer is awaited. */
export const isAsking = new Observed(false);

// Nothing of what somebody saw stays for whoever signs in next.
ended.watch(() => {
  isAsking.set(false);
  asked.set(undefined);
  past.set([]);
  work.set(NOTHING);
});

/** How many questions were begun: each has its own name. */
export const begun = new Observed(0);

/** Leaves the saved report that is worked on, if one is, and its name. */
export function leaveReport(): void {
  const { report: _report, ...others } = work.value;
  work.set({ ...others, choice: {} });
  begun.set(begun.value + 1);
  go({ view: 'reports' }, true);
}

/** Begins anew: nothing is chosen, and no saved report is worked on. */
export function startAnew(): void {
  work.set(NOTHING);
  begun.set(begun.value + 1);
  go({ view: 'reports' });
}

/** Changes the question; the document follows. */
export function changeQuestion(change: Partial<Question>, subject: Subject): void {
  const { problem: _problem, ...others } = work.value;
  const question = tidied({ ...(others.question as Question), ...change });
  work.set({ ...others, question, text: documentOf(question, subject) });
}

/** Changes the document; the question follows, where the builder can show it. */
export function changeText(text: string, subjects: readonly Subject[], variables = {}): void {
  const { problem: _problem, ...others } = work.value;
  const { question, problem } = readBack(text, variables, subjects);
  work.set({ ...others, text, ...(question ? { question } : { problem }) });
}

/**
 * Takes a saved report to work on, in the builder's own words. Returns whether the builder can show
 * it.
 */
export function takeReport(report: SavedReport, subjects: readonly Subject[]): boolean {
  const { query, variables, view, measure, id, name, isOwn, isShared, ownerName } = report;
  const { question } = readBack(query, JSON.parse(variables), subjects);
  const subject = subjects.find((other) => other.name === question?.subject);
  if (!question || !subject) return false;
  const seen = viewNamed(view);
  work.set({
    question,
    text: documentOf(question, subject),
    choice: { ...(seen && { view: seen }), ...(measure && { measure }) },
    report: { id, name, isOwn, isShared, ownerName },
  });
  return true;
}

/** Asks a document, and returns what came back. It never throws. */
export async function answerTo(text: string): Promise<Asked> {
  const at = () => new Date().toISOString();
  try {
    const { answer, took } = await send({ query: text });
    return { text, at: at(), data: answer.data ?? null, problems: problemsOf(answer), took };
  } catch (error) {
    return { text, at: at(), problems: [failureText(error)] };
  }
}

/**
 * Asks what is worked on. An answer that is there stays when there is no connection; none is kept once
 * the session has ended.
 */
export async function ask(title: string): Promise<void> {
  const { text, question } = work.value;
  const session = ended.value;
  isAsking.set(true);
  const answer = { ...(await answerTo(text)), title, subject: question?.subject };
  if (ended.value !== session) return;
  isAsking.set(false);
  const before = asked.value;
  asked.set(
    answer.data || before?.text !== text ? answer : { ...before, problems: answer.problems },
  );
  const others = past.value.filter((other) => other.text !== text);
  past.set([{ text, title, at: answer.at }, ...others].slice(0, MOST_PAST));
}
