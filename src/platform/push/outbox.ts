import { appendFile, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Turns } from '../mutex.js';
import type { Outcome, PushMessage, PushTransport, TokenKind } from './transport.js';

/** Size at which the file is put aside, in bytes; one older file is kept. */
const LARGEST = 10 * 1024 * 1024;

/** Three kinds of token share a file, which one at a time writes. */
const TURNS = new Turns<string>();

/** The file in a data directory that an outbox writes. */
export const outboxFile = (dataDir: string) => join(dataDir, 'push-outbox.jsonl');

/**
 * Where pushes go while no provider is configured: a line of JSON each in
 * DATA_DIR/push-outbox.jsonl, readable by its owner only. At 10 MiB the file becomes
 * push-outbox.1.jsonl in place of the one before.
 */
export class Outbox implements PushTransport {
  readonly name = 'outbox';
  readonly batch = 1000;
  readonly concurrency = 1;

  constructor(
    private readonly file: string,
    private readonly kind: TokenKind,
  ) {}

  async send(messages: readonly PushMessage[]): Promise<Outcome[]> {
    const at = new Date().toISOString();
    const lines = messages.map(({ id, ttl, token, title, body, data, silent }) =>
      JSON.stringify({
        at,
        kind: this.kind,
        message_id: id,
        ttl,
        token,
        title,
        body,
        data,
        ...(silent && { silent }),
      }),
    );
    try {
      await TURNS.take(this.file, () => this.append(lines));
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code ?? 'file';
      return messages.map(() => ({ kind: 'retry', code }));
    }
    return messages.map(() => ({ kind: 'delivered', code: 'outbox' }));
  }

  private async append(lines: readonly string[]): Promise<void> {
    await appendFile(this.file, `${lines.join('\n')}\n`, { mode: 0o600 });
    const { size } = await stat(this.file);
    if (size > LARGEST) await rename(this.file, this.older);
  }

  private get older(): string {
    return this.file.replace(/\.jsonl$/, '.1.jsonl');
  }

  /** Deletes the lines of these tokens, in the older file as well. */
  async forget(tokens: readonly string[]): Promise<void> {
    // A line may be torn: it is not read as JSON
    const marks = tokens.map((token) => `"token":${JSON.stringify(token)}`);
    await TURNS.take(this.file, async () => {
      for (const file of [this.file, this.older]) {
        const lines = (await readFile(file, 'utf8').catch(() => '')).split('\n').filter(Boolean);
        const kept = lines.filter((line) => !marks.some((mark) => line.includes(mark)));
        if (kept.length < lines.length)
          await writeFile(file, kept.map((line) => `${line}\n`).join(''), { mode: 0o600 });
      }
    });
  }
}
