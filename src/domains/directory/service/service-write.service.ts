import type { RequestContext } from '../../../core/context.js';
import { refuse } from '../../../core/errors.js';
import { firstOf, refuseStale } from '../../../core/row.js';
import { deleteOnce, transact } from '../../../core/transact.js';
import { internationalPhone } from '../../../platform/phone.js';
import { recordAudit } from '../../audit/audit.service.js';
import { typeTree } from '../service-type/type-tree.service.js';
import type {
  CreateHealthcareServiceInput,
  DeleteHealthcareServiceInput,
  HealthcareServiceFields,
  UpdateHealthcareServiceInput,
} from './healthcare-service.inputs.js';
import { type HealthcareService, MOST } from './healthcare-service.types.js';
import { serviceRows, servicesById } from './service-list.service.js';
import { columnsOfRow, type ServiceColumns, servicesOf } from './service-row.service.js';
import { saveServices } from './service-save.service.js';

const LIMITS = [
  ['openingHours', MOST.hours],
  ['typeIds', MOST.types],
  ['languageCodes', MOST.languages],
] as const;

/** Throws TOO_MANY, NEAR_INVALID. */
export function refusePlaceAndLists(input: HealthcareServiceFields): void {
  for (const [param, most] of LIMITS)
    if ((input[param]?.length ?? 0) > most)
      throw refuse('TOO_MANY', `A service has at most ${most} ${param}.`, { param });
  const { latitude = null, longitude = null } = input.place ?? {};
  if ((latitude === null) !== (longitude === null))
    throw refuse('NEAR_INVALID', 'A place has a latitude and a longitude.', { param: 'place' });
}

/** Throws PHONE_INVALID. Returns the number as it is stored. */
export function phoneOf({ phone }: HealthcareServiceFields): string | null {
  if (!phone) return null;
  const stored = internationalPhone(phone);
  if (!stored)
    throw refuse('PHONE_INVALID', 'Write the number with the code of its country: +49 30 901820.', {
      param: 'phone',
    });
  return stored;
}

/** Returns a service without anything, in the site's zone. */
export const emptyService = ({ site }: RequestContext): Omit<ServiceColumns, 'name'> => ({
  externalId: null,
  description: '',
  typeIds: [],
  address: '',
  latitude: null,
  longitude: null,
  timeZone: site.timeZone,
  hours: [],
  languageCodes: [],
  phone: null,
  email: null,
  url: null,
  accessibility: [],
});

/** Makes a service. Throws SERVICE_TYPE_NOT_FOUND, PHONE_INVALID, NEAR_INVALID, TOO_MANY. */
export async function createService(
  context: RequestContext,
  input: CreateHealthcareServiceInput,
): Promise<HealthcareService> {
  const id = await transact(
    context,
    async (inner) => {
      await refuseTypes(inner, input.typeIds);
      const empty = { ...emptyService(inner), name: input.name };
      const [made] = await saveServices(inner, [{ ...empty, ...changesOf(inner, input) }]);
      return made as number;
    },
    { replayable: true },
  );
  return one(context, id);
}

/**
 * Changes what is given of a service. Throws SERVICE_NOT_FOUND, CONFLICT, SERVICE_TYPE_NOT_FOUND,
 * PHONE_INVALID, NEAR_INVALID, TOO_MANY.
 */
export async function updateService(
  context: RequestContext,
  { id, version, name, ...input }: UpdateHealthcareServiceInput,
): Promise<HealthcareService> {
  await transact(
    context,
    async (inner) => {
      await inner.db.$queryRaw`SELECT id FROM healthcare_service WHERE id = ${id}::int FOR UPDATE`;
      const row = firstOf(await serviceRows(inner, [id]), notFound);
      refuseStale('service', row, version);
      await refuseTypes(inner, input.typeIds);
      const changes = { ...changesOf(inner, input), ...(name && { name }) };
      await saveServices(inner, [{ ...columnsOfRow(row), ...changes, id }]);
      return id;
    },
    { replayable: true },
  );
  return one(context, id);
}

/** Returns the columns that an input sets; what is absent is left out, null empties. */
function changesOf(
  context: RequestContext,
  input: HealthcareServiceFields & { readonly name?: string | null },
): Partial<ServiceColumns> {
  refusePlaceAndLists(input);
  const empty = emptyService(context);
  const { place, openingHours, phone } = input;
  const plain = (['description', 'timeZone', 'languageCodes', 'email', 'url'] as const).flatMap(
    (name) => (input[name] === undefined ? [] : [[name, input[name] ?? empty[name]]]),
  );
  return {
    ...(Object.fromEntries(plain) as Partial<ServiceColumns>),
    ...(input.typeIds !== undefined && { typeIds: [...new Set(input.typeIds)] }),
    ...(input.accessibility !== undefined && { accessibility: [...new Set(input.accessibility)] }),
    ...(place !== undefined && {
      address: place?.address ?? '',
      latitude: place?.latitude ?? null,
      longitude: place?.longitude ?? null,
    }),
    ...(openingHours !== undefined && {
      hours: (openingHours ?? []).map(({ weekday, opens, closes }) => ({ weekday, opens, closes })),
    }),
    ...(phone !== undefined && { phone: phoneOf(input) }),
  };
}

async function refuseTypes(
  context: RequestContext,
  typeIds: readonly number[] | null | undefined,
): Promise<void> {
  if (!typeIds?.length) return;
  const tree = await typeTree(context);
  if (typeIds.some((id) => !tree.has(id)))
    throw refuse('SERVICE_TYPE_NOT_FOUND', 'There is no such type.', { param: 'typeIds' });
}

/** Deletes a service, audited. Returns it as it was. Throws SERVICE_NOT_FOUND. */
export async function deleteService(
  context: RequestContext,
  { id }: DeleteHealthcareServiceInput,
): Promise<HealthcareService> {
  const row = await deleteOnce(context, async (inner) => {
    const service = firstOf(await serviceRows(inner, [id]), notFound);
    const { count } = await inner.db.healthcareService.deleteMany({ where: { id } });
    if (count === 0) throw notFound();
    const detail = { service: id };
    await recordAudit(inner, { action: 'directory.delete', subjectId: null, detail });
    return service;
  });
  return firstOf(servicesOf(context, [row]), notFound);
}

const one = async (context: RequestContext, id: number): Promise<HealthcareService> =>
  firstOf(await servicesById(context, [id]), notFound);

const notFound = () => refuse('SERVICE_NOT_FOUND', 'There is no such service.', { param: 'id' });
