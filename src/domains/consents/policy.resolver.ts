import { Args, Ctx, Resolver } from 'type-graphql';
import { Access, anyone, capable, signedIn } from '../../core/access.js';
import type { RequestContext } from '../../core/context.js';
import { Rows } from '../../core/cost.js';
import { type Filter, FilterBy } from '../../core/filtering.js';
import { IdArg, InputArg } from '../../core/marks.js';
import { type Order, OrderBy } from '../../core/ordering.js';
import { type Page, PageArgs } from '../../core/paging.js';
import { Mutation, Query } from '../../core/root-fields.js';
import { AgreeToPolicyInput, CreatePolicyInput, DeletePolicyInput } from './policy.inputs.js';
import {
  agreeToPolicy,
  createPolicy,
  deletePolicy,
  policiesById,
  policyInForce,
  policyList,
  policyToAgreeTo,
} from './policy.service.js';
import {
  AgreeToPolicyPayload,
  CreatePolicyPayload,
  DeletePolicyPayload,
  Policy,
  PolicyConnection,
} from './policy.types.js';

/** Root fields of policies. */
@Resolver()
export class PolicyResolver {
  @Access(anyone)
  @Rows(20)
  @Query(() => PolicyConnection, {
    description:
      'Policies of all languages, the newest first; 20 unless said otherwise. Administrators see ' +
      'those that are not in force yet. CURSOR_INVALID, PAGE_SIZES_BOTH.',
  })
  async policies(
    @Ctx() context: RequestContext,
    @Args(() => PageArgs) page: PageArgs,
    @OrderBy(policyList) order: Order | null | undefined,
    @FilterBy(policyList) filter: Filter | null | undefined,
  ): Promise<Page<Policy>> {
    return policyList.page(context, page, order, filter);
  }

  @Access(anyone)
  @Query(() => Policy, { description: 'One policy; null when there is none.' })
  async policy(
    @Ctx() context: RequestContext,
    @IdArg('id', 'Policy', { description: 'The policy.' }) id: number,
  ): Promise<Policy | null> {
    const [policy = null] = await policiesById(context, [id]);
    return policy;
  }

  @Access(anyone)
  @Query(() => Policy, {
    description:
      'The policy in force in a language: that of the viewer unless said otherwise. Where the ' +
      'language has none, that of the first language of the service. Null when there is none at ' +
      'all.',
  })
  async policyInForce(
    @Ctx() context: RequestContext,
    @IdArg('languageId', 'Language', { description: 'The language.', nullable: true })
    languageId: number | null | undefined,
  ): Promise<Policy | null> {
    return (await policyInForce(context, languageId)) ?? null;
  }

  @Access(signedIn)
  @Query(() => Policy, {
    description:
      'The policy that the viewer must still agree to: the one in force. Null when the viewer ' +
      'has agreed to it, and when there is none.',
  })
  async policyToAgreeTo(@Ctx() context: RequestContext): Promise<Policy | null> {
    return policyToAgreeTo(context);
  }

  @Access(capable('manage_options'))
  @Mutation(() => CreatePolicyPayload, {
    description:
      'Makes the next version of the policy in a language. For administrators. LANGUAGE_UNKNOWN.',
  })
  async createPolicy(
    @Ctx() context: RequestContext,
    @InputArg(CreatePolicyInput) input: CreatePolicyInput,
  ): Promise<{ policy: Policy }> {
    return { policy: await createPolicy(context, input) };
  }

  @Access(capable('manage_options'))
  @Mutation(() => DeletePolicyPayload, {
    description:
      'Deletes a policy that is not in force yet. For administrators. POLICY_NOT_FOUND, ' +
      'POLICY_IN_FORCE.',
  })
  async deletePolicy(
    @Ctx() context: RequestContext,
    @InputArg(DeletePolicyInput) { id }: DeletePolicyInput,
  ): Promise<{ policy: Policy }> {
    return { policy: await deletePolicy(context, id) };
  }

  @Access(signedIn)
  @Mutation(() => AgreeToPolicyPayload, {
    description:
      'Agrees to the policy in force. Repeated, it changes nothing. NOTHING_TO_AGREE, CONFLICT.',
  })
  async agreeToPolicy(
    @Ctx() context: RequestContext,
    @InputArg(AgreeToPolicyInput) input: AgreeToPolicyInput,
  ): Promise<AgreeToPolicyPayload> {
    return Object.assign(new AgreeToPolicyPayload(), {
      policy: await agreeToPolicy(context, input),
    });
  }
}
