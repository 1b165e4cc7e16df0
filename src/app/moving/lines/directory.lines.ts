import { sortKey } from '../../../domains/content/rendering/slug.js';
import { indexAllServices } from '../../../domains/directory/service/service-save.service.js';
import { isZone } from '../../../platform/zone.js';
import type { LineKind } from './line.js';

export const QUOTE_LINES: LineKind = {
  name: 'quote',
  table: 'quote',
  fields: {
    text: 'text',
    author: 'text?',
    languageCode: 'text',
    createdAt: 'instant',
    version: 'integer',
  },
};

export const VIDEO_LINES: LineKind = {
  name: 'video',
  table: 'video',
  fields: {
    title: 'text',
    description: 'text',
    url: 'text',
    durationSeconds: 'integer',
    languageCode: 'text',
    captions: 'json',
    thumbnailUrl: 'text?',
    publishedAt: 'instant',
    version: 'integer',
  },
};

/** Kinds of healthcare services. */
export const SERVICE_TYPE_LINES: LineKind = {
  name: 'serviceType',
  table: 'service_type',
  fields: { name: 'text', description: 'text', parentId: 'integer?', version: 'integer' },
  parent: 'parentId',
  filled: ['name_key'],
  fill: ({ name }) => ({ name_key: sortKey(String(name)) }),
};

/** Services of the directory. */
export const SERVICE_LINES: LineKind = {
  name: 'healthcareService',
  table: 'healthcare_service',
  fields: {
    externalId: 'text?',
    name: 'text',
    description: 'text',
    typeIds: 'integers',
    address: 'text',
    latitude: 'number?',
    longitude: 'number?',
    timeZone: 'text',
    hours: 'json',
    languageCodes: 'texts',
    phone: 'text?',
    email: 'text?',
    url: 'text?',
    accessibility: 'texts',
    updatedAt: 'instant',
    version: 'integer',
  },
  fault: ({ timeZone }) => (isZone(String(timeZone)) ? undefined : 'its time zone is unknown here'),
  finish: ({ context }) => indexAllServices(context),
};
