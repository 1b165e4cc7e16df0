// npm start: prepares what is missing, then runs the service in this process. The script of
// package.json uses `exec` to replace npm's shell by this process, because npm passes signals only
// to its shell. On systems without `exec`, such as Windows, the shell stays.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { root } from './prepare.mjs';

// Prepares in a child process with its own process group. So this process can handle signals
// meanwhile, also as process 1, and end everything that was started.
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
    // The child process has just ended.
  }
  process.exit(0);
};
process.on('SIGTERM', end).on('SIGINT', end);
const [status] = await once(preparing, 'exit');
if (status !== 0) process.exit(1);
await import('../dist-service/main.js');
process.off('SIGTERM', end).off('SIGINT', end); // main handles them from now on
