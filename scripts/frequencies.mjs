// Writes the table of directions in docs/frequencies.md: what the grammar understands of the phrases
// of the corpus in each language, and what it never does. With --check, exits with code 1 when it is
// out of date.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { prepare, root } from './prepare.mjs';
import { tableOf, writeSection } from './section.mjs';

await prepare();
const words = '../dist/domains/reminders/schedule/words';
const { meaningsOf, readIn } = await import(`${words}/read.js`);
const { plain } = await import(`${words}/plain.js`);
const { say } = await import(`${words}/say.js`);
const { VOCABULARIES } = await import(`${words}/table/tables.js`);

const FOLDER = join(root, 'test/domains/reminders/schedule/words');
/** The columns. What is read in every language is Latin, or made of digits and signs. */
const COLUMNS = {
  all: 'Latin and signs',
  en: 'English',
  es: 'Spanish',
  fr: 'French',
  de: 'German',
  pt: 'Portuguese',
  ar: 'Arabic',
};
/** How many phrases a cell shows, and in how many languages at least a row has some. */
const SHOWN = 3;
const LEAST = 3;

const phrases = readdirSync(FOLDER)
  .filter((name) => name.endsWith('.corpus.txt'))
  .sort()
  .flatMap((name) => readFileSync(join(FOLDER, name), 'utf8').split('\n'))
  .filter((line) => line.startsWith('  '))
  .map((line) => line.slice(2));

/** By what is understood, and then by language, the phrases that mean it. */
const understood = new Map();
const never = [];
for (const phrase of phrases) {
  const [meaning, ...others] = meaningsOf(phrase);
  if (!meaning) never.push(phrase);
  if (!meaning || others.length > 0 || meaning.amount) continue;
  const languages = VOCABULARIES.filter(
    (vocabulary) => readIn(plain(phrase), vocabulary).readings.length > 0,
  ).map(({ language }) => language);
  const said = say(meaning);
  const row = understood.get(said) ?? {};
  for (const column of languages.length === VOCABULARIES.length ? ['all'] : languages)
    row[column] = [...(row[column] ?? []), { phrase, languages: languages.length }];
  understood.set(said, row);
}

/**
 * The shortest phrases, those of one language first: 3 vezes/dia is a slip in Spanish, and the word in
 * Portuguese.
 */
const cell = (some = []) =>
  [...some]
    .sort((one, other) => one.languages - other.languages || lengthOf(one) - lengthOf(other))
    .slice(0, SHOWN)
    .map(({ phrase }) => `\`${phrase}\``)
    .join(', ');
const lengthOf = ({ phrase }) => phrase.length;
const rows = [...understood]
  .filter(([, row]) => Object.keys(row).length >= LEAST)
  .sort(([one], [other]) => (one < other ? -1 : 1))
  .map(([said, row]) => [said, ...Object.keys(COLUMNS).map((column) => cell(row[column]))]);
const table = tableOf(['understood as', ...Object.values(COLUMNS)], rows);
const list = never.map((one) => `\`${one.trim()}\``).join(', ');
writeSection('docs/frequencies.md', 'frequencies', `${table}\n\nNever understood: ${list}.`);
