import { existsSync, statSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type Config, readConfig } from '../../config/config.js';
import { StartError } from '../../platform/database/database.js';
import type { Key, Lock } from '../backup/archive.js';
import { KEY_FILE } from '../backup/data-files.js';
import { type Backup, readBackup } from '../backup/examination.js';
import { type MadeBackup, makeBackup } from '../backup/making.js';
import { nameOfKey } from '../backup/media-keys.service.js';
import { restoreBackup } from '../backup/restoring.js';
import { auditCommand, type Output } from './audit.js';
import { untilStopped } from './stopping.js';
import { withDeps } from './with-deps.js';

const USAGE = `Usage:
  npm run backup -- FILE|FOLDER [--recipient age1… | --passphrase-file FILE]
  npm run backup -- --new-key FILE       makes a key: FILE opens backups, the recipient that is printed encrypts them
  npm run restore -- FILE [--identity FILE | --passphrase-file FILE] [--check]
  --check   compares the backup with its manifest, and restores nothing`;

/** Characters that a passphrase has at least. */
const LEAST = 12;

/**
 * Runs `npm run backup` on the database that the environment names. The embedded database must not
 * be open. Returns the exit code: 1 when files of media are missing, although the backup was written.
 * Throws StartError with one sentence.
 */
export async function backupTool(
  environment: NodeJS.ProcessEnv,
  args: readonly string[],
  { say, note }: Output,
): Promise<number> {
  const { positionals, values } = parse(args, ['recipient', 'passphrase-file', 'new-key']);
  if (values['new-key']) return makeKey(String(values['new-key']), say);
  const [given] = positionals;
  if (!given || positionals.length > 1) throw new StartError(USAGE);
  const config = readConfig(environment);
  const lock = await lockOf(values);
  const file = fileOf(config, given);
  return withDeps(config, async (deps) => {
    const backup = await untilStopped('the backup was not written', (stopping) =>
      makeBackup(deps, file, lock, note, stopping),
    );
    say(`${file} holds ${contentsOf(backup)}${lock ? ', encrypted' : ''}.`);
    if (!lock && !config.SECRET_KEY)
      note(`The key is not in it: keep ${join(config.DATA_DIR, KEY_FILE)} in another place.`);
    return noteUploads(config, backup, note);
  });
}

/** Says what uploads a backup lacks. Returns the exit code. */
function noteUploads({ STORAGE_URL: at }: Config, { missing }: MadeBackup, note: Output['note']) {
  if (at)
    note(`The uploads are not in it: keep copies of the bucket ${at.bucket} in another place.`);
  const [first] = missing;
  if (first === undefined) return 0;
  note(
    `Files of media that are missing below DATA_DIR, and so in the backup: ${missing.length}, such as ${nameOfKey(first)}.`,
  );
  return 1;
}

/**
 * Runs `npm run restore`: restores a backup into the empty database that the environment names, and
 * verifies its audit. Returns the exit code: 1 when the audit is not whole. Throws StartError with
 * one sentence.
 */
export async function restoreTool(
  environment: NodeJS.ProcessEnv,
  args: readonly string[],
  output: Output,
): Promise<number> {
  const { positionals, values } = parse(args, ['identity', 'passphrase-file', 'check']);
  const [file] = positionals;
  if (!file || positionals.length > 1) throw new StartError(USAGE);
  const key = await keyOf(values);
  if (values.check) {
    output.say(`${file} is whole: ${contentsOf(await readBackup(file, key))}.`);
    return 0;
  }
  const config = readConfig(environment);
  const backup = await untilStopped('the backup was not restored', (stopping) =>
    restoreBackup(config, file, key, { progress: output.note, stopping }),
  );
  output.say(`Restored ${contentsOf(backup)}, as they were at ${backup.about.madeAt}.`);
  return withDeps(config, (deps) => auditCommand(['verify'])(deps, output));
}

function contentsOf({ manifest }: Backup): string {
  const rows = Object.values(manifest.tables).reduce((sum, { count }) => sum + count, 0);
  const [tables, files] = [manifest.tables, manifest.files].map((kind) => Object.keys(kind).length);
  return `${rows} rows of ${tables} tables and ${files} files`;
}

/** Returns where a backup goes: a new file, or one with the present in its name in a folder. */
function fileOf({ DATA_DIR }: Config, given: string): string {
  const path = resolve(given);
  const isFolder = existsSync(path) && statSync(path).isDirectory();
  const now = new Date().toISOString().replaceAll(':', '').slice(0, 17);
  const file = isFolder ? join(path, `care-${now}Z.backup`) : path;
  if (!relative(DATA_DIR, file).startsWith('..'))
    throw new StartError(`${file} is below DATA_DIR, which is backed up: choose another place.`);
  if (existsSync(file)) throw new StartError(`${file} is there already.`);
  return file;
}

type OptionValues = Readonly<Record<string, string | boolean | undefined>>;

async function lockOf(values: OptionValues): Promise<Lock | undefined> {
  const { recipient, 'passphrase-file': file } = values;
  if (recipient && file) throw new StartError(USAGE);
  if (file) return { passphrase: await passphraseIn(String(file)) };
  if (recipient === undefined) return undefined;
  const { Encrypter } = await import('age-encryption');
  try {
    new Encrypter().addRecipient(String(recipient));
  } catch (cause) {
    throw new StartError('--recipient must be a recipient of age, such as age1….', { cause });
  }
  return { recipient: String(recipient) };
}

async function keyOf(values: OptionValues): Promise<Key | undefined> {
  const { identity, 'passphrase-file': file } = values;
  if (identity && file) throw new StartError(USAGE);
  if (file) return { passphrase: await passphraseIn(String(file)) };
  if (!identity) return undefined;
  const lines = (await textIn(String(identity))).split('\n').map((line) => line.trim());
  const found = lines.find((line) => line.startsWith('AGE-SECRET-KEY-'));
  if (!found) throw new StartError(`${identity} holds no identity of age.`);
  return { identity: found };
}

async function passphraseIn(file: string): Promise<string> {
  const passphrase = (await textIn(file)).trim();
  if (passphrase.length < LEAST)
    throw new StartError(`${file} must hold a passphrase of at least ${LEAST} characters.`);
  return passphrase;
}

const textIn = (file: string) =>
  readFile(file, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    throw new StartError(`${file} cannot be read (${cause.code}).`, { cause });
  });

async function makeKey(file: string, say: Output['say']): Promise<number> {
  const { generateX25519Identity, identityToRecipient } = await import('age-encryption');
  const identity = await generateX25519Identity();
  const recipient = await identityToRecipient(identity);
  await writeFile(file, `# public key: ${recipient}\n${identity}\n`, {
    flag: 'wx',
    mode: 0o600,
  }).catch((cause: NodeJS.ErrnoException) => {
    throw new StartError(`${file} could not be written (${cause.code}).`, { cause });
  });
  say(recipient);
  return 0;
}

function parse(args: readonly string[], names: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: Object.fromEntries(
        names.map((name) => [name, { type: name === 'check' ? 'boolean' : 'string' } as const]),
      ),
    }) as { positionals: string[]; values: OptionValues };
  } catch (cause) {
    throw new StartError(USAGE, { cause });
  }
}
