import type { Item, Subject } from './catalogue.js';
import type { Question } from './question.js';

const joined = (parts: readonly string[]): string =>
  parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;

const labels = (names: readonly string[], items: readonly Item[]): readonly string[] =>
  names.map((name) => items.find((item) => item.name === name)?.label.toLowerCase() ?? name);

/** Returns how people call a question: "Dose: adherence rate by month and language". */
export function titleOf(question: Question, subject: Subject): string {
  const what = joined(labels(question.measures, subject.measures));
  const by = joined(labels(question.groups, subject.dimensions));
  return `${subject.label}: ${what}${by ? ` by ${by}` : ''}`;
}
