import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import { Access, anyone, capable } from '../../../core/access.js';
import type { RequestContext } from '../../../core/context.js';
import { Rows } from '../../../core/cost.js';
import { InputArg, Shared } from '../../../core/marks.js';
import { Mutation, Query } from '../../../core/root-fields.js';
import {
  CreateHealthcareServiceTypeInput,
  DeleteHealthcareServiceTypeInput,
  UpdateHealthcareServiceTypeInput,
} from './service-type.inputs.js';
import { createServiceType, deleteServiceType, updateServiceType } from './service-type.service.js';
import {
  type ChangedServiceType,
  CreateServiceTypePayload,
  DeleteServiceTypePayload,
  HealthcareServiceType,
  UpdateServiceTypePayload,
} from './service-type.types.js';
import { listServiceTypes, typeTree } from './type-tree.service.js';

const EDITORS = 'For editors and administrators.';

/** Root fields and fields of the kinds of healthcare services. */
@Resolver(() => HealthcareServiceType)
export class HealthcareServiceTypeResolver {
  @Access(anyone)
  @Rows(100)
  @Shared()
  @Query(() => [HealthcareServiceType], {
    description:
      'All kinds of healthcare services, at most 1,000: each one before those below it, siblings ' +
      'by name.',
  })
  async healthcareServiceTypes(@Ctx() context: RequestContext): Promise<HealthcareServiceType[]> {
    return listServiceTypes(context);
  }

  @Access(capable('edit_directory'))
  @Mutation(() => CreateServiceTypePayload, {
    description:
      `Makes a type. ${EDITORS} SERVICE_TYPE_NOT_FOUND, SERVICE_TYPE_PARENT_INVALID, ` +
      'TOO_MANY.',
  })
  async createHealthcareServiceType(
    @Ctx() context: RequestContext,
    @InputArg(CreateHealthcareServiceTypeInput) input: CreateHealthcareServiceTypeInput,
  ): Promise<ChangedServiceType> {
    return { type: await createServiceType(context, input) };
  }

  @Access(capable('edit_directory'))
  @Mutation(() => UpdateServiceTypePayload, {
    description:
      `Renames, describes or moves a type. ${EDITORS} SERVICE_TYPE_NOT_FOUND, CONFLICT, ` +
      'SERVICE_TYPE_PARENT_INVALID.',
  })
  async updateHealthcareServiceType(
    @Ctx() context: RequestContext,
    @InputArg(UpdateHealthcareServiceTypeInput) input: UpdateHealthcareServiceTypeInput,
  ): Promise<ChangedServiceType> {
    return { type: await updateServiceType(context, input) };
  }

  @Access(capable('edit_directory'))
  @Mutation(() => DeleteServiceTypePayload, {
    description: `Deletes a type for good. ${EDITORS} SERVICE_TYPE_NOT_FOUND.`,
  })
  async deleteHealthcareServiceType(
    @Ctx() context: RequestContext,
    @InputArg(DeleteHealthcareServiceTypeInput) input: DeleteHealthcareServiceTypeInput,
  ): Promise<ChangedServiceType> {
    return { type: await deleteServiceType(context, input) };
  }

  @Access(anyone)
  @FieldResolver(() => HealthcareServiceType, {
    nullable: true,
    description: 'The type above it; null at the top.',
  })
  async parent(
    @Ctx() context: RequestContext,
    @Root() { parentId }: HealthcareServiceType,
  ): Promise<HealthcareServiceType | undefined> {
    return (await typeTree(context)).get(parentId ?? 0);
  }

  @Access(anyone)
  @Rows(20)
  @FieldResolver(() => [HealthcareServiceType], {
    description: 'The types right below it, by name.',
  })
  async children(
    @Ctx() context: RequestContext,
    @Root() { id }: HealthcareServiceType,
  ): Promise<HealthcareServiceType[]> {
    return [...(await typeTree(context)).values()].filter(({ parentId }) => parentId === id);
  }
}
