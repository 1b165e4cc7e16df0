import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { bytesOf } from './compose.js';
import { MailError, type MailMessage, type MailTransport } from './mail-transport.js';

/**
 * Writes mails as `.eml` files into a folder, readable only by their owner. Used by a service
 * without a mail server. The names begin with the time at which the mail was made. The oldest files
 * are deleted when there are more than `most`. The first mail creates the folder.
 */
export class Outbox implements MailTransport {
  readonly kind = 'outbox';

  constructor(
    readonly folder: string,
    private readonly from: string,
    private readonly most = 200,
  ) {}

  async send(message: MailMessage): Promise<void> {
    // A mail that is sent again overwrites its file. The rename prevents incomplete files.
    const file = join(
      this.folder,
      `${message.date.toISOString().replaceAll(':', '-')}_${message.id}.eml`,
    );
    try {
      await mkdir(this.folder, { recursive: true, mode: 0o700 });
      await writeFile(`${file}.part`, await bytesOf(message, this.from), { mode: 0o600 });
      await rename(`${file}.part`, file);
      for (const old of (await this.list()).slice(this.most))
        await rm(join(this.folder, old), { force: true });
    } catch (error) {
      throw new MailError((error as NodeJS.ErrnoException).code ?? 'ERROR');
    }
  }

  async forget(to: string): Promise<void> {
    const address = to.toLowerCase();
    for (const name of await this.list()) {
      const file = join(this.folder, name);
      const [, recipient] =
        /^To: ?<?(.*?)>?\r?$/im.exec(await readFile(file, 'utf8').catch(() => '')) ?? [];
      if (recipient?.toLowerCase() === address) await rm(file, { force: true });
    }
  }

  /** Returns the names of the files, newest first. */
  async list(): Promise<string[]> {
    const names = await readdir(this.folder).catch(() => []);
    return names
      .filter((name) => name.endsWith('.eml'))
      .sort()
      .reverse();
  }
}
