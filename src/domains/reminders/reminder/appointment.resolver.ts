import { Args, Ctx, Resolver } from 'type-graphql';
import { Access, signedIn } from '../../../core/access.js';
import type { RequestContext } from '../../../core/context.js';
import { Rows } from '../../../core/cost.js';
import { type Filter, FilterBy } from '../../../core/filtering.js';
import { IdArg, InputArg } from '../../../core/marks.js';
import { type Order, OrderBy } from '../../../core/ordering.js';
import { Mutation, Query } from '../../../core/root-fields.js';
import { AppointmentReminder } from './appointment-reminder.types.js';
import { mayEdit, maySee } from './reminder.access.js';
import {
  CreateAppointmentReminderInput,
  DeleteAppointmentReminderInput,
  RemindersArgs,
  UpdateAppointmentReminderInput,
} from './reminder.inputs.js';
import { JudgeAppointment } from './reminder.judgement.js';
import { appointmentChange, appointmentTexts } from './reminder.texts.js';
import type { Reminder } from './reminder.types.js';
import { createAppointmentReminder } from './reminder-create.service.js';
import { listReminders, REMINDER_ORDERS, type ReminderPage } from './reminder-list.service.js';
import { AppointmentReminderConnection } from './reminder-list.types.js';
import {
  CreateAppointmentReminderPayload,
  DeleteAppointmentReminderPayload,
  UpdateAppointmentReminderPayload,
} from './reminder-payload.types.js';
import { deleteReminder, updateAppointmentReminder } from './reminder-write.service.js';
import { readShown, showReminder } from './shown-reminder.service.js';

/** Root fields of appointment reminders. */
@Resolver()
export class AppointmentReminderResolver {
  @Access(signedIn)
  @Rows(100)
  @Query(() => AppointmentReminderConnection, {
    description:
      'Appointment reminders of a member, newest first; 100 unless said otherwise. FORBIDDEN, ' +
      'CURSOR_INVALID, PAGE_SIZES_BOTH.',
  })
  async appointmentReminders(
    @Ctx() context: RequestContext,
    @Args(() => RemindersArgs) args: RemindersArgs,
    @OrderBy(REMINDER_ORDERS.appointment) order: Order | null | undefined,
    @FilterBy(REMINDER_ORDERS.appointment) filter: Filter | null | undefined,
  ): Promise<ReminderPage> {
    return listReminders(context, 'appointment', args, order, filter);
  }

  @Access(maySee('appointment'))
  @Query(() => AppointmentReminder, {
    description: 'One appointment reminder. REMINDER_NOT_FOUND.',
  })
  async appointmentReminder(
    @Ctx() context: RequestContext,
    @IdArg('id', 'AppointmentReminder', { description: 'Id of the reminder.' }) id: number,
  ): Promise<Reminder> {
    return readShown(context, id);
  }

  @Access(signedIn)
  @JudgeAppointment()
  @Mutation(() => CreateAppointmentReminderPayload, {
    description:
      'Makes an appointment reminder. FORBIDDEN, DATE_INVALID, REMIND_BEFORE_INVALID, ' +
      'TOO_MANY_REMINDERS.',
  })
  async createAppointmentReminder(
    @Ctx() context: RequestContext,
    @InputArg(CreateAppointmentReminderInput) input: CreateAppointmentReminderInput,
  ): Promise<CreateAppointmentReminderPayload> {
    const made = { ...appointmentTexts(input), userId: input.memberId };
    const reminder = await showReminder(context, await createAppointmentReminder(context, made));
    return new CreateAppointmentReminderPayload(reminder as AppointmentReminder);
  }

  @Access(mayEdit('appointment'))
  @JudgeAppointment()
  @Mutation(() => UpdateAppointmentReminderPayload, {
    description:
      'Changes an appointment reminder. REMINDER_NOT_FOUND, FORBIDDEN, CONFLICT, DATE_INVALID, ' +
      'REMIND_BEFORE_INVALID.',
  })
  async updateAppointmentReminder(
    @Ctx() context: RequestContext,
    @InputArg(UpdateAppointmentReminderInput) input: UpdateAppointmentReminderInput,
  ): Promise<UpdateAppointmentReminderPayload> {
    const change = appointmentChange(input);
    const reminder = await showReminder(context, await updateAppointmentReminder(context, change));
    return new UpdateAppointmentReminderPayload(reminder as AppointmentReminder);
  }

  @Access(mayEdit('appointment'))
  @Mutation(() => DeleteAppointmentReminderPayload, {
    description: 'Deletes an appointment reminder. REMINDER_NOT_FOUND, FORBIDDEN.',
  })
  async deleteAppointmentReminder(
    @Ctx() context: RequestContext,
    @InputArg(DeleteAppointmentReminderInput) { id }: DeleteAppointmentReminderInput,
  ): Promise<DeleteAppointmentReminderPayload> {
    const reminder = await showReminder(context, await deleteReminder(context, id));
    return new DeleteAppointmentReminderPayload(reminder as AppointmentReminder);
  }
}
