import type { Subject } from './catalogue.js';
import type { Question, Top } from './question.js';
import { enumName } from './words.js';

type Value = string | number | boolean | null;

const literal = (value: Value): string => JSON.stringify(value);
const list = (parts: readonly string[]) => `[${parts.join(', ')}]`;

/** Cost of a document that the service answers, less than the most for what it may gain. */
const MOST_COST = 19_000;
/** Rows that a report answers when it is not said how many. */
export const USUAL_ROWS = 1_000;

/** Returns the GraphQL document of a question. The same question is always the same text. */
export function documentOf(question: Question, subject: Subject): string {
  const { rows, totals } = selectionsOf(question, subject);
  return `query ${operationName(question)} {
  ${subject.name}(${argumentsOf(question, subject).join(', ')}) {
    rows {
      ${rows.join('\n      ')}
    }
${totals.map((total) => `    ${total}\n`).join('')}    ${subject.explains.report.join(' ')}
  }
}
`;
}

/**
 * Returns how many rows a question can have: the cost of a document is that of its fields, each once
 * for each row.
 */
export function mostRowsOf(question: Question, subject: Subject): number {
  const { rows, totals } = selectionsOf(question, subject);
  const fields = (parts: readonly string[]) => parts.join(' ').match(/\w+/g)?.length ?? 0;
  const others = fields([...totals, ...subject.explains.report]);
  return Math.floor((MOST_COST - others) / Math.max(1, fields(rows)));
}

/** Returns how many rows a question has that does not say how many. */
export const usualRowsOf = (question: Question, subject: Subject): number =>
  Math.min(USUAL_ROWS, mostRowsOf(question, subject));

/** Returns what is selected of rows, and the totals with what is selected of them. */
function selectionsOf(question: Question, subject: Subject) {
  const { groups, measures, companions } = question;
  const numbers = [...measures, ...(subject.hasIntervals ? [intervals(measures)] : [])];
  const explained = [...numbers, ...subject.explains.total];
  const beside = [...new Set([...companions, ...filledBy(question, subject)])];
  const rowBeside = subject.companions
    .filter(({ name }) => beside.includes(name))
    .map(({ name, has }) => {
      const asked = [...measures, ...subject.explains.total.filter((other) => other !== 'margin')];
      const fields = asked.filter((other) => has.includes(other));
      return `${name} { ${fields.join(' ')} }`;
    });
  const keys = groups.flatMap((name) => {
    const names = subject.dimensions.find((dimension) => dimension.name === name)?.names;
    return names ? [name, names] : [name];
  });
  return {
    rows: [...keys, ...numbers, ...subject.explains.row, ...rowBeside],
    totals: subject.totals
      .filter((name) => name === 'total' || beside.includes(name))
      .map((name) => `${name} { ${explained.join(' ')} }`),
  };
}

const intervals = (measures: readonly string[]) =>
  `interval { ${measures.map((name) => `${name} { low high }`).join(' ')} }`;

const capital = (name: string) => name.charAt(0).toUpperCase() + name.slice(1);

const operationName = ({ subject, groups }: Question): string =>
  `${capital(subject)}${groups.length > 0 ? `By${groups.map(capital).join('And')}` : ''}`;

const filledBy = ({ options }: Question, subject: Subject): readonly string[] =>
  subject.options.filter(({ name }) => options[name] !== undefined).flatMap(({ fills }) => fills);

function argumentsOf(question: Question, subject: Subject): readonly string[] {
  const { period, order, first, options, top } = question;
  const usual = usualRowsOf(question, subject);
  const rows = first ?? (usual < USUAL_ROWS ? usual : undefined);
  return [
    ...('range' in period
      ? [`range: ${period.range}`]
      : [`from: ${literal(period.from)}`, `to: ${literal(period.to)}`]),
    ...filterText(question, subject),
    ...(order
      ? [
          `orderBy: [{ by: ${enumName(order.by)}, direction: ${order.isDescending ? 'DESC' : 'ASC'} }]`,
        ]
      : []),
    ...(rows ? [`first: ${rows}`] : []),
    ...(top ? [topText(top)] : []),
    ...subject.options.flatMap(({ name, values }) => {
      const value = options[name];
      if (value === undefined) return [];
      return [`${name}: ${values ? value : literal(value)}`];
    }),
  ];
}

function filterText({ filter }: Question, subject: Subject): readonly string[] {
  const kept = Object.entries(filter)
    .filter(([, values]) => values.length > 0)
    .map(([name, values]) => `${name}: ${list(values.map(valueText(subject, name)))}`);
  return kept.length > 0 ? [`filter: { ${kept.join(', ')} }`] : [];
}

const topText = ({ count, by, of }: Top): string =>
  `top: { count: ${count}, by: ${enumName(by)}${of ? `, of: ${enumName(of)}` : ''} }`;

const valueText = (subject: Subject, name: string) => {
  const isEnum = subject.filters.some((filter) => filter.name === name && filter.values);
  return (value: Value) => (isEnum && value !== null ? String(value) : literal(value));
};
