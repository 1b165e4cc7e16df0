import type { ModelDocument } from '../../../domains/models/definition/model.document.js';
import type { ImportRun } from '../kind.js';

const read = new WeakMap<ImportRun, Promise<ReadonlyMap<number, ModelDocument>>>();

/** Returns the definitions of models that are here, read once of a run: models come before their items. */
export function documentsHere(run: ImportRun): Promise<ReadonlyMap<number, ModelDocument>> {
  const known = read.get(run) ?? readDocuments(run);
  read.set(run, known);
  return known;
}

async function readDocuments({ context }: ImportRun): Promise<ReadonlyMap<number, ModelDocument>> {
  const models = await context.db.modelDefinition.findMany({
    select: { id: true, document: true },
  });
  return new Map(
    models.map(({ id, document }) => [id, document as unknown as ModelDocument] as const),
  );
}
