import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { StartError } from './database-errors.js';

/** A folder that only this process may use, until it releases the lock or ends for any reason. */
export interface Lock {
  release(): Promise<void>;
}

/**
 * The system cuts socket addresses at about 107 bytes without an error. The lock of a longer path
 * is under /tmp, named by a hash of the path.
 */
const LONGEST_PATH = 90;

/** Codes of file systems that cannot hold sockets, such as some container mounts. */
const NO_SOCKETS = new Set(['ENOTSUP', 'EOPNOTSUPP', 'EPERM', 'EINVAL']);

/** Codes of a connection to a socket whose process has ended. */
const NO_LISTENER = new Set(['ECONNREFUSED', 'ENOENT']);

/**
 * How often a holder that does not answer is looked for, and how long each time in milliseconds.
 */
const TRIES = 20;
const LOOK = 250;

/** What a refusal says of this process when it is the holder. */
const description = ` (process ${process.pid})`;

/** The file beside a socket with the number of the process that listens there. */
const noteOf = (path: string) => `${path}.process`;

/**
 * Takes the exclusive lock on a folder, without native code. The holder listens on a socket, which
 * the system closes when the process ends. Throws StartError when another process holds the lock.
 */
export async function lockFolder(folder: string): Promise<Lock> {
  const real = realpathSync(folder);
  for (;;) {
    const result = await attempt(real).catch((cause: Error) => {
      throw new StartError(`The data directory ${real} could not be locked: ${cause.message}.`, {
        cause,
      });
    });
    if (typeof result === 'object') return { release: () => close(result) };
    if (result !== undefined) {
      throw new StartError(
        `The data directory ${real} is in use by another process${result}; stop that one first.`,
      );
    }
    // two processes started at the same time, and both withdrew
    await sleep(20 + Math.random() * 80);
  }
}

/**
 * Returns the lock (Server), a description of the current holder (text), or undefined when two
 * processes started at the same time.
 */
async function attempt(real: string): Promise<Server | string | undefined> {
  const name = `care-lock-${createHash('sha256').update(real).digest('hex').slice(0, 24)}`;
  if (process.platform === 'win32') return attemptPipe(name);
  const [inside, outside] = [join(real, '.lock'), join('/tmp', name)];
  if (Buffer.byteLength(inside) > LONGEST_PATH) return attemptIn(outside);
  return attemptIn(inside).catch((error: NodeJS.ErrnoException) => {
    if (NO_SOCKETS.has(error.code ?? '')) return attemptIn(outside);
    throw error;
  });
}

/**
 * Sockets are files with increasing numbers. The holder is the process that answers on the highest
 * number. The next number is bound only when that one does not answer. The file of a dead holder
 * stays, so that no process removes a socket that another process has just bound.
 */
async function attemptIn(folder: string): Promise<Server | string | undefined> {
  mkdirSync(folder, { recursive: true });
  const path = (number: number) => join(folder, String(number));
  const last = Math.max(0, ...numbersIn(folder));
  const holder = last > 0 ? await probe(path(last)) : undefined;
  if (holder !== undefined) return holder;
  const mine = last + 1;
  const server = await listen(path(mine));
  if (!server) return undefined;
  note(path(mine));
  for (const other of numbersIn(folder).filter((number) => number !== mine)) {
    // Another process starts at the same time: it was bound but did not listen yet at the first
    // look, or it found us not listening yet.
    if (other > mine || (await probe(path(other))) !== undefined) {
      await close(server);
      return undefined;
    }
    for (const file of [path(other), noteOf(path(other))]) rmSync(file, { force: true });
  }
  return server;
}

/** Windows removes a pipe together with its process, so one name is enough. */
async function attemptPipe(name: string): Promise<Server | string | undefined> {
  const path = `\\\\.\\pipe\\${name}`;
  return (await listen(path)) ?? (await probe(path));
}

function numbersIn(folder: string): number[] {
  return readdirSync(folder)
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
}

/**
 * Returns undefined when no process listens there; otherwise a description of the holder. The
 * embedded database may keep the holder too busy to answer: then the description is from its note,
 * and empty when there is none within 5 s.
 */
function probe(path: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = connect(path);
    let result = '';
    let tries = 0;
    socket.setTimeout(LOOK);
    socket.on('timeout', () => {
      result ||= notedAt(path);
      if (result || ++tries === TRIES) socket.destroy();
      else socket.setTimeout(LOOK);
    });
    socket.on('data', (chunk) => (result += chunk.toString()));
    socket.on('error', ({ code }: NodeJS.ErrnoException) =>
      resolve(NO_LISTENER.has(code ?? '') ? undefined : result || notedAt(path)),
    );
    socket.on('close', () => resolve(result || notedAt(path)));
  });
}

function notedAt(path: string): string {
  try {
    return readFileSync(noteOf(path), 'utf8');
  } catch {
    return '';
  }
}

/** Writes who listens there. Only messages need it, so the lock holds without it. */
function note(path: string): void {
  try {
    writeFileSync(noteOf(path), description);
  } catch {
    // A folder that cannot be written to: the message names no holder then.
  }
}

function listen(path: string): Promise<Server | undefined> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.on('error', () => {}).end(description));
    server.on('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? resolve(undefined) : reject(error),
    );
    server.listen({ path, exclusive: true }, () => resolve(server.unref()));
  });
}

/** The note goes first: once the socket has gone, another process may write its own. */
function close(server: Server): Promise<void> {
  if (process.platform !== 'win32') rmSync(noteOf(String(server.address())), { force: true });
  return new Promise((resolve) => server.close(() => resolve()));
}
