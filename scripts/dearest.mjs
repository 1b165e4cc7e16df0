// Prints which files of tests took most of the processor's time, the dearest first, from files that
// TEST_COSTS has made. The processor's time of a database server is not among it.
import { readFileSync } from 'node:fs';

const SHOWN = 20;

for (const file of process.argv.slice(2)) {
  const costs = Object.entries(JSON.parse(readFileSync(file, 'utf8')));
  const all = costs.reduce((sum, [, { seconds }]) => sum + seconds, 0);
  const dearest = costs.sort(([, a], [, b]) => b.seconds - a.seconds).slice(0, SHOWN);
  const lines = dearest.map(([name, { seconds }]) => `${seconds.toFixed(1).padStart(7)} s ${name}`);
  process.stdout.write(
    `\n${all.toFixed(0)} s of processor in ${costs.length} files\n${lines.join('\n')}\n`,
  );
}
