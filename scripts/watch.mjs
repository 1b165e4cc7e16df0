// npm run test:watch: compiles what changes, and runs the tests again.
// `npm run test:watch -- rest/posts` runs those alone.
import { spawn } from 'node:child_process';
import { prepare, root } from './prepare.mjs';

const TSC = [
  'node_modules/typescript/bin/tsc',
  '-p',
  'tsconfig.test.json',
  '--watch',
  '--preserveWatchOutput',
];
const JEST = ['node_modules/jest/bin/jest.js', '--watchAll', ...process.argv.slice(2)];

await prepare('test');
// Detached, it leads a group of processes: the compiler itself is a child of its own.
const compiler = spawn(process.execPath, TSC, {
  cwd: root,
  stdio: ['ignore', 'pipe', 'inherit'],
  detached: true,
});
process.on('exit', () => compiler.exitCode === null && process.kill(-compiler.pid));
compiler.once('exit', (code) => process.exit(code ?? 1));
compiler.stdout.pipe(process.stdout);
// The compiler writes everything once before it watches. No test may run meanwhile.
await new Promise((resolve) => {
  compiler.stdout.on('data', (text) => /Watching for file changes/.test(text) && resolve());
});
const jest = spawn(process.execPath, JEST, { cwd: root, stdio: 'inherit' });
process.on('SIGINT', () => {}); // Jest gets it too, and ends
jest.once('exit', (code) => process.exit(code ?? 1));
