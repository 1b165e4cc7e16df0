// The processes of a run, and what they cost.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';

const children = new Set();

/** What `npm start` gives to Node. */
const FLAG = '--max-semi-space-size=8';

/** The program of a build of the service; of one from before it was bundled, its compiled module. */
export function mainOf(folder) {
  const bundled = join(folder, 'dist-service/main.js');
  return existsSync(bundled) ? bundled : join(folder, 'dist/main.js');
}

/**
 * Starts a Node program and waits until its first message says that it is ready; without `ready` it
 * is not waited for.
 */
export async function start(
  script,
  { env = {}, cwd, log = 'ignore', ready = true, seconds = 60, flag = FLAG } = {},
) {
  const child = fork(script, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', log, 'inherit', 'ipc'],
    execArgv: script.endsWith('/main.js') ? [flag] : [],
  });
  children.add(child);
  child.once('exit', () => children.delete(child));
  if (ready) await within(seconds, messageOf(child), `${script} was not ready`);
  return child;
}

/** The next message of a child; rejects when it ends instead. */
export async function messageOf(child) {
  const ended = new AbortController();
  try {
    return await Promise.race([
      once(child, 'message', { signal: ended.signal }).then(([message]) => message),
      once(child, 'exit', { signal: ended.signal }).then(([code, signal]) =>
        Promise.reject(new Error(`A child ended: ${code ?? signal}.`)),
      ),
    ]);
  } finally {
    ended.abort();
  }
}

export async function within(seconds, answer, otherwise) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(
      () => reject(new Error(`${otherwise} within ${seconds} seconds.`)),
      seconds * 1000,
    );
  });
  return Promise.race([answer, late]).finally(() => clearTimeout(timer));
}

/** Ends one child; a deaf one is killed. */
export async function stop(child) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGTERM');
  await within(5, gone, 'not ended').catch(() => child.kill('SIGKILL'));
}

/** Ends whatever is still running, at once: for the way out of a failure. */
export function killAll() {
  for (const child of children) child.kill('SIGKILL');
}

/** A port that nobody listens on. */
export async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}

/**
 * Whether a process of this machine runs this program: the pids that a database tells may be
 * another machine's.
 */
export function isNamed(pid, program) {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8').trim() === program;
  } catch {
    return false;
  }
}

/**
 * Microseconds of CPU, user and system together, that a process has used so far in all its threads.
 * Linux only.
 */
export function cpuOf(pid) {
  try {
    const threads = readdirSync(`/proc/${pid}/task`);
    return threads.reduce(
      (sum, thread) => sum + Number(firstWord(`/proc/${pid}/task/${thread}/schedstat`)) / 1000,
      0,
    );
  } catch {
    return ticksOf(pid);
  }
}

/** Resident memory of a process in megabytes: now, and the most it ever had. */
export function memoryOf(pid) {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const of = (name) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)[1]) / 1024;
  return { now: of('VmRSS'), most: of('VmHWM') };
}

const firstWord = (file) => readFileSync(file, 'utf8').split(' ')[0];

/** The same from /proc/<pid>/stat, in steps of 10 ms: for kernels that keep no schedstat. */
function ticksOf(pid) {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    return (Number(fields[11]) + Number(fields[12])) * 10_000;
  } catch {
    return undefined;
  }
}
