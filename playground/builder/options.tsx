import type { Option } from './catalogue.js';
import type { PartProps } from './form.js';
import type { Question } from './question.js';
import { changeQuestion } from './work.js';

const MOST_ROWS = 10_000;

/** The order of rows, how many there are, and whatever else the schema lets choose. */
export function Options({ subject, question }: PartProps) {
  const count = Object.keys(question.options).length + question.companions.length;
  const isUsed = count > 0 || question.order || question.first;
  const filled = new Set(subject.options.flatMap(({ fills }) => fills));
  const companions = subject.companions.filter(({ name }) => !filled.has(name));
  return (
    <details className="care-options" open={Boolean(isUsed) || undefined}>
      <summary>Order, comparison and more</summary>
      <Order subject={subject} question={question} />
      <label>
        Rows at most{' '}
        <input
          type="number"
          min={1}
          max={MOST_ROWS}
          placeholder="all"
          value={question.first ?? ''}
          onChange={(event) => {
            const { first: _first, ...others } = question;
            const first = Math.floor(Number(event.target.value));
            replace(first > 0 ? { ...others, first } : others, subject);
          }}
        />
      </label>
      {subject.options.map((option) => (
        <OptionPicker key={option.name} {...{ subject, question, option }} />
      ))}
      {companions.map(({ name, label, description }) => (
        <label key={name} title={description}>
          <input
            type="checkbox"
            checked={question.companions.includes(name)}
            onChange={({ target }) => {
              const others = question.companions.filter((other) => other !== name);
              const chosen = target.checked ? [...others, name] : others;
              changeQuestion({ companions: chosen }, subject);
            }}
          />{' '}
          {label}
        </label>
      ))}
    </details>
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
  const { name, label, description, values, type } = option;
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
          <option value="">As usual</option>
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
        value={String(value ?? '')}
        onChange={({ target }) =>
          set(target.value ? (isInt ? Math.floor(Number(target.value)) : target.value) : undefined)
        }
      />
    </label>
  );
}
