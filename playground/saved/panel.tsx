import { type ReactNode, useState } from 'react';
import type { ReportHeader } from '../saved-reports.js';
import { Files } from './files.js';
import { Frames } from './frames.js';
import { Mailing } from './mailing.js';

interface PanelProps {
  readonly report: ReportHeader;
}

/** What a saved report can be given as: files, frames of other sites, mails. */
export function ReportPanel({ report }: PanelProps) {
  return (
    <section className="care-panel" aria-label={`Give away ${report.name}`}>
      <Part title="Files">
        <Files report={report} />
      </Part>
      <Part title="On other sites">
        <Frames report={report} />
      </Part>
      <Part title="By mail">
        <Mailing report={report} />
      </Part>
    </section>
  );
}

/** A part that is made, and reads what it needs, once it is opened. */
function Part({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{title}</summary>
      {isOpen && children}
    </details>
  );
}
