import { type Choice, viewNamed } from './choices.js';
import { Observed } from './observed.js';
import type { Opened } from './opened.js';
import { maySeeSchema } from './schema.js';
import { dataOf } from './sending.js';
import { account, ended } from './session.js';

/** A report as the service keeps it. */
export interface SavedReport {
  readonly id: string;
  readonly name: string;
  readonly query: string;
  readonly variables: string;
  readonly view: string | null;
  readonly measure: string | null;
  readonly isShared: boolean;
  readonly isOwn: boolean;
  readonly ownerName: string;
  /** Why it cannot be run any more, as a sentence; null for one that can. */
  readonly problem: string | null;
  /** How often it is mailed; null when it is not, and to all but who saved it. */
  readonly mailing: { readonly every: 'WEEK' | 'MONTH' } | null;
}

/** What is known of a saved report without its document. */
export type ReportHeader = Pick<SavedReport, 'id' | 'name' | 'isOwn' | 'isShared' | 'ownerName'>;

const FIELDS =
  'id name query variables view measure isShared isOwn ownerName problem mailing { every }';

/** The reports that who is signed in may see. */
export const savedReports = new Observed<readonly SavedReport[]>([]);
ended.watch(() => savedReports.set([]));

/** Reads the list anew. Nobody's is empty. */
export async function readSavedReports(): Promise<void> {
  if (!maySeeSchema(account.value)) return savedReports.set([]);
  const found: SavedReport[] = [];
  for (let after: string | null | undefined; after !== null; ) {
    const data = await dataOf({
      query: `query SavedReports($after: String) { savedReports(first: 100, after: $after) {
        nodes { ${FIELDS} } pageInfo { hasNextPage endCursor } } }`,
      variables: { after },
    });
    const { nodes, pageInfo } = data.savedReports as ReportPage;
    found.push(...nodes);
    after = pageInfo.hasNextPage ? pageInfo.endCursor : null;
  }
  savedReports.set(found);
}

interface ReportPage {
  readonly nodes: readonly SavedReport[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
}

/** What a report is saved with. */
export interface Saving {
  readonly name: string;
  readonly query: string;
  readonly variables: string;
  readonly view: string | null;
  readonly measure: string | null;
  readonly isShared: boolean;
}

/** Reads the list after a change. Who made it learns what became of it, not whether the list was read. */
export const listAnew = (): Promise<void> => readSavedReports().catch(() => {});

/** Saves a report: a new one, or a change of one's own. Returns its id. Throws what the service says. */
export async function saveReport(input: Saving, id?: string): Promise<string> {
  const [type, root] = id
    ? ['UpdateSavedReportInput', 'updateSavedReport']
    : ['CreateSavedReportInput', 'createSavedReport'];
  const data = await dataOf({
    query: `mutation SaveReport($input: ${type}!) {
      saved: ${root}(input: $input) { savedReport { id } }
    }`,
    variables: { input: { ...input, ...(id && { id }) } },
  });
  await listAnew();
  return (data.saved as { savedReport: { id: string } }).savedReport.id;
}

/** Deletes an own report. */
export async function deleteReport(id: string): Promise<void> {
  await dataOf({
    query: `mutation DeleteReport($input: DeleteSavedReportInput!) {
      deleteSavedReport(input: $input) { savedReport { id } }
    }`,
    variables: { input: { id } },
  });
  savedReports.set(savedReports.value.filter((report) => report.id !== id));
  await listAnew();
}

/** Returns a sentence that says why a report cannot be run any more; undefined when it can. */
export const brokenText = ({ name, problem }: SavedReport): string | undefined =>
  problem
    ? `“${name}” cannot be run any more. ${problem.replace(/\.?$/, '.')} It can be mended under Code.`
    : undefined;

/** Returns a saved report as it is opened in a tab. */
export function openedOf({ id, query, variables, view, measure, isOwn }: SavedReport): Opened {
  const seen = viewNamed(view);
  const choice: Choice = {
    ...(seen && { view: seen }),
    ...(measure && { measure }),
    ...(isOwn && { report: id }),
  };
  return { query, variables: variables === '{}' ? '' : variables, choice };
}

/** What is said of a report that is not there for who asks. */
export const NOT_SHOWN =
  'There is no such report, or it is not shared with you. Ask who sent the address to share it.';

/** Reads a report; undefined when there is none, or none that who is signed in may see. */
export async function readSavedReport(id: string): Promise<SavedReport | undefined> {
  const data = await dataOf({
    query: `query Report($id: ID!) { node(id: $id) { ... on SavedReport { ${FIELDS} } } }`,
    variables: { id },
  });
  const report = data.node as SavedReport | null;
  return report?.query ? report : undefined;
}
