import { Args, Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import { Access, anyone, capable } from '../../../core/access.js';
import type { RequestContext } from '../../../core/context.js';
import { Rows } from '../../../core/cost.js';
import { Judge, refusalsOf } from '../../../core/judgement.js';
import { IdArg, InputArg, Shared } from '../../../core/marks.js';
import type { Page } from '../../../core/paging.js';
import { Mutation, Query } from '../../../core/root-fields.js';
import { HealthcareServiceType } from '../service-type/service-type.types.js';
import { serviceTypesById } from '../service-type/type-tree.service.js';
import {
  CreateHealthcareServiceInput,
  DeleteHealthcareServiceInput,
  type HealthcareServiceFields,
  HealthcareServicesArgs,
  UpdateHealthcareServiceInput,
} from './healthcare-service.inputs.js';
import {
  type ChangedService,
  CreateServicePayload,
  DeleteServicePayload,
  HealthcareService,
  HealthcareServiceConnection,
  MOST,
  UpdateServicePayload,
} from './healthcare-service.types.js';
import { refuseLongFilter } from './service-filter.service.js';
import { listServices, pointNear, servicesById } from './service-list.service.js';
import { refuseOrderWithoutPlace } from './service-order.service.js';
import {
  createService,
  deleteService,
  phoneOf,
  refusePlaceAndLists,
  updateService,
} from './service-write.service.js';

const EDITORS = 'For editors and administrators.';
const REFUSALS = 'SERVICE_TYPE_NOT_FOUND, PHONE_INVALID, NEAR_INVALID, TOO_MANY';

const JudgeService = () =>
  Judge((_context: RequestContext, { input }: { input: HealthcareServiceFields }) =>
    refusalsOf(
      () => refusePlaceAndLists(input),
      () => phoneOf(input),
    ),
  );

const JudgeSearch = () =>
  Judge((_context: RequestContext, { near, filter, orderBy }: HealthcareServicesArgs) =>
    refusalsOf(
      () => near && pointNear(near),
      () => refuseLongFilter(filter ?? {}),
      () => refuseOrderWithoutPlace(orderBy, near),
    ),
  );

/** Root fields and fields of healthcare services. */
@Resolver(() => HealthcareService)
export class HealthcareServiceResolver {
  @Access(anyone)
  @JudgeSearch()
  @Rows(20)
  @Shared({ timely: true })
  @Query(() => HealthcareServiceConnection, {
    description:
      'Services of the healthcare directory; 20 unless said otherwise. Nearest first around a ' +
      'place, else by name. NEAR_INVALID, TOO_MANY, CURSOR_INVALID, PAGE_SIZES_BOTH.',
  })
  async healthcareServices(
    @Ctx() context: RequestContext,
    @Args(() => HealthcareServicesArgs) args: HealthcareServicesArgs,
  ): Promise<Page<HealthcareService>> {
    return listServices(context, args);
  }

  @Access(anyone)
  @Shared({ timely: true })
  @Query(() => HealthcareService, {
    description: 'One healthcare service; null when there is none.',
  })
  async healthcareService(
    @Ctx() context: RequestContext,
    @IdArg('id', 'HealthcareService', { description: 'The service.' }) id: number,
  ): Promise<HealthcareService | null> {
    const [service = null] = await servicesById(context, [id]);
    return service;
  }

  @Access(capable('edit_directory'))
  @JudgeService()
  @Mutation(() => CreateServicePayload, {
    description: `Makes a healthcare service. ${EDITORS} ${REFUSALS}.`,
  })
  async createHealthcareService(
    @Ctx() context: RequestContext,
    @InputArg(CreateHealthcareServiceInput) input: CreateHealthcareServiceInput,
  ): Promise<ChangedService> {
    return { service: await createService(context, input) };
  }

  @Access(capable('edit_directory'))
  @JudgeService()
  @Mutation(() => UpdateServicePayload, {
    description:
      `Changes a healthcare service. ${EDITORS} SERVICE_NOT_FOUND, CONFLICT, ` + `${REFUSALS}.`,
  })
  async updateHealthcareService(
    @Ctx() context: RequestContext,
    @InputArg(UpdateHealthcareServiceInput) input: UpdateHealthcareServiceInput,
  ): Promise<ChangedService> {
    return { service: await updateService(context, input) };
  }

  @Access(capable('edit_directory'))
  @Mutation(() => DeleteServicePayload, {
    description: `Deletes a healthcare service for good. ${EDITORS} Audited. SERVICE_NOT_FOUND.`,
  })
  async deleteHealthcareService(
    @Ctx() context: RequestContext,
    @InputArg(DeleteHealthcareServiceInput) input: DeleteHealthcareServiceInput,
  ): Promise<ChangedService> {
    return { service: await deleteService(context, input) };
  }

  @Access(anyone)
  @Rows(MOST.types)
  @FieldResolver(() => [HealthcareServiceType], { description: 'What it is, at most 20 types.' })
  async types(
    @Ctx() context: RequestContext,
    @Root() { typeIds }: HealthcareService,
  ): Promise<HealthcareServiceType[]> {
    return serviceTypesById(context, typeIds);
  }
}
