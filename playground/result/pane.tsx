import { useGraphiQL, useGraphiQLActions } from '@graphiql/react';
import { useEffect, useMemo } from 'react';
import { kindOf } from '../../src/platform/pictures/kind.js';
import { type Known, type Table, tablesOf } from '../../src/platform/pictures/table.js';
import { sentOf } from '../answers.js';
import { addingUp } from '../builder/adding-up.js';
import { useCatalogue } from '../builder/catalogue-reading.js';
import { type Choice, choices, choose, type View } from '../choices.js';
import { kept } from '../kept.js';
import { useOpened } from '../opening.js';
import { maySeeSchema } from '../schema.js';
import { account, ended } from '../session.js';
import { useObserved } from '../use-observed.js';
import { Drawn, Status, Views } from './drawn.js';

const NO_TABLES: readonly Table[] = [];

/** The status of an answer, and what it draws: how is chosen from its shape, and can be changed. */
export function Pane() {
  const { id, title, text, query } = useGraphiQL(({ tabs, activeTabIndex }) => {
    const { id = '', title = '', response: text = null, query } = tabs[activeTabIndex] ?? {};
    return { id, title, text, query: query ?? '' };
  });
  useOpened();
  useKeptAnswer(id, text);
  const choice = useObserved(choices).get(id) ?? {};
  const { subjects } = useCatalogue(maySeeSchema(useObserved(account)));
  const sent = sentOf(text);
  // What was asked may have changed since. After a reload it is what stands there.
  const asked = sent?.query ?? query;
  const tables = useMemo(
    () => tablesIn(text, { addsUp: addingUp(subjects ?? [], asked) }),
    [text, asked, subjects],
  );
  const table = tables.find(({ name }) => name === choice.table) ?? tables[0];
  const first = useMemo(() => firstView(table, text), [table, text]);
  const view = choice.view ?? first;
  const change = (part: Choice) => choose(id, part);
  useEffect(() => {
    document.body.dataset.view = text ? view : 'json';
  }, [view, text]);
  return (
    <section className="care-pane" aria-label="Answer">
      <Status sent={sent} />
      {text && <Views table={table} view={view} hasJson onChoose={change} />}
      {text && view !== 'json' && (
        <Drawn {...{ tables, table, view, choice, title }} onChoose={change} />
      )}
    </section>
  );
}

/** The answers of the tabs of GraphiQL by the ids of these, as they are shown. */
const answers = kept<Readonly<Record<string, string>>>('care:answers', {});
ended.watch(() => answers.set({}));

/** Shows the answer of a tab again after a reload: GraphiQL keeps what was written alone. */
function useKeptAnswer(id: string, text: string | null): void {
  const { updateActiveTabValues } = useGraphiQLActions();
  const editor = useGraphiQL((state) => state.responseEditor);
  useEffect(() => {
    if (!id || !editor) return;
    const before = answers.value[id];
    if (text) {
      if (text !== before) answers.set({ ...answers.value, [id]: text });
    } else if (before) {
      editor.setValue(before);
      updateActiveTabValues({ response: before });
    }
  }, [id, text, editor, updateActiveTabValues]);
}

function tablesIn(text: string | null, known: Known): readonly Table[] {
  try {
    return text ? tablesOf(JSON.parse(text).data, known) : NO_TABLES;
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
