import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseFrequency } from '../../../../../src/domains/reminders/schedule/frequency.js';
import { doubtAbout } from '../../../../../src/domains/reminders/schedule/words/doubt.js';
import { meaningsOf } from '../../../../../src/domains/reminders/schedule/words/read.js';
import { shown } from './shown.js';

const FOLDER = 'test/domains/reminders/schedule/words';

/** The lines of a corpus: each phrase with the meanings that stand above it, in order. */
function corpus(name: string): { phrase: string; meanings: string[] }[] {
  const text = readFileSync(join(process.cwd(), FOLDER, `${name}.corpus.txt`), 'utf8');
  let meanings: string[] = [];
  const rows: { phrase: string; meanings: string[] }[] = [];
  for (const line of text.split('\n')) {
    if (line.startsWith('  ')) rows.push({ phrase: line.slice(2), meanings });
    else if (line && !line.startsWith('#'))
      meanings = line === 'nothing' ? [] : line.split(' || ').sort();
  }
  return rows;
}

const ALL = [
  'english',
  'other',
  'prescriptions',
  'phases',
  'portions',
  'around',
  'collected',
  'pharmacy',
  'dispensed',
  'families',
  'never',
].flatMap(corpus);
const meant = (phrase: string) => meaningsOf(phrase).map(shown).sort();

describe('The corpus of phrases', () => {
  it('is as large as it has to be, and says each phrase once', () => {
    expect(ALL.length).toBeGreaterThanOrEqual(500);
    expect(ALL.filter(({ meanings }) => meanings.length !== 1).length).toBeGreaterThanOrEqual(120);
    const known = new Set<string>();
    for (const { phrase } of ALL) {
      expect(known.has(phrase), phrase).toBe(false);
      known.add(phrase);
    }
  });

  it('is understood as it is meant', () => {
    const wrong = ALL.flatMap(({ phrase, meanings }) => {
      const found = meant(phrase);
      return found.join(' || ') === meanings.join(' || ')
        ? []
        : [`${phrase}: ${found.join(' || ') || 'nothing'}, not ${meanings.join(' || ')}`];
    });
    expect(wrong).toStrictEqual([]);
  });

  it('is never guessed: what has no meaning or several has no schedule', () => {
    for (const { phrase, meanings } of ALL) {
      const { kind } = parseFrequency(phrase);
      if (meanings.length === 1) continue;
      expect(kind, phrase).toBe('unrecognized');
      expect(doubtAbout(phrase), phrase).toBe(meanings.length === 0 ? 'unknown' : 'ambiguous');
    }
  });
});
