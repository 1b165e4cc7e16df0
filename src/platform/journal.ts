import { createReadStream, existsSync } from 'node:fs';
import { appendFile, mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline';

const TAIL = 64 * 1024;

/**
 * Appends a line to a file that only its owner can read. Creates the file and its folder when they
 * are missing.
 */
export async function appendLine(file: string, line: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await appendFile(file, `${line}\n`, { mode: 0o600, flag: 'a' });
}

/**
 * Returns the complete lines in the last 64 KiB of a file; an empty list when the file does not
 * exist.
 */
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
    // The first line may have lost its beginning, and the last one may be incomplete.
    return lines.slice(start > 0 ? 1 : 0, -1);
  } finally {
    await handle.close();
  }
}

/** Yields the lines of a file in order; none when the file does not exist. */
export async function* linesOf(file: string): AsyncGenerator<string> {
  if (existsSync(file))
    yield* createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY });
}
