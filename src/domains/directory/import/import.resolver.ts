import { Ctx, Resolver } from 'type-graphql';
import { Access, capable } from '../../../core/access.js';
import type { RequestContext } from '../../../core/context.js';
import { InputArg } from '../../../core/marks.js';
import { Points } from '../../../core/quota.js';
import { Mutation } from '../../../core/root-fields.js';
import { importServices } from './import.service.js';
import { ImportedServices, ImportHealthcareServicesInput } from './import.types.js';

/** Root field that imports the directory. */
@Resolver()
export class DirectoryImportResolver {
  @Access(capable('edit_directory'))
  @Points(200)
  @Mutation(() => ImportedServices, {
    description:
      'Makes and changes healthcare services from a CSV. Rows with problems are reported, and ' +
      'change nothing; the others are imported. For editors and administrators; audited. ' +
      'CSV_INVALID.',
  })
  async importHealthcareServices(
    @Ctx() context: RequestContext,
    @InputArg(ImportHealthcareServicesInput) input: ImportHealthcareServicesInput,
  ): Promise<ImportedServices> {
    return importServices(context, input);
  }
}
