import { useGraphiQL } from '@graphiql/react';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { progress, sentOf } from '../answers.js';
import { type Choice, choices, choose, type View } from '../choices.js';
import { useObserved } from '../observed.js';
import { addressProblem, useAddress } from '../saved-reports.js';
import type { Sent } from '../sending.js';
import { Chart } from './chart.js';
import { Downloads } from './downloads.js';
import { KIND_NAMES, KINDS, type Kind, kindOf, objectionTo, rolesOf } from './kind.js';
import { cellText, Rows } from './rows.js';
import { type Column, type Table, tablesOf } from './shape.js';

const NO_TABLES: readonly Table[] = [];

/** The status of an answer, and what it draws: how is chosen from its shape, and can be changed. */
export function Pane() {
  const { id, title, text } = useGraphiQL(({ tabs, activeTabIndex }) => {
    const tab = tabs[activeTabIndex];
    return { id: tab?.id ?? '', title: tab?.title ?? '', text: tab?.response ?? null };
  });
  useAddress();
  const problem = useObserved(addressProblem);
  const choice = useObserved(choices).get(id) ?? {};
  const tables = useMemo(() => tablesIn(text), [text]);
  const table = tables.find(({ name }) => name === choice.table) ?? tables[0];
  const first = useMemo(() => firstView(table, text), [table, text]);
  const view = choice.view ?? first;
  const change = (part: Choice) => choose(id, part);
  useEffect(() => {
    document.body.dataset.view = text ? view : 'json';
  }, [view, text]);
  return (
    <section className="care-pane" aria-label="Answer">
      {problem && <p className="care-objection">{problem}</p>}
      <Status sent={sentOf(text)} />
      {text && <Views table={table} view={view} onChoose={change} />}
      {text && view !== 'json' && (
        <Drawn {...{ tables, table, view, choice, title }} onChoose={change} />
      )}
    </section>
  );
}

function tablesIn(text: string | null): readonly Table[] {
  try {
    return text ? tablesOf(JSON.parse(text).data) : NO_TABLES;
  } catch {
    return NO_TABLES;
  }
}

/** What can be drawn is drawn. What is a mere list, and what failed, is shown as JSON. */
function firstView(table: Table | undefined, text: string | null): View {
  if (!table || !text) return 'json';
  const kind = kindOf(table);
  return kind === 'table' ? 'json' : kind;
}

function Status({ sent }: { readonly sent: Sent | undefined }) {
  const state = useObserved(progress);
  const text = sent && !state ? statusOf(sent) : state;
  return (
    <p className="care-status" role="status">
      {text}
    </p>
  );
}

const sizeOf = (bytes: number) =>
  bytes < 1000
    ? `${bytes} B`
    : bytes < 1e6
      ? `${(bytes / 1e3).toFixed(1)} kB`
      : `${(bytes / 1e6).toFixed(1)} MB`;

function statusOf({ status, bytes, took, answer }: Sent): string {
  const errors = answer.errors?.length ?? 0;
  const failed = errors > 0 ? ` · ${errors} ${errors === 1 ? 'error' : 'errors'}` : '';
  return `Status ${status} · ${sizeOf(bytes)} · ${Math.round(took)} ms${failed}`;
}

interface ViewsProps {
  readonly table: Table | undefined;
  readonly view: View;
  readonly onChoose: (choice: Choice) => void;
}

function Views({ table, view, onChoose }: ViewsProps) {
  return (
    <fieldset className="care-views">
      <legend>Show as</legend>
      {(['json', ...KINDS] as const).map((other) => {
        const objection =
          other === 'json' ? undefined : table ? objectionTo(other, table) : NO_ROWS;
        return (
          <label key={other} title={objection} className={objection ? 'care-unfit' : ''}>
            <input
              type="radio"
              name="care-view"
              checked={view === other}
              onChange={() => onChoose({ view: other })}
            />
            {other === 'json' ? 'JSON' : KIND_NAMES[other]}
          </label>
        );
      })}
    </fieldset>
  );
}

const NO_ROWS = 'The answer has no list of rows and no number.';

interface DrawnProps {
  readonly tables: readonly Table[];
  readonly table: Table | undefined;
  readonly view: Kind;
  readonly choice: Choice;
  readonly title: string;
  readonly onChoose: (choice: Choice) => void;
}

function Drawn({ tables, table, view, choice, title, onChoose }: DrawnProps) {
  const [drawing, setDrawing] = useState<Element>();
  const onDrawn = useCallback((drawn: Element) => setDrawing(drawn), []);
  if (!table) return <p className="care-objection">Nothing to draw: {NO_ROWS}</p>;
  const objection = objectionTo(view, table);
  const { measures } = rolesOf(table);
  const measure = measures.find(({ name }) => name === choice.measure) ?? measures[0];
  const isChart = view !== 'table' && view !== 'number' && !objection;
  return (
    <div className="care-drawn">
      <div className="care-tools">
        <Choose
          label="List"
          names={tables.map(({ name }) => name)}
          chosen={table.name}
          onChoose={(name) => onChoose({ table: name })}
        />
        {isChart && (
          <Choose
            label="Measure"
            names={measures.map(({ name }) => name)}
            chosen={measure?.name}
            onChoose={(name) => onChoose({ measure: name })}
          />
        )}
        <Downloads table={table} drawing={isChart ? drawing : undefined} title={title} />
      </div>
      {objection && <p className="care-objection">It cannot be drawn like this: {objection}</p>}
      {!objection && isChart && measure && (
        <Chart table={table} kind={view} measure={measure} onDrawn={onDrawn} />
      )}
      {!objection && view === 'number' && <Numbers table={table} measures={measures} />}
      {view === 'table' && <Rows table={table} name={table.name || 'The answer'} />}
    </div>
  );
}

interface ChooseProps {
  readonly label: string;
  readonly names: readonly string[];
  readonly chosen: string | undefined;
  readonly onChoose: (name: string) => void;
}

/** A choice among names; nothing when there is none to make. */
function Choose({ label, names, chosen, onChoose }: ChooseProps) {
  if (names.length < 2) return null;
  return (
    <label>
      {label}{' '}
      <select value={chosen} onChange={(event) => onChoose(event.target.value)}>
        {names.map((name) => (
          <option key={name}>{name}</option>
        ))}
      </select>
    </label>
  );
}

function Numbers({
  table,
  measures,
}: {
  readonly table: Table;
  readonly measures: readonly Column[];
}) {
  const [row] = table.rows;
  return (
    <dl className="care-numbers">
      {measures.map(({ name }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{cellText(row?.[name])}</dd>
        </div>
      ))}
    </dl>
  );
}
