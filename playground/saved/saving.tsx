import { type FormEvent, type ReactNode, useState } from 'react';
import { failureText } from '../advice.js';
import { type ReportHeader, type Saving, saveReport } from '../saved-reports.js';

interface SaveFormProps {
  /** What stands above the form. */
  readonly heading: ReactNode;
  /** The saved report that is worked on. */
  readonly report: ReportHeader | undefined;
  /** The name of what has none yet. */
  readonly title: string;
  /** Counts what has none yet: a name that is typed stays with what it is typed for. */
  readonly begun?: number;
  /** What is saved. */
  readonly saving: Omit<Saving, 'name' | 'isShared'>;
  /** Takes the report as it is saved, and returns what is said then. */
  readonly onSaved: (report: ReportHeader) => string;
}

/** Saves what is worked on, with the way in which it is shown. */
export function SaveForm({ heading, report, title, begun = 0, saving, onSaved }: SaveFormProps) {
  const [said, setSaid] = useState('');
  const isOwn = report?.isOwn ?? false;
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    const { submitter } = event.nativeEvent as SubmitEvent;
    const isChange = submitter?.getAttribute('value') === 'change';
    const given = { name: String(fields.get('name')).trim(), isShared: fields.has('shared') };
    try {
      const id = await saveReport({ ...saving, ...given }, isChange ? report?.id : undefined);
      setSaid(onSaved({ id, ...given, isOwn: true, ownerName: '' }));
    } catch (error) {
      setSaid(failureText(error));
    }
  };
  return (
    <form onSubmit={submit} key={report?.id ?? `new ${begun}`} aria-label="Save">
      {heading}
      <label>
        Name <input name="name" required maxLength={100} defaultValue={report?.name ?? title} />
      </label>
      <label className="care-check">
        <input type="checkbox" name="shared" defaultChecked={report?.isShared ?? false} /> Share
        with clinicians, analysts and administrators
      </label>
      {isOwn && (
        <button type="submit" value="change" className="care-do">
          Save changes
        </button>
      )}{' '}
      <button type="submit" value="new" className="care-do">
        {report ? 'Save as new' : 'Save'}
      </button>
      <p role="status">{said}</p>
    </form>
  );
}
