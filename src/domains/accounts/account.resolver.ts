import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import { Access, anyone } from '../../core/access.js';
import type { RequestContext } from '../../core/context.js';
import { InputArg } from '../../core/marks.js';
import { payloadType } from '../../core/payload.js';
import { Mutation, Query } from '../../core/root-fields.js';
import { Language } from '../site/language.types.js';
import { CreateUserInput } from './account.inputs.js';
import { createUser, mayCreateUser } from './account.service.js';
import { Account, self } from './account.types.js';
import { languagesOfAccounts } from './account-language.service.js';
import { ownAccount } from './own-account.service.js';
import { OwnAccount } from './own-account.types.js';

interface CreateUserPayload {
  readonly account: Account;
}

const CreateUserPayload = payloadType<CreateUserPayload>('CreateUser', {
  account: { type: () => Account, description: 'The account that was made.' },
});

/** Root fields of the viewer and of new accounts, and the language of an account. */
@Resolver(() => Account)
export class AccountResolver {
  @Access(anyone)
  @Query(() => OwnAccount, {
    description: 'Who is asking; null for the anonymous.',
  })
  async viewer(@Ctx() context: RequestContext): Promise<OwnAccount | undefined> {
    return ownAccount(context);
  }

  @Access(mayCreateUser)
  @Mutation(() => CreateUserPayload, {
    description:
      'Makes an account. For administrators, who vouch for its e-mail address: it counts as ' +
      'proven from the start, and the audit says that it was vouched for. USERNAME_INVALID, ' +
      'USERNAME_EXISTS, EMAIL_EXISTS, PASSWORD_INVALID, LANGUAGE_UNKNOWN; FORBIDDEN by an ' +
      'application password for other roles than SUBSCRIBER and GUEST.',
  })
  async createUser(
    @Ctx() context: RequestContext,
    @InputArg(CreateUserInput) input: CreateUserInput,
  ): Promise<CreateUserPayload> {
    return { account: await createUser(context, input) };
  }

  @Access(self)
  @FieldResolver(() => Language, {
    nullable: true,
    description: 'The language in which the account is written to.',
  })
  async language(
    @Ctx() context: RequestContext,
    @Root() { languageId }: Account,
  ): Promise<Language | undefined> {
    return context.loader(languagesOfAccounts).load(languageId);
  }
}
