import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { StartError } from './errors.js';

/** A folder that this process alone may use, until it releases it or ends in whatever way. */
export interface Lock {
  release(): Promise<void>;
}

/**
 * Socket addresses are silently cut at about 107 bytes; a longer path is kept by its hash under
 * /tmp.
 */
const longestPath = 90;

/** Some file systems (mounts into containers) hold no sockets. */
const noSockets = new Set(['ENOTSUP', 'EOPNOTSUPP', 'EPERM', 'EINVAL']);

/** How a socket answers whose process is gone. */
const silent = new Set(['ECONNREFUSED', 'ENOENT']);

/**
 * Takes the exclusive lock on a folder, without native code: the holder listens on a socket that
 * the system closes when the process ends. Throws StartError when another process holds it.
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
    await sleep(20 + Math.random() * 80); // two starters gave way to each other
  }
}

/** Returns the lock, who holds it, or neither when two starters met. */
async function attempt(real: string): Promise<Server | string | undefined> {
  const name = `care-lock-${createHash('sha256').update(real).digest('hex').slice(0, 24)}`;
  if (process.platform === 'win32') return attemptPipe(name);
  const [inside, outside] = [join(real, '.lock'), join('/tmp', name)];
  if (Buffer.byteLength(inside) > longestPath) return attemptIn(outside);
  return attemptIn(inside).catch((error: NodeJS.ErrnoException) => {
    if (noSockets.has(error.code ?? '')) return attemptIn(outside);
    throw error;
  });
}

/**
 * The holder is the highest number that answers, and the next number is bound only when that one is
 * silent: a dead holder's file stays, so that nobody removes a socket that somebody else has just
 * bound.
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
  for (const other of numbersIn(folder).filter((number) => number !== mine)) {
    // Another starter that was bound and not yet listening when we looked, or that took us for dead
    // in that instant.
    if (other > mine || (await probe(path(other))) !== undefined) {
      await close(server);
      return undefined;
    }
    rmSync(path(other), { force: true });
  }
  return server;
}

/** Windows removes a pipe with its process, so one name is enough. */
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
 * Undefined when nobody listens there; otherwise who does, if it says so in time: the embedded
 * database may keep it busy.
 */
function probe(path: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = connect(path);
    let said = '';
    socket.setTimeout(250, () => socket.destroy());
    socket.on('data', (chunk) => (said += chunk.toString()));
    socket.on('error', ({ code }: NodeJS.ErrnoException) =>
      resolve(silent.has(code ?? '') ? undefined : said),
    );
    socket.on('close', () => resolve(said));
  });
}

function listen(path: string): Promise<Server | undefined> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) =>
      socket.on('error', () => {}).end(` (process ${process.pid})`),
    );
    server.on('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? resolve(undefined) : reject(error),
    );
    server.listen({ path, exclusive: true }, () => resolve(server.unref()));
  });
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => server.close(() => resolve()));
}
