import { Ctx, Resolver } from 'type-graphql';
import { Access, capable } from '../../core/access.js';
import type { RequestContext } from '../../core/context.js';
import { Points } from '../../core/quota.js';
import { Query } from '../../core/root-fields.js';
import { diagnostics } from './diagnostics.service.js';
import { Diagnostics } from './diagnostics.types.js';

/** Root field of the state of third parties. */
@Resolver()
export class DiagnosticsResolver {
  @Access(capable('run_diagnostics'))
  @Points(200)
  @Query(() => Diagnostics, {
    description:
      'Asks each configured third party for its state, all at once, for at most two seconds. For ' +
      'staff.',
  })
  async diagnostics(@Ctx() context: RequestContext): Promise<Diagnostics> {
    return diagnostics(context);
  }
}
