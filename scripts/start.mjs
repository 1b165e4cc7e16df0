// npm start: prepares what is missing, then runs the service in this process. The script of
// package.json uses `exec` to replace npm's shell by this process, because npm passes signals only
// to its shell. On systems without `exec`, such as Windows, the shell stays.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants, setPriority } from 'node:os';
import { isPrepared, root } from './prepare.mjs';

/**
 * Milliseconds for which the service answers before the playground is made: who waits for the first
 * page need not share the machine.
 */
const FIRST_ANSWERS = 5_000;
/** The first of the versions of Node that are mended for years to come. */
const MENDED = 22;

if (Number.parseInt(process.versions.node, 10) < MENDED)
  process.stderr.write(
    `Node ${process.versions.node} gets no more mends: it works, but 22 or 24 is better.\n`,
  );

let preparing;
const end = () => {
  if (preparing) stop(preparing);
  process.exit(0);
};
process.on('SIGTERM', end).on('SIGINT', end);
if (!isPrepared('start')) {
  preparing = prepareInGroup('start');
  const [status, signal] = await once(preparing, 'exit');
  if (signal)
    process.stderr.write(`What is needed was not made: ${signal} ended it. Start again.\n`);
  if (status !== 0) process.exit(1);
}
const { started } = await import('../dist-service/main.js');
process.off('SIGTERM', end).off('SIGINT', end); // main handles them from now on
await started;
setTimeout(() => isPrepared('playground') || makePlayground(), FIRST_ANSWERS).unref();

/** Makes the playground while the service answers, after everything else on the machine. */
function makePlayground() {
  process.stderr.write('The playground is made now, which takes a minute. The service answers.\n');
  const making = prepareInGroup('playground');
  process.on('exit', () => stop(making));
  making.once('exit', (status) =>
    process.stderr.write(
      status === 0
        ? 'The playground is ready.\n'
        : 'The playground could not be made. The service runs without it; the next npm start tries again.\n',
    ),
  );
  try {
    setPriority(making.pid, constants.priority.PRIORITY_LOW);
  } catch {
    // It has ended, or the system does not let it be nice.
  }
}

/** Starts to prepare in a child process that leads a group, so that all of it can be ended. */
function prepareInGroup(purpose) {
  const script = `import { prepare } from './scripts/prepare.mjs'; await prepare('${purpose}');`;
  const args = ['--input-type=module', '--eval', script];
  const detached = process.platform !== 'win32';
  return spawn(process.execPath, args, {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    detached,
  });
}

function stop(child) {
  try {
    if (child.exitCode === null && child.signalCode === null)
      process.kill(process.platform === 'win32' ? child.pid : -child.pid, 'SIGTERM');
  } catch {
    // The child process has just ended.
  }
}
