import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { projectRoot } from '../../src/platform/root.js';

/** Names that say nothing of the type: `PollRow`, `DeliveryBatch`, `CacheSlot` do. */
const EMPTY = [
  ...[
    'Answer',
    'Asked',
    'Batch',
    'Data',
    'Given',
    'Info',
    'Kept',
    'Look',
    'Misfit',
    'Place',
    'Row',
  ],
  ...['Said', 'Stuff', 'Thing', 'Told'],
];
const EMPTY_TYPE = new RegExp(
  String.raw`\b(?:class|enum|interface|type) (${EMPTY.join('|')})\b[^'\n]*`,
);

/** Words that the glossary of `ARCHITECTURE.md` has another one for, with that one. */
const REPLACED: readonly (readonly [word: RegExp, by: string])[] = [
  [/\bmisfits?\b/i, 'validation error'],
  [/\bkept[ -]?answers?\b/i, 'response cache, cached response'],
  [/\bwhat came of\b/i, 'outcome'],
  [/\bwho is told\b/i, 'recipients'],
  [/\b(?:in|into|from|of) the bin\b/i, 'trash'],
  [/\b(?:members?|carers?|administrators?|clinicians?) (?:is|are|was|were) told\b/i, 'notified'],
];

const sources = readdirSync(join(projectRoot, 'src'), { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
  .map((entry) => join(entry.parentPath, entry.name))
  .filter((file) => !file.includes('/src/generated/') && !file.includes('/app/seed/'))
  .map((file) => ({ file: relative(projectRoot, file), text: readFileSync(file, 'utf8') }));

/** Returns where an expression matches: `file: what it matches`. */
const found = (expression: RegExp): string[] =>
  sources.flatMap(({ file, text }) => {
    const match = expression.exec(text.replaceAll(/\s*\n\s*\*\s*/g, ' '));
    return match ? [`${file}: ${match[0]}`] : [];
  });

describe('Words of the source', () => {
  it('name each type by its noun', () => {
    expect(found(EMPTY_TYPE)).toStrictEqual([]);
  });

  it('leave the word answer to doses and polls: others have a response or a result', () => {
    const others = sources.filter(({ file }) => !/domains\/(?:polls|reminders)\//.test(file));
    const named = others.flatMap(({ file, text }) =>
      [...text.matchAll(/\b(?:const|let) (?:answer|answers|answered)\b/g)].map(() => file),
    );
    expect(named).toStrictEqual([]);
  });

  it.each(REPLACED)('have one word for one thing: %s is %s', (word) => {
    expect(found(word)).toStrictEqual([]);
  });
});
