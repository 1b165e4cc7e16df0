import type { Choice } from './choices.js';
import { Observed } from './observed.js';
import { go } from './place.js';

/** A document to open in a tab of the editor. */
export interface Opened {
  readonly query: string;
  readonly variables?: string;
  readonly choice?: Choice;
}

/** The document that the editor opens next. */
export const opened = new Observed<Opened | undefined>(undefined);

/** Goes to the editor, and opens a document there. It runs nothing. */
export function openInEditor(document: Opened): void {
  opened.set(document);
  go({ view: 'code' });
}
