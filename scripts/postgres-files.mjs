// Prints the files of tests that PostgreSQL is to prove as well, one a line. The argument is what
// `npm test` has noted of each file on the embedded database, with TEST_COSTS and STATEMENTS.
// That is PostgreSQL too, with one session: a server can differ where sessions meet, and in how its
// driver sends statements and reads rows. So these files run: those whose transactions overlap, those
// with tests that were skipped because they need a server, and the cheapest of the others that call
// every place of the source that sends a statement. Each text that was read is compared with what a
// server returns besides, by test/statements.
import { readFileSync } from 'node:fs';

const files = Object.entries(JSON.parse(readFileSync(process.argv[2], 'utf8'))).map(
  ([name, cost]) => ({ name, ...cost, statements: new Set(cost.statements) }),
);
const chosen = files.filter(({ overlaps, skipped }) => overlaps || skipped > 0);
const left = new Set(files.flatMap(({ statements }) => [...statements]));
for (const file of chosen) remove(file);

while (left.size > 0) {
  const worth = ({ statements, seconds }) =>
    [...statements].filter((one) => left.has(one)).length / (seconds + 0.01);
  const best = files.reduce((a, b) => (worth(b) > worth(a) ? b : a));
  chosen.push(best);
  remove(best);
}
process.stdout.write(
  `${chosen
    .map(({ name }) => name)
    .sort()
    .join('\n')}\n`,
);

function remove({ statements }) {
  for (const statement of statements) left.delete(statement);
}
