import { ObjectType } from 'type-graphql';
import { Visible } from '../../../core/access.js';
import type { RequestContext } from '../../../core/context.js';
import { enumType } from '../../../core/enum-type.js';
import { Node, Version } from '../../../core/node.js';
import { connectionType } from '../../../core/paging.js';
import { changePayloads } from '../../../core/payload.js';
import { DateTime } from '../../../core/scalars.js';

/** How the playground shows a result. */
export const ReportView = enumType('ReportView', 'How the playground shows a result.', {
  JSON: ['JSON', 'As it came.'],
  TABLE: ['TABLE', 'The rows as a table.'],
  LINE: ['LINE', 'Lines along time.'],
  BAR: ['BAR', 'Bars side by side.'],
  STACK: ['STACK', 'Bars of the series on top of each other.'],
  HEAT: ['HEAT', 'Colours by day, or by two dimensions.'],
  NUMBER: ['NUMBER', 'The numbers of one row.'],
});
export type ReportView = (typeof ReportView)[keyof typeof ReportView];

/** What a saved report asks. */
export type ReportToRun = Pick<SavedReport, 'query' | 'variables'>;

/**
 * What an embedded report is asked for beside its document: fields by their keys. No document has such
 * keys, since `__` is reserved in GraphQL.
 */
export const ABOUT_REPORT = {
  __asOf: 'asOf',
  __from: 'from',
  __to: 'to',
  __grain: 'grain',
} as const;

/**
 * Runs a saved report with the rights of a context. Returns the data of its answer. `embedded`: it
 * may ask for reports about all members alone, each of which also has `ABOUT_REPORT`.
 */
export type RunReport = (
  context: RequestContext,
  report: ReportToRun,
  options?: { readonly embedded?: boolean },
) => Promise<Readonly<Record<string, unknown>>>;

@ObjectType({
  implements: Node,
  description:
    'A query that somebody saved in the playground. Whoever runs it does so with the own rights.',
})
export class SavedReport {
  id!: number;

  @Visible({ description: 'Its name.' })
  name!: string;

  @Visible({ description: 'The document: one query, valid when it was saved.' })
  query!: string;

  @Visible({ description: 'Its variables, as a JSON object.' })
  variables!: string;

  @Visible(() => ReportView, {
    nullable: true,
    description: 'How it is shown; null: by its shape.',
  })
  view!: ReportView | null;

  @Visible(() => String, { nullable: true, description: 'Name of the measure that is drawn.' })
  measure!: string | null;

  @Visible({ description: 'Whether clinicians, analysts and administrators see it.' })
  isShared!: boolean;

  @Visible({ description: 'Whether it is the own one: others cannot change it.' })
  isOwn!: boolean;

  @Visible({ description: 'Name of whoever saved it.' })
  ownerName!: string;

  @Visible(() => DateTime, { description: 'When it was changed last.' })
  modifiedAt!: Date;

  @Version()
  version!: number;
}

/** A page of saved reports. */
export const SavedReportConnection = connectionType(SavedReport, 'SavedReport', 'a saved report');

export const [CreateSavedReportPayload, UpdateSavedReportPayload, DeleteSavedReportPayload] =
  changePayloads<{ savedReport: SavedReport }>(
    'SavedReport',
    'savedReport',
    () => SavedReport,
    'report',
  );
