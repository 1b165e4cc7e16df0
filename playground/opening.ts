import { useGraphiQL, useGraphiQLActions } from '@graphiql/react';
import { type Choice, choose } from './choices.js';

/** A document to open in a tab. */
export interface Opened {
  readonly query: string;
  readonly variables?: string;
  readonly choice?: Choice;
}

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
