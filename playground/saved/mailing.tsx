import { type FormEvent, useEffect, useState } from 'react';
import { failureText } from '../advice.js';
import { listAnew, type ReportHeader } from '../saved-reports.js';
import { Confirmed } from './confirmed.js';
import {
  endMailing,
  type Mailings,
  type Mailing as Mails,
  type MailTimes,
  MOST_OFFERED,
  type Recipient,
  readMailing,
  setMailing,
} from './mailings.js';
import { useOutcome } from './outcome.js';

const WEEKDAYS = [
  ...['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'],
] as const;
const USUAL: MailTimes = { every: 'WEEK', day: 1, hour: 7 };
const DAYS = 31;
const HOURS = 24;

interface MailingProps {
  readonly report: ReportHeader;
}

/** The mails of a saved report: when and to whom, changing and ending them. */
export function Mailing({ report }: MailingProps) {
  const [known, setKnown] = useState<Mailings>();
  const [problem, setProblem] = useState('');
  const { attempt, outcome } = useOutcome();
  const read = () =>
    readMailing(report.id).then(setKnown, (error) => setProblem(failureText(error)));
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is read for each report, and when it is shared
  useEffect(() => {
    if (report.isOwn) read();
  }, [report.id, report.isOwn, report.isShared]);
  if (!report.isOwn)
    return (
      <p className="care-hint">
        Only who saved a report can have it mailed. Save it as your own first.
      </p>
    );
  if (problem)
    return (
      <p className="care-objection" role="alert">
        {problem}
      </p>
    );
  if (!known) return <p className="care-hint">The mails are being read.</p>;
  /** Does something to the mails, and reads them anew. */
  const change = (work: () => Promise<void>, done: string) =>
    attempt(async () => {
      await work();
      await Promise.all([read(), listAnew()]);
      return done;
    });
  return (
    <>
      {known.mailing ? (
        <Present
          mailing={known.mailing}
          onEnd={() => change(() => endMailing(report.id), 'It is not mailed any more.')}
        />
      ) : (
        <p className="care-hint">It is not mailed. A mail has a link and no number.</p>
      )}
      <MailForm
        key={JSON.stringify(known)}
        known={known}
        reportId={report.id}
        isShared={report.isShared}
        onSet={(times, recipientIds) =>
          change(() => setMailing({ ...times, reportId: report.id, recipientIds }), 'It is mailed.')
        }
      />
      {outcome}
    </>
  );
}

const hourText = (hour: number) => `${String(hour).padStart(2, '0')}:00`;
const ordinal = (day: number) => {
  const end = { one: 'st', two: 'nd', few: 'rd', other: 'th', many: 'th', zero: 'th' };
  return `${day}${end[new Intl.PluralRules('en', { type: 'ordinal' }).select(day)]}`;
};
const dayText = ({ every, day }: MailTimes) =>
  every === 'WEEK' ? `each ${WEEKDAYS[day - 1]}` : `on the ${ordinal(day)} of each month`;

const LIST = new Intl.ListFormat('en');

function Present({ mailing, onEnd }: { readonly mailing: Mails; readonly onEnd: () => void }) {
  const next = new Date(mailing.dueAt).toLocaleString('en', {
    ...{ dateStyle: 'medium', timeStyle: 'short' },
  });
  const names = mailing.recipients.map(({ name, isUnsubscribed }) =>
    isUnsubscribed ? `${name} (who wants no mails of it)` : name,
  );
  return (
    <p>
      Mailed {dayText(mailing)} at {hourText(mailing.hour)} to {LIST.format(names) || 'nobody'},
      next on {next}.{' '}
      <Confirmed
        says={['End the mails', 'End them now?']}
        label={['End the mails', 'End the mails now']}
        onConfirm={onEnd}
      />
    </p>
  );
}

interface MailFormProps {
  readonly known: Mailings;
  readonly reportId: string;
  readonly isShared: boolean;
  readonly onSet: (times: MailTimes, recipientIds: readonly string[]) => void;
}

