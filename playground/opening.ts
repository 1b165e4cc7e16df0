import { useGraphiQL, useGraphiQLActions } from '@graphiql/react';
import { useEffect } from 'react';
import { choose } from './choices.js';
import { type Opened, opened } from './opened.js';
import { useObserved } from './use-observed.js';

interface Tabs {
  readonly tabs: readonly { readonly id: string }[];
  readonly activeTabIndex: number;
}

/** Id of the tab that is shown. */
let shown = '';

/** Takes note of the tab that is shown. */
export function noteTab({ tabs, activeTabIndex }: Tabs): void {
  shown = tabs[activeTabIndex]?.id ?? '';
}

/** Returns a function that opens a document in a tab of its own. It runs nothing. */
export function useOpening(): (document: Opened) => void {
  const { addTab, updateActiveTabValues } = useGraphiQLActions();
  const { queryEditor, variableEditor } = useGraphiQL((state) => ({
    queryEditor: state.queryEditor,
    variableEditor: state.variableEditor,
  }));
  return ({ query, variables = '', choice }) => {
    addTab();
    queryEditor?.setValue(query);
    variableEditor?.setValue(variables);
    updateActiveTabValues({ query, variables });
    if (choice) choose(shown, choice);
  };
}

/** Opens the document that another part of the page wants opened, once the editors are there. */
export function useOpened(): void {
  const open = useOpening();
  const wanted = useObserved(opened);
  const isReady = useGraphiQL(({ queryEditor, variableEditor }) =>
    Boolean(queryEditor && variableEditor),
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is opened once, as soon as it may be
  useEffect(() => {
    if (!wanted || !isReady) return;
    opened.set(undefined);
    open(wanted);
  }, [wanted, isReady]);
}
