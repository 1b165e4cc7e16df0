// Runs a file of tests as the light runner does, and measures it: the processor time of its worker and
// of the processes that ended meanwhile, and for the gate what it asks of the database.
import { readFileSync } from 'node:fs';

const { default: run } = await import(
  new URL('./worker-runner.js', import.meta.resolve('jest-light-runner')).href
);
const { takeNotes } = process.env.STATEMENTS ? await import('./notes.mjs') : {};
/** What the kernel counts processor time in: a hundredth of a second on every Linux. */
const TICKS = 100;

export default async function runMeasured(path) {
  const before = cpuSeconds();
  const result = await run(path);
  const cost = { seconds: cpuSeconds() - before, skipped: result.numPendingTests };
  return { ...result, cost: { ...cost, ...takeNotes?.() } };
}

function cpuSeconds() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6 + childrenSeconds();
}

/** Processor time of children that have ended, which Linux alone tells. */
function childrenSeconds() {
  if (process.platform !== 'linux') return 0;
  // The name of the program, in parentheses, may hold blanks. The state is the first field behind it.
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ').at(-1).split(' ');
  return (Number(fields[13]) + Number(fields[14])) / TICKS;
}
