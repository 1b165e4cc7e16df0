import { resolve } from 'node:path';
import { readConfig } from '../../config/config.js';
import { serviceContext } from '../../core/service-context.js';
import { transact } from '../../core/transact.js';
import { recordAudit } from '../../domains/audit/audit.service.js';
import { StartError } from '../../platform/database/database.js';
import { CONTENT, LINES, type Replacements } from '../moving/export/export-folder.js';
import { exportTo } from '../moving/export/exporting.service.js';
import type { Output } from './audit.js';
import { progressOf } from './progress.js';
import { withDeps } from './with-deps.js';

const USAGE = `Usage: npm run export -- FOLDER
  FOLDER   a new folder, or an empty one: gets everything that the organisation owns (docs/export.md)`;

/**
 * Runs `npm run export`: writes what the database of the environment holds into a folder, audited without
 * an actor. The embedded database must not be open; on a server the service may run meanwhile. Returns
 * the exit code: 1 when a file of a medium was not in the storage. Throws StartError with one sentence.
 */
export async function exportTool(
  environment: NodeJS.ProcessEnv,
  args: readonly string[],
  { say, note }: Output,
): Promise<number> {
  const [given, ...more] = args;
  if (!given || given.startsWith('-') || more.length > 0) throw new StartError(USAGE);
  const folder = resolve(given);
  return withDeps(readConfig(environment), async (deps) => {
    const context = await serviceContext(deps, 'export command');
    const event = { action: 'organisation.export', subjectId: null };
    await transact(context, (inner) => recordAudit(inner, event));
    const shown = progressOf(note);
    const { manifest, missing } = await exportTo(folder, deps, shown.step).finally(() =>
      shown.end(),
    );
    const lines = Object.values(manifest.lines).reduce((sum, count) => sum + count, 0);
    const { count } = manifest.mediaFiles;
    say(`${folder} holds ${lines} lines and ${count} files of media.`);
    for (const line of replacedLines(manifest.content.replaced)) say(line);
    for (const { mediaId, key } of missing)
      say(`The storage lacks a file of the medium ${mediaId}, or has another one: ${key}.`);
    return missing.length > 0 ? 1 : 0;
  });
}

/** Says which characters the content could not have, and where the first of them stand. */
function replacedLines({ characters, in: named }: Replacements): string[] {
  if (characters === 0) return [];
  const where = named.join(', ');
  return [
    `${CONTENT} has U+FFFD for ${characters} characters that XML does not allow, in ${where}. ${LINES} has them.`,
  ];
}
