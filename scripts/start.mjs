// npm start: prepares what is missing, then runs the service in this process. The script of
// package.json replaces npm's shell by this process, because npm passes signals to its shell alone;
// where there is no `exec`, as on Windows, it runs beside.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { root } from './prepare.mjs';

// In a process of its own, with a group of its own: this one hears signals meanwhile, also as
// process 1, and ends all that was begun.
const preparing = spawn(
  process.execPath,
  ['--input-type=module', '--eval', "import { prepare } from './scripts/prepare.mjs'; prepare();"],
  { cwd: root, stdio: 'inherit', detached: process.platform !== 'win32' },
);
const end = () => {
  try {
    if (preparing.exitCode === null)
      process.kill(process.platform === 'win32' ? preparing.pid : -preparing.pid, 'SIGTERM');
  } catch {
    // It has just ended.
  }
  process.exit(0);
};
process.on('SIGTERM', end).on('SIGINT', end);
const [status] = await once(preparing, 'exit');
if (status !== 0) process.exit(1);
await import('../dist/main.js');
process.off('SIGTERM', end).off('SIGINT', end); // main hears them from now on
