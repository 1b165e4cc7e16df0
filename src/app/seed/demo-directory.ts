import type { RequestContext } from '../../core/context.js';
import { WEEKDAYS } from '../../core/weekday.js';
import type { CreateHealthcareServiceInput } from '../../domains/directory/service/healthcare-service.inputs.js';
import { Accessibility } from '../../domains/directory/service/healthcare-service.types.js';
import { createService } from '../../domains/directory/service/service-write.service.js';
import { createServiceType } from '../../domains/directory/service-type/service-type.service.js';

/** The types; in `Parent > Child` the second is a child of the first. */
const TYPES = [
  'Clinics',
  'Clinics > General practice',
  'Clinics > Diabetes care',
  'Clinics > Dentists',
  'Pharmacies',
  'Pharmacies > Night service',
  'Help lines',
  'Emergency rooms',
];

const hours = (days: readonly number[], ...spans: readonly string[]) =>
  days.flatMap((day) =>
    spans.map((span) => {
      const [opens = '', closes = ''] = span.split('-');
      return { weekday: WEEKDAYS[day] as (typeof WEEKDAYS)[number], opens, closes };
    }),
  );
const WORKDAYS = [0, 1, 2, 3, 4];
const ALWAYS = hours([...WORKDAYS, 5, 6], '00:00-00:00');

type DemoService = Omit<CreateHealthcareServiceInput, 'typeIds'> & { types: readonly string[] };

const { WHEELCHAIR, LIFT, ACCESSIBLE_TOILET, SIGN_LANGUAGE, INDUCTION_LOOP } = Accessibility;

const SERVICES: readonly DemoService[] = [
  {
    name: 'Harbour Clinic',
    types: ['Clinics > General practice', 'Clinics > Diabetes care'],
    description: 'General practice, with an hour for those who come without an appointment.',
    place: { address: 'Am Sandtorkai 30, Hamburg', latitude: 53.5438, longitude: 9.9927 },
    openingHours: hours(WORKDAYS, '08:00-12:00', '14:00-18:00'),
    languageCodes: ['de', 'en'],
    phone: '+49 40 428280',
    accessibility: [WHEELCHAIR, LIFT, ACCESSIBLE_TOILET],
  },
  {
    name: 'Southgate Practice',
    types: ['Clinics > General practice'],
    description: 'Family doctors; a nurse visits at home.',
    place: { address: 'Harburger Ring 10, Hamburg', latitude: 53.4603, longitude: 9.9827 },
    openingHours: [...hours(WORKDAYS, '07:30-13:00'), ...hours([1, 3], '15:00-19:00')],
    languageCodes: ['de', 'en', 'ar'],
    phone: '+49 40 428281',
    accessibility: [WHEELCHAIR],
  },
  {
    name: 'Zahnärzte am Dammtor',
    types: ['Clinics > Dentists'],
    description: 'Dentists, also on Saturdays.',
    place: { address: 'Dammtorstraße 1, Hamburg', latitude: 53.5586, longitude: 9.9892 },
    openingHours: [...hours(WORKDAYS, '09:00-18:00'), ...hours([5], '10:00-14:00')],
    languageCodes: ['de', 'en', 'tr'],
    phone: '+49 40 428282',
    url: 'https://dentists.example/',
    accessibility: [WHEELCHAIR, LIFT],
  },
  {
    name: 'Lighthouse Pharmacy',
    types: ['Pharmacies', 'Pharmacies > Night service'],
    description: 'Open all night.',
    place: { address: 'Reeperbahn 5, Hamburg', latitude: 53.5496, longitude: 9.9652 },
    openingHours: hours([...WORKDAYS, 5, 6], '20:00-08:00'),
    languageCodes: ['de', 'en', 'pl'],
    phone: '+49 40 428283',
    accessibility: [INDUCTION_LOOP],
  },
  {
    name: 'Market Pharmacy',
    types: ['Pharmacies'],
    place: { address: 'Marktplatz 2, Bremen', latitude: 53.0758, longitude: 8.8072 },
    openingHours: hours([...WORKDAYS, 5], '08:30-19:00'),
    languageCodes: ['de'],
    phone: '+49 421 3610',
    accessibility: [WHEELCHAIR],
  },
  {
    name: 'Emergency room of the University Hospital',
    types: ['Emergency rooms'],
    place: { address: 'Martinistraße 52, Hamburg', latitude: 53.5905, longitude: 9.9756 },
    openingHours: ALWAYS,
    languageCodes: ['de', 'en'],
    phone: '112',
    accessibility: [WHEELCHAIR, LIFT, ACCESSIBLE_TOILET, SIGN_LANGUAGE],
  },
  {
    name: 'Medicine help line',
    types: ['Help lines'],
    description: 'Pharmacists who answer questions about medicine.',
    openingHours: hours(WORKDAYS, '08:00-22:00'),
    languageCodes: ['de', 'en', 'ar', 'uk'],
    phone: '116117',
    email: 'medicine@example.com',
  },
  {
    name: 'Diabetes Centre London',
    types: ['Clinics > Diabetes care'],
    place: { address: '1 Example Street, London', latitude: 51.5076, longitude: -0.1278 },
    timeZone: 'Europe/London',
    openingHours: hours(WORKDAYS, '09:00-17:00'),
    languageCodes: ['en', 'cy'],
    phone: '+44 20 7946 0958',
    accessibility: [WHEELCHAIR],
  },
];

/** Creates the directory of healthcare services. */
export async function seedDirectory(editor: RequestContext): Promise<void> {
  const types = new Map<string, number>();
  for (const path of TYPES) {
    const [name, above] = path.split(' > ').reverse() as [string, string?];
    const parentId = above ? (types.get(above) ?? null) : null;
    types.set(path, (await createServiceType(editor, { name, parentId })).id);
  }
  for (const { types: paths, ...service } of SERVICES)
    await createService(editor, {
      timeZone: 'Europe/Berlin',
      ...service,
      typeIds: paths.map((path) => types.get(path) as number),
    });
}
