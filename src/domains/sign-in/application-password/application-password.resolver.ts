import { Args, Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import { Access, anyone, signedIn } from '../../../core/access.js';
import type { RequestContext } from '../../../core/context.js';
import { Rows } from '../../../core/cost.js';
import { InputArg, Internal } from '../../../core/marks.js';
import { type Page, PageArgs } from '../../../core/paging.js';
import { payloadType } from '../../../core/payload.js';
import { Mutation, Query } from '../../../core/root-fields.js';
import { asOwner } from '../../accounts/own-account.service.js';
import { OwnAccount } from '../../accounts/own-account.types.js';
import {
  CreateApplicationPasswordInput,
  RevokeApplicationPasswordInput,
} from './application-password.inputs.js';
import {
  createApplicationPassword,
  mayCreateApplicationPassword,
  revokeApplicationPassword,
} from './application-password.service.js';
import {
  ApplicationPassword,
  ApplicationPasswordConnection,
} from './application-password.types.js';
import {
  listApplicationPasswords,
  presentApplicationPassword,
  usedApplicationPassword,
} from './application-password-list.service.js';

interface CreatedPassword {
  readonly applicationPassword: ApplicationPassword;
  readonly password: string;
}

const CreateApplicationPasswordPayload = payloadType<CreatedPassword>('CreateApplicationPassword', {
  applicationPassword: {
    type: () => ApplicationPassword,
    description: 'The application password that was made.',
  },
  password: {
    type: () => String,
    description:
      'The password itself; the only time it is shown. 24 letters and digits in six groups, for ' +
      'HTTP Basic with the user name; spaces do not count.',
  },
});

type RevokedPassword = Pick<CreatedPassword, 'applicationPassword'>;

const RevokeApplicationPasswordPayload = payloadType<RevokedPassword>('RevokeApplicationPassword', {
  applicationPassword: {
    type: () => ApplicationPassword,
    description: 'The application password, as it was.',
  },
});

/** The viewer's application passwords, and root fields that make and revoke them. */
@Resolver(() => OwnAccount)
export class ApplicationPasswordResolver {
  @Access(anyone)
  @Rows(100)
  @FieldResolver(() => ApplicationPasswordConnection, {
    nullable: true,
    description:
      'The own application passwords, the newest first; 100 unless said otherwise. ' +
      'CURSOR_INVALID, PAGE_SIZES_BOTH.',
  })
  async applicationPasswords(
    @Ctx() context: RequestContext,
    @Root() viewer: OwnAccount,
    @Args(() => PageArgs) page: PageArgs,
  ): Promise<Page<ApplicationPassword>> {
    return listApplicationPasswords(asOwner(context, viewer), page);
  }

  @Access(anyone)
  @FieldResolver(() => ApplicationPassword, {
    nullable: true,
    description: 'The application password that signed the request in; null when none did.',
  })
  async usedApplicationPassword(
    @Ctx() context: RequestContext,
    @Root() viewer: OwnAccount,
  ): Promise<ApplicationPassword | undefined> {
    return usedApplicationPassword(asOwner(context, viewer));
  }

  @Internal()
  @Access(signedIn)
  @Rows(100)
  @Query(() => [ApplicationPassword], {
    nullable: false,
    description: 'The own application passwords, the newest first; at most 100.',
  })
  async applicationPasswordList(
    @Ctx() context: RequestContext,
  ): Promise<readonly ApplicationPassword[]> {
    return (await listApplicationPasswords(context, {})).nodes;
  }

  @Internal()
  @Access(signedIn)
  @Query(() => ApplicationPassword, {
    nullable: false,
    description:
      'The application password that signed the request in. APPLICATION_PASSWORD_NOT_USED.',
  })
  async presentApplicationPassword(@Ctx() context: RequestContext): Promise<ApplicationPassword> {
    return presentApplicationPassword(context);
  }

  @Access(mayCreateApplicationPassword)
  @Mutation(() => CreateApplicationPasswordPayload, {
    description:
      'Makes an application password for the own account. Administrators make one for others ' +
      'too, who are notified by mail, but not for members. Whoever is signed in by an ' +
      'application password makes none. A retry under an Idempotency-Key gives the same one a ' +
      'new password, and the one before ends. USER_NOT_FOUND, FORBIDDEN.',
  })
  async createApplicationPassword(
    @Ctx() context: RequestContext,
    @InputArg(CreateApplicationPasswordInput) input: CreateApplicationPasswordInput,
  ): Promise<CreatedPassword> {
    const applicationPassword = await createApplicationPassword(context, input);
    return { applicationPassword, password: applicationPassword.password };
  }

  @Access(signedIn)
  @Mutation(() => RevokeApplicationPasswordPayload, {
    description:
      'Revokes an own application password: it is refused within a second. ' +
      'APPLICATION_PASSWORD_NOT_FOUND.',
  })
  async revokeApplicationPassword(
    @Ctx() context: RequestContext,
    @InputArg(RevokeApplicationPasswordInput) input: RevokeApplicationPasswordInput,
  ): Promise<RevokedPassword> {
    return { applicationPassword: await revokeApplicationPassword(context, input) };
  }
}
