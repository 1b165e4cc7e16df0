import { appendFile, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Turns } from '../mutex.js';
import type { Outcome, PushMessage, PushTransport, TokenKind } from './push-transport.js';

/** Size in bytes at which the file is renamed. One older file is kept. */
const LARGEST = 10 * 1024 * 1024;

/** The outboxes of all kinds of token share one file; only one writes at a time. */
const TURNS = new Turns<string>();

/** Returns the path of the outbox file in a data directory. */
export const outboxFile = (dataDir: string) => join(dataDir, 'push-outbox.jsonl');

/**
 * Receives pushes while no provider at all is configured: one line of JSON for each push in
 * DATA_DIR/push-outbox.jsonl, readable only by its owner. At 10 MiB the file is renamed to
 * push-outbox.1.jsonl and replaces the older one.
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

  /** Deletes the lines of these tokens, also in the older file. */
  async forget(tokens: readonly string[]): Promise<void> {
    // Lines are compared as text, because an incomplete line is not valid JSON
    const tokenTexts = tokens.map((token) => `"token":${JSON.stringify(token)}`);
    await TURNS.take(this.file, async () => {
      for (const file of [this.file, this.older]) {
        const lines = (await readFile(file, 'utf8').catch(() => '')).split('\n').filter(Boolean);
        const kept = lines.filter((line) => !tokenTexts.some((mark) => line.includes(mark)));
        if (kept.length < lines.length)
          await writeFile(file, kept.map((line) => `${line}\n`).join(''), { mode: 0o600 });
      }
    });
  }
}
