import type { Companion, Option } from './catalogue.js';
import type { PartProps } from './form.js';
import type { Question } from './question.js';
import { isOpen } from './ranges.js';
import { TopPicker } from './top.js';
import { unchosenText } from './words.js';
import { changeQuestion } from './work.js';
import { mostRowsOf, usualRowsOf } from './writing.js';

/** Rows of a report at most. */
const MOST_ROWS = 10_000;

/** The date by the clocks of this browser, which are likeliest those of the site. */
const today = () => new Intl.DateTimeFormat('sv').format(new Date());

/** The order of rows, how many there are, and whatever else the schema lets choose. */
export function Options({ subject, question }: PartProps) {
  const count = Object.keys(question.options).length + question.companions.length;
  const isUsed = count > 0 || question.order || question.first || question.top;
  const filled = new Set(subject.options.flatMap(({ fills }) => fills));
  const companions = subject.companions.filter(({ name }) => !filled.has(name));
  const isSeries = ({ needs }: Option) => companions.some(({ name }) => needs.includes(name));
  return (
    <details className="care-options" open={Boolean(isUsed) || undefined}>
      <summary>Order, comparison and more</summary>
      <Order subject={subject} question={question} />
      <label>
        Rows at most{' '}
        <input
          type="number"
          min={1}
          max={Math.min(MOST_ROWS, mostRowsOf(question, subject))}
          placeholder={String(usualRowsOf(question, subject))}
          value={question.first ?? ''}
          onChange={(event) => {
            const { first: _first, ...others } = question;
            const first = Math.floor(Number(event.target.value));
            replace(first > 0 ? { ...others, first } : others, subject);
          }}
        />
      </label>
      <TopPicker subject={subject} question={question} />
      {subject.options
        .filter((option) => !isSeries(option) && isOfUse(option, { subject, question }))
        .map((option) => (
          <OptionPicker key={option.name} {...{ subject, question, option }} />
        ))}
      <p role="status" className="care-hint">
        {question.options.compare !== undefined &&
          isOpen(question.period, subject.ranges, today()) &&
          'This time is not over, so there is nothing to compare it with yet. Choose one that ended yesterday.'}
      </p>
      {companions.map((companion) => (
        <CompanionPicker key={companion.name} {...{ subject, question, companion }} />
      ))}
      {subject.options
        .filter((option) => isSeries(option) && isOfUse(option, { subject, question }))
        .map((option) => (
          <OptionPicker key={option.name} {...{ subject, question, option }} />
        ))}
    </details>
  );
}

/** Whether an option does something: what its description says it is of is chosen. */
function isOfUse({ name, needs }: Option, { subject, question }: PartProps): boolean {
  const known = [...subject.dimensions, ...subject.companions].map((item) => item.name);
  const wanted = needs.filter((need) => known.includes(need));
  const chosen = [...question.groups, ...question.companions];
  return (
    question.options[name] !== undefined ||
    wanted.length === 0 ||
    wanted.some((need) => chosen.includes(need))
  );
}

function CompanionPicker({
  subject,
  question,
  companion: { name, label, description },
}: PartProps & { readonly companion: Companion }) {
  return (
    <label title={description}>
      <input
        type="checkbox"
        checked={question.companions.includes(name)}
        onChange={({ target }) => {
          const companions = subject.companions
            .map((other) => other.name)
            .filter((other) =>
              other === name ? target.checked : question.companions.includes(other),
            );
          changeQuestion({ companions }, subject);
        }}
      />{' '}
      {label}
    </label>
  );
}

/** Sets a question from which something may have gone. */
function replace(question: Question, subject: PartProps['subject']): void {
  changeQuestion({ order: undefined, first: undefined, ...question } as Question, subject);
}

function Order({ subject, question }: PartProps) {
  const { order, ...others } = question;
  const fields = [...subject.dimensions, ...subject.measures].filter(({ name }) =>
    [...question.groups, ...question.measures].includes(name),
  );
  return (
    <>
      <label>
        Order by{' '}
        <select
          value={order?.by ?? ''}
          onChange={({ target: { value: by } }) =>
            replace(
              by ? { ...others, order: { by, isDescending: isNumber(by, subject) } } : others,
              subject,
            )
          }
        >
          <option value="">Time, then groups</option>
          {fields.map(({ name, label }) => (
            <option key={name} value={name}>
              {label}
            </option>
          ))}
        </select>
      </label>
      {order && (
        <label>
          <input
            type="checkbox"
            checked={order.isDescending}
            onChange={({ target }) =>
              changeQuestion({ order: { ...order, isDescending: target.checked } }, subject)
            }
          />{' '}
          Largest first
        </label>
      )}
    </>
  );
}

const isNumber = (by: string, { measures }: PartProps['subject']) =>
  measures.some(({ name }) => name === by);

function OptionPicker({ subject, question, option }: PartProps & { readonly option: Option }) {
  const { name, label, description, values, type, bounds: [least, most] = [] } = option;
  const value = question.options[name];
  const set = (to: string | number | boolean | undefined) => {
    const { [name]: _before, ...others } = question.options;
    changeQuestion({ options: to === undefined ? others : { ...others, [name]: to } }, subject);
  };
  if (values)
    return (
      <label title={description}>
        {label}{' '}
        <select
          value={String(value ?? '')}
          onChange={({ target }) => set(target.value || undefined)}
        >
          <option value="">{unchosenText(name)}</option>
          {values.map((item) => (
            <option key={item.name} value={item.name} title={item.description}>
              {item.label}
            </option>
          ))}
        </select>
      </label>
    );
  if (type === 'Boolean')
    return (
      <label title={description}>
        <input
          type="checkbox"
          checked={value === true}
          onChange={({ target }) => set(target.checked || undefined)}
        />{' '}
        {label}
      </label>
    );
  const isInt = type === 'Int';
  return (
    <label title={description}>
      {label}{' '}
      <input
        type={isInt ? 'number' : 'text'}
        min={least}
        max={most}
        value={String(value ?? '')}
        onChange={({ target }) =>
          set(target.value ? (isInt ? Math.floor(Number(target.value)) : target.value) : undefined)
        }
      />
    </label>
  );
}
