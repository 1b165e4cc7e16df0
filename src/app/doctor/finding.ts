/**
 * What an examination found: `ok`; `note`, which works but deserves a look; `wrong`, with which the
 * service does not start or does not do what it should; `unused`, which is not configured.
 */
export type State = 'ok' | 'note' | 'wrong' | 'unused';

/** One line of `npm run doctor`. */
export interface Finding {
  readonly what: string;
  readonly state: State;
  /** One sentence, without secrets. */
  readonly sentence: string;
}

export const ok = (what: string, sentence: string): Finding => ({ what, state: 'ok', sentence });
export const note = (what: string, sentence: string): Finding => ({
  what,
  state: 'note',
  sentence,
});
export const wrong = (what: string, sentence: string): Finding => ({
  what,
  state: 'wrong',
  sentence,
});
export const unused = (what: string, sentence: string): Finding => ({
  what,
  state: 'unused',
  sentence,
});
