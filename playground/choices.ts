import { KINDS, type Kind } from '../src/platform/pictures/kind.js';
import { Observed } from './observed.js';

/** How an answer is shown: as it came, or drawn. */
export type View = 'json' | Kind;

/** What somebody chose to see in a tab of GraphiQL. */
export interface Choice {
  readonly view?: View;
  /** Name of the measure that is drawn. */
  readonly measure?: string;
  /** Name of the table that is shown. */
  readonly table?: string;
  /** Id of the own saved report that the tab has. */
  readonly report?: string;
}

/** The choices by the id of the tab. */
export const choices = new Observed<ReadonlyMap<string, Choice>>(new Map());

/** Changes what is chosen in a tab. */
export function choose(tab: string, choice: Choice): void {
  choices.set(new Map(choices.value).set(tab, { ...choices.value.get(tab), ...choice }));
}

/** Returns the view of a name, as a saved report keeps it. */
export const viewNamed = (name: string | null | undefined): View | undefined =>
  (['json', ...KINDS] as const).find((view) => view.toUpperCase() === name);
