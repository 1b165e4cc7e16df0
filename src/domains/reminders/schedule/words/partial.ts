import { Recent } from '../../../../platform/lru.js';
import { clausesAt } from './clause.rules.js';
import { distinct, knownIn, type Lattice } from './lattice.js';
import { plain } from './plain.js';
import { withEyes } from './read.js';
import { VOCABULARIES } from './table/tables.js';

/** What of a phrase has a place in a direction, and what has none, in its order. */
export interface Partial {
  readonly read: readonly string[];
  readonly unread: readonly string[];
}

/** Most characters of a phrase that is shown as unread. */
const LONGEST = 200;

/**
 * Returns which parts of a phrase were read although the whole has no meaning, in the language in
 * which the fewest words are left. Nothing unread: all words were read, and contradict each other.
 */
export function partsRead(text: string): Partial {
  const phrase = plain(text);
  const best = phrase && (known.get(phrase) ?? bestOf(phrase));
  if (!phrase || !best)
    return { read: [], unread: [text.trim().slice(0, LONGEST)].filter(Boolean) };
  known.set(phrase, best);
  return best;
}
/** Returns whether `partsRead` has found the parts of a phrase lately, so that it costs nothing. */
export function isRemembered(text: string): boolean {
  const phrase = plain(text);
  return phrase === undefined || known.get(phrase) !== undefined;
}

/** The phrases that were read last: one in many words takes tens of milliseconds. */
const known = new Recent<string, Partial>(1_000);

/** Returns the parts in the language in which the fewest words are left; undefined in no language. */
function bestOf(phrase: string): Partial | undefined {
  const lattices = VOCABULARIES.flatMap((one) => knownIn(phrase, one) ?? []);
  const all = distinct(lattices).map((lattice) => leftIn(withEyes(lattice)));
  return all.sort((one, other) => one.cost - other.cost)[0]?.parts;
}

/** The best way to read a phrase up to a place. */
interface Way {
  readonly cost: number;
  readonly from: number;
  readonly isRead: boolean;
}

const SIGN = /^[^\p{L}\p{N}]+$/u;

/** A word that is left costs more than all clauses, and many clauses more than few. */
const WORD_LEFT = 100;
/** An amount with its period is shown as two parts, where each can be read alone. */
const JOINT_CLAUSE = 3;

function leftIn(lattice: Lattice): { readonly parts: Partial; readonly cost: number } {
  const { parts } = lattice;
  const ways: (Way | undefined)[] = [{ cost: 0, from: 0, isRead: true }];
  const reach = (end: number, way: Way) => {
    if (way.cost < (ways[end]?.cost ?? Number.POSITIVE_INFINITY)) ways[end] = way;
  };
  parts.forEach((part, at) => {
    const { cost } = ways[at] as Way;
    for (const { value, end } of clausesAt(lattice, at)) {
      const own = value.said.amountPer ? JOINT_CLAUSE : 1;
      reach(end, { cost: cost + own, from: at, isRead: true });
    }
    const isRead = SIGN.test(part);
    reach(at + 1, { cost: cost + (isRead ? 0 : WORD_LEFT), from: at, isRead });
  });
  const { cost } = ways[parts.length] as Way;
  return { parts: piecesOf(parts, ways as Way[]), cost };
}

/** Returns the pieces of the best way; words that follow each other and are unread are one. */
function piecesOf(parts: readonly string[], ways: readonly Way[]): Partial {
  const read: string[] = [];
  const unread: string[] = [];
  for (let end = parts.length, open = 0; end > 0; ) {
    const { from, isRead } = ways[end] as Way;
    const text = parts.slice(from, end).join(' ');
    if (isRead && !SIGN.test(text)) read.unshift(text);
    if (!isRead && open === end) unread[0] = `${text} ${unread[0]}`;
    else if (!isRead) unread.unshift(text);
    open = isRead ? 0 : from;
    end = from;
  }
  return { read, unread };
}
