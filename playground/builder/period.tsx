import type { PartProps } from './form.js';
import type { Period } from './question.js';
import { spanOf } from './ranges.js';
import { labelOf } from './words.js';
import { changeQuestion } from './work.js';

const DAY = 86_400_000;
/** Value of the choice of days beside the relative ranges. */
const DATES = '';

const day = (daysAgo: number) => new Date(Date.now() - daysAgo * DAY).toISOString().slice(0, 10);

/** The time that is asked about: a range that moves with today, or a first and a last day. */
export function PeriodPicker({ subject, question }: PartProps) {
  const { period } = question;
  const change = (to: Period) => changeQuestion({ period: to }, subject);
  const range = 'range' in period ? period.range : DATES;
  const chosen = subject.ranges.find(({ name }) => name === range);
  return (
    <fieldset>
      <legend>When</legend>
      {subject.ranges.length > 0 && (
        <label>
          Time{' '}
          <select
            value={range}
            onChange={(event) =>
              change(
                event.target.value === DATES
                  ? { from: day(30), to: day(0) }
                  : { range: event.target.value },
              )
            }
          >
            {[...new Set(subject.ranges.map(spanOf))].map((span) => (
              <optgroup key={span} label={`${labelOf(span)}s`}>
                {subject.ranges
                  .filter((item) => spanOf(item) === span)
                  .map(({ name, label }) => (
                    <option key={name} value={name}>
                      {label}
                    </option>
                  ))}
              </optgroup>
            ))}
            <option value={DATES}>Days that I choose</option>
          </select>
        </label>
      )}
      {'range' in period ? (
        <small>{chosen?.description}</small>
      ) : (
        <>
          <label>
            First day{' '}
            <input
              type="date"
              value={period.from}
              onChange={(event) => change({ ...period, from: event.target.value })}
            />
          </label>
          <label>
            Last day{' '}
            <input
              type="date"
              value={period.to}
              onChange={(event) => change({ ...period, to: event.target.value })}
            />
          </label>
        </>
      )}
    </fieldset>
  );
}
