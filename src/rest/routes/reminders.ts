import type { Route } from '../router.js';

export const reminders: readonly Route[] = [
  { on: 'POST /v1/medicine_reminder', run: 'CreateMedicineReminder', status: 201 },
  { on: 'GET /v1/medicine_reminder', run: 'ListMedicineReminders' },
  { on: 'GET /v1/medicine_reminder/{id}', run: 'GetMedicineReminder', edition: 'B' },
  { on: 'POST /v1/medicine_reminder/{id}', run: 'UpdateMedicineReminder', edition: 'B' },
  { on: 'DELETE /v1/medicine_reminder/{id}', run: 'DeleteMedicineReminder' },
  {
    on: 'POST /v1/appointment_reminder',
    run: 'CreateAppointmentForMember',
    edition: 'A',
    status: 201,
  },
  {
    on: 'POST /v1/appointment_reminder',
    run: 'CreateAppointmentReminder',
    edition: 'B',
    status: 201,
  },
  { on: 'GET /v1/appointment_reminder/{id}', run: 'GetAppointmentReminder', edition: 'B' },
  { on: 'POST /v1/appointment_reminder/{id}', run: 'UpdateAppointmentReminder', edition: 'B' },
  { on: 'DELETE /v1/appointment_reminder/{id}', run: 'DeleteAppointmentReminder' },
  {
    on: 'POST /v1/event/medicine',
    run: 'CreateMedicineEvent',
    edition: 'B',
    status: 201,
    makes: '/v1/medicine_reminder',
  },
  { on: 'GET /v1/all_events', run: 'ListAllEvents', edition: 'B' },
  { on: 'GET /v1/events', run: 'ListEvents' },
];
