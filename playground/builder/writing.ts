import type { Subject } from './catalogue.js';
import type { Question } from './question.js';
import { enumName } from './words.js';

type Value = string | number | boolean | null;

const literal = (value: Value): string => JSON.stringify(value);
const list = (parts: readonly string[]) => `[${parts.join(', ')}]`;

/** Returns the GraphQL document of a question. The same question is always the same text. */
export function documentOf(question: Question, subject: Subject): string {
  const { groups, measures, companions } = question;
  const numbers = [...measures, ...(subject.hasIntervals ? [intervals(measures)] : [])];
  const explained = [...numbers, ...subject.explains.total];
  const beside = [...new Set([...companions, ...filledBy(question, subject)])];
  const rowBeside = subject.companions
    .filter(({ name }) => beside.includes(name))
    .map(({ name, has }) => {
      const asked = [...measures, ...subject.explains.total.filter((other) => other !== 'margin')];
      return `${name} { ${asked.filter((other) => has.includes(other)).join(' ')} }`;
    });
  const totals = subject.totals.filter((name) => name === 'total' || beside.includes(name));
  return `query ${operationName(question)} {
  ${subject.name}(${argumentsOf(question, subject).join(', ')}) {
    rows {
      ${[...groups, ...numbers, ...subject.explains.row, ...rowBeside].join('\n      ')}
    }
${totals.map((name) => `    ${name} { ${explained.join(' ')} }\n`).join('')}    ${subject.explains.report.join(' ')}
  }
}
`;
}

const intervals = (measures: readonly string[]) =>
  `interval { ${measures.map((name) => `${name} { low high }`).join(' ')} }`;

const capital = (name: string) => name.charAt(0).toUpperCase() + name.slice(1);

const operationName = ({ subject, groups }: Question): string =>
  `${capital(subject)}${groups.length > 0 ? `By${groups.map(capital).join('And')}` : ''}`;

const filledBy = ({ options }: Question, subject: Subject): readonly string[] =>
  subject.options.filter(({ name }) => options[name] !== undefined).flatMap(({ fills }) => fills);

function argumentsOf(question: Question, subject: Subject): readonly string[] {
  const { period, filter, order, first, options } = question;
  const kept = Object.entries(filter).filter(([, values]) => values.length > 0);
  return [
    ...('range' in period
      ? [`range: ${period.range}`]
      : [`from: ${literal(period.from)}`, `to: ${literal(period.to)}`]),
    ...(kept.length > 0
      ? [
          `filter: { ${kept
            .map(([name, values]) => `${name}: ${list(values.map(valueText(subject, name)))}`)
            .join(', ')} }`,
        ]
      : []),
    ...(order
      ? [
          `orderBy: [{ by: ${enumName(order.by)}, direction: ${order.isDescending ? 'DESC' : 'ASC'} }]`,
        ]
      : []),
    ...(first ? [`first: ${first}`] : []),
    ...subject.options.flatMap(({ name, values }) => {
      const value = options[name];
      if (value === undefined) return [];
      return [`${name}: ${values ? value : literal(value)}`];
    }),
  ];
}

const valueText = (subject: Subject, name: string) => {
  const isEnum = subject.filters.some((filter) => filter.name === name && filter.values);
  return (value: Value) => (isEnum && value !== null ? String(value) : literal(value));
};
