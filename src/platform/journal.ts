import { createReadStream, existsSync } from 'node:fs';
import { appendFile, mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline';

const TAIL = 64 * 1024;

/**
 * Adds a line to a file that only grows, readable by its owner alone; makes the file and its folder
 * when they are missing.
 */
export async function appendLine(file: string, line: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await appendFile(file, `${line}\n`, { mode: 0o600, flag: 'a' });
}

/** The last whole lines of a file, at most 64 KiB of them; none when there is no such file. */
export async function lastLines(file: string): Promise<string[]> {
  const handle = await open(file, 'r').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
  if (!handle) return [];
  try {
    const { size } = await handle.stat();
    const start = Math.max(0, size - TAIL);
    const { buffer, bytesRead } = await handle.read(
      Buffer.alloc(size - start),
      0,
      size - start,
      start,
    );
    const lines = buffer.subarray(0, bytesRead).toString().split('\n');
    // Cut off: the line that began before, and one that is only half written.
    return lines.slice(start > 0 ? 1 : 0, -1);
  } finally {
    await handle.close();
  }
}

/** The lines of a file, one after the other; none when there is no such file. */
export async function* linesOf(file: string): AsyncGenerator<string> {
  if (existsSync(file))
    yield* createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY });
}
