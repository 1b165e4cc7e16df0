// Lets processes that prepare one folder do so one after the other. The lock is a folder with the
// number of its process, where that counts, and a name of its own; who holds it touches it every two
// seconds.
import { randomUUID } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** What is said when there is no space left. */
export const FULL = 'The disk is full: free some space, and start again. Nothing else is needed.';

const TOUCHED_EVERY = 2_000;
const POLLED_EVERY = 200;
/** How often a lock is looked at that nobody touches, before it counts as left behind. */
const POLLS = 150;

/** Whose numbers of processes are those of here: of containers with one name each has its own. */
const SPACE = `${hostname()}/${namespace()}`;

/**
 * Runs work alone among the processes that use the same lock, those of other machines and containers
 * too. A lock whose process on this machine has ended, or that was not touched for 30 s, is taken
 * over. `waits` is told a line when another process has it; `fail` one
 * when the folder cannot be written to.
 */
export async function withLock(lock, { waits, fail }, work) {
  await take(lock, waits, fail);
  const touching = setInterval(() => touch(lock), TOUCHED_EVERY);
  const release = () => rmSync(lock, { recursive: true, force: true });
  process.once('exit', release);
  try {
    await work();
  } finally {
    clearInterval(touching);
    process.off('exit', release);
    release();
  }
}

async function take(lock, waits, fail) {
  const name = randomUUID();
  const own = `${lock}.${name}`;
  try {
    mkdirSync(own, { recursive: true });
    writeFileSync(join(own, 'pid'), `${process.pid} ${SPACE} ${name}`);
    let seen;
    for (let polls = 0; !moved(own, lock); polls++) {
      const state = stateOf(lock);
      if (state.touched !== seen?.touched) polls = 0;
      if (!seen && state.isAlive)
        waits(`Waiting for process ${state.pid}, which prepares this folder …`);
      seen = state;
      if (!state.isAlive || polls > POLLS) removeLeft(lock, state.holder, `${lock}.left.${name}`);
      else await sleep(POLLED_EVERY);
    }
  } catch (error) {
    fail(error.code === 'ENOSPC' ? FULL : `This folder cannot be written to: ${error.message}.`);
  } finally {
    rmSync(own, { recursive: true, force: true });
  }
}

/** Whether a folder took the place of the lock. It cannot while there is one with something in it. */
function moved(own, lock) {
  try {
    renameSync(own, lock);
    return true;
  } catch (error) {
    if (['ENOTEMPTY', 'EEXIST', 'EPERM'].includes(error.code) && existsSync(lock)) return false;
    throw error;
  }
}

function stateOf(lock) {
  try {
    const holder = readFileSync(join(lock, 'pid'), 'utf8');
    const [number, space] = holder.split(' ');
    const pid = Number(number);
    // Only this machine, or container, knows whether its processes live; others touch their lock.
    const isLeft = space === SPACE && !isAlive(pid);
    return { holder, pid, touched: statSync(lock).mtimeMs, isAlive: !isLeft };
  } catch {
    return { isAlive: false };
  }
}

/** Removes a lock that was left behind, unless another process has just taken its place. */
function removeLeft(lock, holder, left) {
  try {
    renameSync(lock, left);
  } catch {
    return; // another process has removed it
  }
  if (stateOf(left).holder === holder) rmSync(left, { recursive: true, force: true });
  else renameSync(left, lock);
}

function namespace() {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return ''; // not of Linux
  }
}

function isAlive(pid) {
  if (!pid || pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

function touch(lock) {
  try {
    const now = new Date();
    utimesSync(lock, now, now);
  } catch {
    // It was taken away: there is nothing to hold.
  }
}
