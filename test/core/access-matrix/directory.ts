// The directory of healthcare services.
import { type AccessTable, EVERYONE, LIBRARIANS } from './rules.js';

export const directory: AccessTable = {
  lines: [
    ['healthcareServices', '{ healthcareServices { nodes { id } } }', EVERYONE],
    ['healthcareService', '{ healthcareService(id: "4711") { id } }', EVERYONE],
    ['healthcareServiceTypes', '{ healthcareServiceTypes { id } }', EVERYONE],
    [
      'createHealthcareService',
      'mutation { createHealthcareService(input: { name: "x" }) { service { id } } }',
      LIBRARIANS,
    ],
    [
      'updateHealthcareService',
      'mutation { updateHealthcareService(input: { id: "4711" }) { service { id } } }',
      LIBRARIANS,
      'SERVICE_NOT_FOUND',
    ],
    [
      'deleteHealthcareService',
      'mutation { deleteHealthcareService(input: { id: "4711" }) { service { id } } }',
      LIBRARIANS,
      'SERVICE_NOT_FOUND',
    ],
    [
      'createHealthcareServiceType',
      'mutation { createHealthcareServiceType(input: { name: "x" }) { type { id } } }',
      LIBRARIANS,
    ],
    [
      'updateHealthcareServiceType',
      'mutation { updateHealthcareServiceType(input: { id: "4711" }) { type { id } } }',
      LIBRARIANS,
      'SERVICE_TYPE_NOT_FOUND',
    ],
    [
      'deleteHealthcareServiceType',
      'mutation { deleteHealthcareServiceType(input: { id: "4711" }) { type { id } } }',
      LIBRARIANS,
      'SERVICE_TYPE_NOT_FOUND',
    ],
    [
      'importHealthcareServices',
      'mutation { importHealthcareServices(input: { csv: "external_id" }) { failed } }',
      LIBRARIANS,
    ],
  ],
};
