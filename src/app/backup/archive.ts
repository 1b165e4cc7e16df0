import { createReadStream, createWriteStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { createGunzip, createGzip } from 'node:zlib';
import type * as Age from 'age-encryption';
import type * as Tar from 'modern-tar';
import { StartError } from '../../platform/database/database.js';

/** What a backup is encrypted to: a recipient of age, such as age1…, or a passphrase. */
export type Lock = { readonly recipient: string } | { readonly passphrase: string };
/** What opens an encrypted backup: an identity of age, or the passphrase. */
export type Key = { readonly identity: string } | { readonly passphrase: string };

/** Adds a file to an archive, whose bytes must be as many as `size`. */
export type Add = (
  name: string,
  size: number,
  bytes: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
) => Promise<void>;

/** A file of an archive. Its bytes are read once, before the next file is asked for. */
export interface ArchivedFile {
  readonly name: string;
  readonly bytes: AsyncIterable<Uint8Array>;
}

// Loaded when they are used: a service that starts needs neither.
const age = () => import('age-encryption') as Promise<typeof Age>;
const tar = () => import('modern-tar') as Promise<typeof Tar>;

const AGE = 'age-encryption.org/v1';
const GZIP = Buffer.from([0x1f, 0x8b]);

/**
 * Writes an archive: tar, compressed by gzip, and encrypted by age where there is a lock. So it can
 * be opened without this service: `age -d FILE | tar xz`. Returns the key that opens it again, for
 * verification: an identity that exists in this process alone, beside the recipient's.
 */
export async function writeArchive(
  file: string,
  lock: Lock | undefined,
  fill: (add: Add) => Promise<void>,
): Promise<Key | undefined> {
  const { createTarPacker } = await tar();
  const { readable, controller } = createTarPacker();
  const compressed = createGzip();
  const { stream, key } = await locked(compressed, lock);
  const written = Promise.all([
    pipeline(Readable.fromWeb(readable as ReadableStream), compressed),
    pipeline(stream, createWriteStream(file, { flags: 'wx', mode: 0o600 })),
  ]);
  const failed = written.then(() => new Promise<never>(() => {}));
  await Promise.race([failed, filled(controller, fill)]);
  await written;
  return key;
}

async function filled(
  controller: Tar.TarPackController,
  fill: (add: Add) => Promise<void>,
): Promise<void> {
  try {
    await fill(async (name, size, bytes) => {
      const writer = controller.add({ name, size, type: 'file', mode: 0o600 }).getWriter();
      for await (const chunk of bytes) {
        await writer.ready;
        await writer.write(chunk);
      }
      await writer.close();
    });
    controller.finalize();
  } catch (error) {
    controller.error(error);
    throw error;
  }
}

async function locked(
  plain: NodeJS.ReadableStream & Readable,
  lock: Lock | undefined,
): Promise<{ stream: Readable; key: Key | undefined }> {
  if (!lock) return { stream: plain, key: undefined };
  const { Encrypter, generateX25519Identity, identityToRecipient } = await age();
  const encrypter = new Encrypter();
  let key: Key;
  if ('passphrase' in lock) {
    encrypter.setPassphrase(lock.passphrase);
    key = lock;
  } else {
    key = { identity: await generateX25519Identity() };
    encrypter.addRecipient(await identityToRecipient(key.identity));
    encrypter.addRecipient(lock.recipient);
  }
  const encrypted = await encrypter.encrypt(Readable.toWeb(plain) as never);
  return { stream: Readable.fromWeb(encrypted as unknown as ReadableStream), key };
}

/**
 * Yields the files of an archive in order. Throws StartError with one sentence for a file that is
 * no archive, is encrypted to another key, was changed, or was cut short.
 */
export async function* readArchive(
  file: string,
  key: Key | undefined,
): AsyncGenerator<ArchivedFile> {
  const { createTarDecoder } = await tar();
  const plain = await unlocked(file, key);
  const unpacked = createGunzip();
  const flowing = pipeline(plain, unpacked).catch((error: Error) => void unpacked.destroy(error));
  const entries = (Readable.toWeb(unpacked) as ReadableStream).pipeThrough(
    createTarDecoder({ strict: true }) as never,
  ) as ReadableStream<Tar.ParsedTarEntry>;
  try {
    for await (const { header, body } of judged(file, entries))
      yield { name: header.name, bytes: judged(file, body as ReadableStream<Uint8Array>) };
    await flowing;
  } finally {
    plain.destroy();
  }
}

/** Yields what comes, and says of the file what fails on the way. */
async function* judged<T>(file: string, coming: AsyncIterable<T>): AsyncGenerator<T> {
  try {
    yield* coming;
  } catch (cause) {
    throw damaged(file, cause);
  }
}

const damaged = (file: string, cause: unknown) =>
  new StartError(`${file} is damaged or cut short: ${(cause as Error).message}.`, { cause });

async function unlocked(file: string, key: Key | undefined): Promise<Readable> {
  const beginning = await beginningOf(file);
  const isEncrypted = beginning.toString('latin1') === AGE;
  if (!isEncrypted && !beginning.subarray(0, 2).equals(GZIP))
    throw new StartError(`${file} is no backup of this service.`);
  const raw = createReadStream(file);
  if (!isEncrypted) return raw;
  if (!key)
    throw new StartError(`${file} is encrypted: give --identity FILE or --passphrase-file FILE.`);
  const { Decrypter } = await age();
  const decrypter = new Decrypter();
  if ('passphrase' in key) decrypter.addPassphrase(key.passphrase);
  else decrypter.addIdentity(key.identity);
  try {
    const plain = await decrypter.decrypt(Readable.toWeb(raw) as never);
    return Readable.fromWeb(plain as unknown as ReadableStream);
  } catch (cause) {
    raw.destroy();
    if (/no identity matched/.test((cause as Error).message))
      throw new StartError(`${file} is encrypted to another key or passphrase.`, { cause });
    throw damaged(file, cause);
  }
}

async function beginningOf(file: string): Promise<Buffer> {
  const handle = await open(file, 'r').catch((cause: NodeJS.ErrnoException) => {
    throw new StartError(`${file} cannot be read (${cause.code}).`, { cause });
  });
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(AGE.length), 0, AGE.length, 0);
    return buffer.subarray(0, bytesRead);
  } catch (cause) {
    throw new StartError(`${file} cannot be read.`, { cause });
  } finally {
    await handle.close();
  }
}
