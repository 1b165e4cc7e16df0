import { Arg, Ctx, Mutation, Query, Resolver } from 'type-graphql';
import { Access, signedIn } from '../../../core/access.js';
import type { RequestContext } from '../../../core/context.js';
import { Rows } from '../../../core/cost.js';
import {
  CreateApplicationPasswordInput,
  RevokeApplicationPasswordInput,
} from './application-password.inputs.js';
import {
  createApplicationPassword,
  listApplicationPasswords,
  mayCreateApplicationPassword,
  presentApplicationPassword,
  revokeApplicationPassword,
} from './application-password.service.js';
import { ApplicationPassword, NewApplicationPassword } from './application-password.types.js';

/** Root fields of application passwords. */
@Resolver()
export class ApplicationPasswordResolver {
  @Access(signedIn)
  @Rows(100)
  @Query(() => [ApplicationPassword], {
    description: 'The own application passwords, the newest first; at most 100.',
  })
  async applicationPasswords(@Ctx() context: RequestContext): Promise<ApplicationPassword[]> {
    return listApplicationPasswords(context);
  }

  @Access(signedIn)
  @Query(() => ApplicationPassword, {
    description:
      'The application password that signed the request in. APPLICATION_PASSWORD_NOT_USED.',
  })
  async presentApplicationPassword(@Ctx() context: RequestContext): Promise<ApplicationPassword> {
    return presentApplicationPassword(context);
  }

  @Access(mayCreateApplicationPassword)
  @Mutation(() => NewApplicationPassword, {
    description:
      'Makes an application password for the own account. Administrators make one for others ' +
      'too, who are told by mail, but not for members. Whoever is signed in by an application ' +
      'password makes none. USER_NOT_FOUND, FORBIDDEN.',
  })
  async createApplicationPassword(
    @Ctx() context: RequestContext,
    @Arg('input', () => CreateApplicationPasswordInput, { description: 'The password to make.' })
    input: CreateApplicationPasswordInput,
  ): Promise<NewApplicationPassword> {
    return createApplicationPassword(context, input);
  }

  @Access(signedIn)
  @Mutation(() => ApplicationPassword, {
    description:
      'Revokes an own application password: it is refused within a second. ' +
      'APPLICATION_PASSWORD_NOT_FOUND.',
  })
  async revokeApplicationPassword(
    @Ctx() context: RequestContext,
    @Arg('input', () => RevokeApplicationPasswordInput, { description: 'Which one.' })
    input: RevokeApplicationPasswordInput,
  ): Promise<ApplicationPassword> {
    return revokeApplicationPassword(context, input);
  }
}
