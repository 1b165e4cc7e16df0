import { Field, InputType } from 'type-graphql';
import { BasedOn, IdField, idInput } from '../../../core/marks.js';
import { DocumentText, ShortText } from '../../../core/scalars.js';
import { ReportView } from './saved-report.types.js';

@InputType({ description: 'A report to save.' })
export class CreateSavedReportInput {
  @Field(() => ShortText, { description: 'Its name.' })
  name!: string;

  @Field(() => DocumentText, {
    description: 'The document: one query that fits the schema. REPORT_DOCUMENT_INVALID.',
  })
  query!: string;

  @Field(() => DocumentText, {
    nullable: true,
    description: 'Its variables, as a JSON object. Default: none. REPORT_DOCUMENT_INVALID.',
  })
  variables?: string | null;

  @Field(() => ReportView, { nullable: true, description: 'Default: by the shape of the result.' })
  view?: ReportView | null;

  @Field(() => ShortText, {
    nullable: true,
    description:
      'Name of the measure that is drawn. Default: the one that `name` says, else the first.',
  })
  measure?: string | null;

  @Field(() => Boolean, {
    nullable: true,
    description: 'Whether clinicians, analysts and administrators see it. Default false.',
  })
  isShared?: boolean | null;
}

@InputType({ description: 'A change of a saved report. What is absent stays.' })
export class UpdateSavedReportInput {
  @IdField('SavedReport', { description: 'The report.' })
  id!: number;

  @BasedOn()
  version?: number | null;

  @Field(() => ShortText, { nullable: true, description: 'Its name; null stays as it is.' })
  name?: string | null;

  @Field(() => DocumentText, {
    nullable: true,
    description: 'One query that fits the schema; null stays as it is. REPORT_DOCUMENT_INVALID.',
  })
  query?: string | null;

  @Field(() => DocumentText, {
    nullable: true,
    description: 'A JSON object; null stays as it is. REPORT_DOCUMENT_INVALID.',
  })
  variables?: string | null;

  @Field(() => ReportView, { nullable: true, description: 'null: by the shape of the result.' })
  view?: ReportView | null;

  @Field(() => ShortText, {
    nullable: true,
    description: 'null: the one that `name` says, else the first measure.',
  })
  measure?: string | null;

  @Field(() => Boolean, { nullable: true, description: 'null stays as it is.' })
  isShared?: boolean | null;
}

@InputType({ description: 'A saved report to delete for good.' })
export class DeleteSavedReportInput extends idInput('SavedReport', 'The report.') {}
