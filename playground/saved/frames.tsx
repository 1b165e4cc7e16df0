import { type FormEvent, useEffect, useId, useState } from 'react';
import { failureText } from '../advice.js';
import type { ReportHeader } from '../saved-reports.js';
import { account } from '../session.js';
import { useObserved } from '../use-observed.js';
import { Confirmed } from './confirmed.js';
import { createEmbed, type Embed, readEmbeds, revokeEmbed } from './embeds.js';
import { originsIn } from './origins.js';
import { useOutcome } from './outcome.js';

const DAY = 86_400_000;
const USUAL_DAYS = 90;
const MOST_DAYS = 365;
const dayIn = (days: number) => new Date(Date.now() + days * DAY).toISOString().slice(0, 10);
const dateText = (at: string) => new Date(at).toLocaleDateString('en', { dateStyle: 'medium' });

interface FramesProps {
  readonly report: ReportHeader;
}

/** The frames of other sites that show a saved report: making, listing and revoking them. */
export function Frames({ report }: FramesProps) {
  const who = useObserved(account);
  const [embeds, setEmbeds] = useState<readonly Embed[]>();
  const [problem, setProblem] = useState('');
  const read = () =>
    readEmbeds(report.id).then(setEmbeds, (error) => setProblem(failureText(error)));
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is read once for each report
  useEffect(() => {
    read();
  }, [report.id]);
  const mayMake = report.isOwn || who?.roles.includes('ADMINISTRATOR');
  return (
    <>
      {mayMake ? (
        <FrameForm report={report} onMade={read} />
      ) : (
        <p className="care-hint">
          Only who saved a report, or an administrator, can show it on other sites. Save it as your
          own first.
        </p>
      )}
      {problem && (
        <p className="care-objection" role="alert">
          {problem}
        </p>
      )}
      {embeds && embeds.length > 0 && <FrameList embeds={embeds} onRevoked={read} />}
      {mayMake && embeds?.length === 0 && <p className="care-hint">No other site shows it.</p>}
    </>
  );
}

/** Returns the last instant of a day by the clocks of who looks at the page, in ISO 8601. */
function endOf(day: string): string {
  const end = new Date(`${day}T23:59:59`);
  if (Number.isNaN(end.getTime())) throw new Error('Choose the last day on which it is shown.');
  if (end.getTime() < Date.now()) throw new Error('The last day is over: choose one to come.');
  if (end.getTime() > Date.now() + (MOST_DAYS + 1) * DAY)
    throw new Error('A frame is shown for a year at most: choose an earlier day.');
  return end.toISOString();
}

function FrameForm({ report, onMade }: FramesProps & { readonly onMade: () => void }) {
  const { attempt, isBusy, outcome } = useOutcome();
  const [url, setUrl] = useState('');
  const hint = useId();
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    attempt(async () => {
      const origins = originsIn(String(fields.get('sites')));
      const expiresAt = endOf(String(fields.get('until')));
      setUrl(await createEmbed({ reportId: report.id, origins, expiresAt }));
      onMade();
      return 'The frame is made.';
    });
  };
  return (
    <>
      <form onSubmit={submit} aria-label="Frame" noValidate>
        <p className="care-hint" id={hint}>
          Pages of these sites can show the report to whoever reads them, without signing in. Its
          numbers are at most six hours old. What they ask counts as your questions.
        </p>
        <label>
          Sites, one a line
          <textarea
            name="sites"
            rows={2}
            spellCheck={false}
            placeholder="https://www.example.org"
            aria-describedby={hint}
          />
        </label>
        <label>
          Last day{' '}
          <input type="date" name="until" defaultValue={dayIn(USUAL_DAYS)} max={dayIn(MOST_DAYS)} />
        </label>
        <button type="submit" className="care-do" disabled={isBusy}>
          Make the frame
        </button>
        {outcome}
      </form>
      {url && <Markup url={url} title={report.name} />}
    </>
  );
}

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;');

/** The HTML of a frame, which is shown once. */
function Markup({ url, title }: { readonly url: string; readonly title: string }) {
  const [said, setSaid] = useState('');
  const text = `<iframe src="${url}" title="${escaped(title)}" sandbox width="100%" height="600"></iframe>`;
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => setSaid('Copied.'),
      () => setSaid('The browser did not allow it: select the text and copy it.'),
    );
  return (
    <>
      <label>
        HTML for the pages
        <textarea readOnly rows={8} spellCheck={false} value={text} />
      </label>
      <p className="care-hint">
        It is shown this once. Whoever has its address can read the numbers.
      </p>
      <button type="button" className="care-do" onClick={copy}>
        Copy
      </button>
      <p role="status">{said}</p>
    </>
  );
}

interface ListProps {
  readonly embeds: readonly Embed[];
  readonly onRevoked: () => void;
}

function FrameList({ embeds, onRevoked }: ListProps) {
  return (
    <>
      <h3>Frames</h3>
      <ul>
        {embeds.map((embed) => (
          <Frame key={embed.id} embed={embed} onRevoked={onRevoked} />
        ))}
      </ul>
    </>
  );
}

/** Returns whether a frame is shown, and until when. */
function stateOf({
  expiresAt,
  revokedAt,
  makerName,
}: Embed): readonly [text: string, ends: boolean] {
  if (revokedAt) return [`revoked on ${dateText(revokedAt)}: it shows nothing any more`, true];
  if (new Date(expiresAt).getTime() <= Date.now())
    return [`over since ${dateText(expiresAt)}: it shows nothing any more`, true];
  return [`until ${dateText(expiresAt)}, made by ${makerName}`, false];
}

function Frame({
  embed,
  onRevoked,
}: {
  readonly embed: Embed;
  readonly onRevoked: ListProps['onRevoked'];
}) {
  const { attempt, outcome } = useOutcome();
  const [state, isOver] = stateOf(embed);
  const sites = embed.origins.join(', ');
  return (
    <li>
      {sites}{' '}
      <small>
        {state}
        {!isOver && (
          <>
            {' · '}
            <Confirmed
              says={['revoke', 'revoke for good?']}
              label={[`Revoke the frame on ${sites}`, `Revoke the frame on ${sites} for good`]}
              onConfirm={() =>
                attempt(async () => {
                  await revokeEmbed(embed.id);
                  onRevoked();
                  return '';
                })
              }
            />
          </>
        )}
      </small>
      {outcome}
    </li>
  );
}
