import { Field, InputType, Int, ObjectType } from 'type-graphql';
import { Visible } from '../../../core/access.js';
import { Rows } from '../../../core/cost.js';
import { CsvText } from '../../../core/scalars.js';

/** How many rows an import has at most, and how many problems it tells. */
export const MOST_ROWS = 5_000;
export const MOST_PROBLEMS = 500;

@InputType({ description: 'Services as CSV.' })
export class ImportHealthcareServicesInput {
  @Field(() => CsvText, {
    description:
      'A line with the names of the columns, then a line for each service, at most 5,000. ' +
      'Columns: ' +
      'external_id (required; the service is found again by it), name, description, types ' +
      '(`Clinics > Dentists|Pharmacies`), address, latitude, longitude, time_zone, opening_hours ' +
      '(`Mo-Fr 08:00-18:00; Sa 09:00-13:00` or `24/7`), languages (`en|de`), phone, email, url, ' +
      'accessibility (`wheelchair|lift`). Columns that are left out stay as they are.',
  })
  csv!: string;

  @Field(() => Boolean, {
    nullable: true,
    description: 'True: only says what would be done. Default false.',
  })
  dryRun?: boolean | null;
}

@ObjectType({ description: 'What is wrong with a row of an import.' })
export class ImportProblem {
  @Visible(() => Int, { description: 'The line on which the row begins, from 1.' })
  line!: number;

  @Visible(() => String, { nullable: true, description: 'The column; null for the whole row.' })
  column!: string | null;

  @Visible({ description: 'What is wrong, for people.' })
  message!: string;
}

@ObjectType('ImportHealthcareServicesPayload', {
  description: 'What an import did, or would do. Rows with problems change nothing.',
})
export class ImportedServices {
  @Visible(() => Int, { description: 'How many services are new.' })
  created!: number;

  @Visible(() => Int, { description: 'How many services changed.' })
  updated!: number;

  @Visible(() => Int, { description: 'How many services were as the row says.' })
  unchanged!: number;

  @Visible(() => Int, { description: 'How many rows have problems.' })
  failed!: number;

  @Rows(MOST_PROBLEMS)
  @Visible(() => [ImportProblem], { description: 'What is wrong with them; the first 500.' })
  problems!: ImportProblem[];
}
