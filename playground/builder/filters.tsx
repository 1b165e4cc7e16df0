import { useEffect, useId, useState } from 'react';
import { failureText } from '../advice.js';
import type { Option } from './catalogue.js';
import type { PartProps } from './form.js';
import { dimensionsOf, MOST_GROUPS } from './question.js';
import { type FilterValue, valuesOf, valueText } from './values.js';
import { changeQuestion } from './work.js';

/** Values from which a list can be searched. */
const LONG = 12;
/** Values of a dimension that the filter of the schema takes. */
const MOST_CHOSEN = 100;

/** The values that are kept, for each dimension that the schema lets filter by. */
export function Filters({ subject, question }: PartProps) {
  if (subject.filters.length === 0) return null;
  return (
    <fieldset>
      <legend>Only</legend>
      {subject.filters.map((filter) => (
        <Filter key={`${subject.name} ${filter.name}`} {...{ subject, question, filter }} />
      ))}
    </fieldset>
  );
}

function Filter({ subject, question, filter }: PartProps & { readonly filter: Option }) {
  const [isOpen, setOpen] = useState(false);
  const textOf = (value: FilterValue) => valueText(subject, filter, value);
  const chosen = question.filter[filter.name] ?? [];
  const dimensions = dimensionsOf(question);
  const isFull = dimensions.length >= MOST_GROUPS && !dimensions.includes(filter.name);
  return (
    <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary title={filter.description}>
        {filter.label}
        {chosen.length > 0 && <small> {chosen.map(textOf).join(', ')}</small>}
      </summary>
      {isFull ? (
        <p className="care-hint">
          Groups and filters are at most {MOST_GROUPS} together: leave one out before.
        </p>
      ) : (
        isOpen && <Values {...{ subject, question, filter }} />
      )}
    </details>
  );
}

/** Returns the values of a filter as they come, or why they do not. */
function useValues({ subject, question, filter }: PartProps & { readonly filter: Option }) {
  const [values, setValues] = useState<readonly FilterValue[]>();
  const [problem, setProblem] = useState('');
  const { period } = question;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the period is compared as text
  useEffect(() => {
    let isCurrent = true;
    valuesOf(subject, filter, period).then(
      (found) => {
        if (!isCurrent) return;
        setValues(found);
        setProblem('');
      },
      (error) => isCurrent && setProblem(failureText(error)),
    );
    return () => {
      isCurrent = false;
    };
  }, [subject, filter, JSON.stringify(period)]);
  return { values, problem };
}

function Values(props: PartProps & { readonly filter: Option }) {
  const { subject, question, filter } = props;
  const textOf = (value: FilterValue) => valueText(subject, filter, value);
  const { values, problem } = useValues(props);
  const [search, setSearch] = useState('');
  const listed = useId();
  const chosen = question.filter[filter.name] ?? [];
  if (problem) return <p className="care-objection">{problem}</p>;
  if (!values) return <p className="care-hint">The values are being read.</p>;
  const all = [...new Set([...chosen, ...values])];
  if (all.length === 0)
    return <p className="care-hint">No value is shown in this time: choose a longer one.</p>;
  const shown = all.filter((value) => textOf(value).toLowerCase().includes(search.toLowerCase()));
  const change = (value: FilterValue) => {
    const others = chosen.filter((other) => other !== value);
    const next = others.length < chosen.length ? others : [...chosen, value];
    changeQuestion({ filter: { ...question.filter, [filter.name]: next } }, subject);
  };
  return (
    <>
      {all.length > LONG && (
        <label>
          Search{' '}
          <input type="search" value={search} onChange={(event) => setSearch(event.target.value)} />
        </label>
      )}
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset does not scroll in every browser */}
      <div
        role="group"
        id={listed}
        className="care-values"
        aria-label={`Values of ${filter.label}`}
      >
        {shown.map((value) => (
          <label key={JSON.stringify(value)}>
            <input
              type="checkbox"
              checked={chosen.includes(value)}
              disabled={chosen.length >= MOST_CHOSEN && !chosen.includes(value)}
              onChange={() => change(value)}
            />{' '}
            {textOf(value)}
          </label>
        ))}
      </div>
    </>
  );
}