function MailForm({ known: { mailing, possible }, reportId, isShared, onSet }: MailFormProps) {
  const [times, setTimes] = useState<MailTimes>(mailing ?? USUAL);
  const [problem, setProblem] = useState('');
  const [found, setFound] = useState<readonly Recipient[]>([]);
  const offered = [...new Map([...possible, ...found].map((one) => [one.accountId, one])).values()];
  if (possible.length === 0)
    return (
      <p className="care-objection">
        Nobody can get it yet. Show first that your e-mail address is yours: ask for a sign-in code
        and confirm it.
      </p>
    );
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const ids = new FormData(event.currentTarget).getAll('recipient').map(String);
    setProblem(ids.length === 0 ? 'Choose who gets it.' : '');
    const { every, day, hour } = times;
    if (ids.length > 0) onSet({ every, day, hour }, ids);
  };
  return (
    <form onSubmit={submit} onChange={() => setProblem('')} aria-label="Mails">
      <Times times={times} onChange={setTimes} />
      <fieldset>
        <legend>Who gets it</legend>
        <div className="care-values">
          {offered.map(({ accountId, name }) => (
            <label key={accountId}>
              <input
                type="checkbox"
                name="recipient"
                value={accountId}
                defaultChecked={mailing?.recipients.some((other) => other.accountId === accountId)}
              />{' '}
              {name}
            </label>
          ))}
        </div>
        {possible.length >= MOST_OFFERED && (
          <FindRecipient
            onFind={(name) =>
              readMailing(reportId, name).then(
                (known) => setFound([...found, ...known.possible]),
                (error) => setProblem(failureText(error)),
              )
            }
          />
        )}
      </fieldset>
      {!isShared && (
        <p className="care-hint">
          Others can get it once it is shared: share it, save, and look here.
        </p>
      )}
      {problem && (
        <p className="care-objection" role="alert">
          {problem}
        </p>
      )}
      <button type="submit" className="care-do">
        {mailing ? 'Change the mails' : 'Mail it'}
      </button>
    </form>
  );
}

/** Offers further accounts by a part of their name, where there are too many for a list. */
function FindRecipient({ onFind }: { readonly onFind: (name: string) => void }) {
  const [name, setName] = useState('');
  return (
    <p>
      These are the first {MOST_OFFERED}.{' '}
      <label>
        Find others by name{' '}
        <input
          type="search"
          value={name}
          onChange={({ target }) => setName(target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return;
            // It stands in the form of the mails, which Enter would set.
            event.preventDefault();
            if (name.trim() !== '') onFind(name);
          }}
        />
      </label>{' '}
      <button type="button" disabled={name.trim() === ''} onClick={() => onFind(name)}>
        Find
      </button>
    </p>
  );
}

interface TimesProps {
  readonly times: MailTimes;
  readonly onChange: (times: MailTimes) => void;
}

/** The choice of when: each week or month, the day and the hour. */
function Times({ times, onChange }: TimesProps) {
  const { every, day, hour } = times;
  const days =
    every === 'WEEK' ? WEEKDAYS : Array.from({ length: DAYS }, (_, index) => ordinal(index + 1));
  return (
    <>
      <label>
        How often{' '}
        <select
          value={every}
          onChange={({ target }) =>
            onChange({ ...times, every: target.value as MailTimes['every'], day: 1 })
          }
        >
          <option value="WEEK">Each week</option>
          <option value="MONTH">Each month</option>
        </select>
      </label>
      <label>
        Day{' '}
        <select
          value={day}
          onChange={({ target }) => onChange({ ...times, day: Number(target.value) })}
        >
          {days.map((name, index) => (
            <option key={name} value={index + 1}>
              {name}
            </option>
          ))}
        </select>
      </label>
      {every === 'MONTH' && day > 28 && (
        <p className="care-hint">The last day of a month that is shorter.</p>
      )}
      <label>
        At{' '}
        <select
          value={hour}
          onChange={({ target }) => onChange({ ...times, hour: Number(target.value) })}
        >
          {Array.from({ length: HOURS }, (_, index) => (
            <option key={hourText(index)} value={index}>
              {hourText(index)}
            </option>
          ))}
        </select>{' '}
        <small>by the clocks of your account</small>
      </label>
    </>
  );
}
