import { lazy, useCallback, useState } from 'react';
import {
  KIND_NAMES,
  KINDS,
  type Kind,
  objectionTo,
  rolesOf,
} from '../../src/platform/pictures/kind.js';
import { beside } from '../../src/platform/pictures/points.js';
import { measureOf } from '../../src/platform/pictures/series.js';
import type { Cell, Column, Table } from '../../src/platform/pictures/table.js';
import { progress } from '../answers.js';
import type { Choice, View } from '../choices.js';
import { Loading } from '../loading.js';
import type { Sent } from '../sending.js';
import { useObserved } from '../use-observed.js';
import { Downloads } from './downloads.js';
import { notesOf, reasonText } from './notes.js';
import { cellText, Rows } from './rows.js';

/** What draws is loaded with the first drawing. */
const Chart = lazy(() => import('./chart.js'));

/** What the status line says of an answer, or of one that is coming. */
export function Status({ sent }: { readonly sent: Sent | undefined }) {
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
  /** Whether the answer can be seen as it came. */
  readonly hasJson?: boolean;
  readonly onChoose: (choice: Choice) => void;
}

/** The choice of how a table is shown. */
export function Views({ table, view, hasJson = false, onChoose }: ViewsProps) {
  return (
    <fieldset className="care-views">
      <legend>Show as</legend>
      {(hasJson ? (['json', ...KINDS] as const) : KINDS).map((other) => {
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

/** What is drawn, and how it may be changed. */
export interface DrawnProps {
  readonly tables: readonly Table[];
  readonly table: Table | undefined;
  readonly view: Kind;
  readonly choice: Choice;
  readonly title: string;
  /** Cells that the report does not show. */
  readonly suppressed?: number | undefined;
  /** Left out where nothing can be changed. */
  readonly onChoose?: ((choice: Choice) => void) | undefined;
}

/** A table as it is shown: drawn, as rows or as numbers, with what must be known to read it. */
export function Drawn(props: DrawnProps) {
  const { tables, table, view, choice, title, suppressed, onChoose } = props;
  const [drawing, setDrawing] = useState<Element>();
  const onDrawn = useCallback((drawn: Element) => setDrawing(drawn), []);
  if (!table) return <p className="care-objection">Nothing to draw: {NO_ROWS}</p>;
  const objection = objectionTo(view, table);
  const all = rolesOf(table).measures;
  const measures = view === 'stack' ? all.filter(({ addsUp }) => addsUp) : all;
  const chosen = measures.find(({ name }) => name === choice.measure);
  const measure = chosen ?? measureOf(measures, title);
  const isChart = view !== 'table' && view !== 'number' && !objection;
  return (
    <div className="care-drawn">
      {onChoose && (
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
      )}
      {objection && <p className="care-objection">It cannot be drawn like this: {objection}</p>}
      <Notes notes={notesOf(table, view, measure, suppressed)} />
      {!objection && isChart && measure && (
        <Loading waiting="The drawing is loading." failed={NO_DRAWING}>
          <Chart table={table} kind={view} measure={measure} onDrawn={onDrawn} />
        </Loading>
      )}
      {!objection && view === 'number' && <Numbers table={table} measures={measures} />}
      {view === 'table' && <Rows table={table} name={table.name || 'The answer'} />}
    </div>
  );
}

const NO_DRAWING =
  'What draws could not be loaded. Check the connection; the table shows the values meanwhile.';

/** Sentences that must be known to read what is shown. */
function Notes({ notes }: { readonly notes: readonly string[] }) {
  if (notes.length === 0) return null;
  return (
    <ul className="care-notes">
      {notes.map((note) => (
        <li key={note}>{note}</li>
      ))}
    </ul>
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

/** Says why there is no number, where that is known. */
const reasonOf = (reason: Cell | undefined) =>
  typeof reason === 'string' && <small>{reasonText(reason)}</small>;

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
          <dd>
            {row?.[name] == null ? reasonOf(row?.[beside(name, 'withheld')]) : cellText(row[name])}
          </dd>
        </div>
      ))}
    </dl>
  );
}
