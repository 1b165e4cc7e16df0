import { Arg, Ctx, Mutation, Resolver } from 'type-graphql';
import { Access } from '../../../core/access.js';
import type { RequestContext } from '../../../core/context.js';
import { attendAppointment } from './attendance.service.js';
import { mayAnswerOccurrence, mayAttend, mayLogDose } from './dose.access.js';
import {
  AttendAppointmentInput,
  LogDoseInput,
  SkipDoseInput,
  SnoozeDoseInput,
  TakeDoseInput,
  UndoDoseInput,
} from './dose.inputs.js';
import { logDose, skipDose, snoozeDose, takeDose, undoDose } from './dose.service.js';
import {
  AttendAppointmentPayload,
  LogDosePayload,
  SkipDosePayload,
  SnoozeDosePayload,
  TakeDosePayload,
  UndoDosePayload,
} from './dose-payload.types.js';

/** Answers to doses and appointments. */
@Resolver()
export class DoseResolver {
  @Access(mayAnswerOccurrence)
  @Mutation(() => TakeDosePayload, {
    nullable: true,
    description:
      'Logs that a dose was taken. OCCURRENCE_NOT_FOUND, FORBIDDEN, ALREADY_TAKEN unless ' +
      'forced, TOO_EARLY, TIME_INVALID.',
  })
  async takeDose(
    @Ctx() context: RequestContext,
    @Arg('input', () => TakeDoseInput, { description: 'The dose.' }) input: TakeDoseInput,
  ): Promise<TakeDosePayload> {
    return new TakeDosePayload(await takeDose(context, input));
  }

  @Access(mayAnswerOccurrence)
  @Mutation(() => SkipDosePayload, {
    nullable: true,
    description:
      'Logs that a dose is left out, refused or not needed. OCCURRENCE_NOT_FOUND, FORBIDDEN, ' +
      'ALREADY_TAKEN, TOO_EARLY.',
  })
  async skipDose(
    @Ctx() context: RequestContext,
    @Arg('input', () => SkipDoseInput, { description: 'The dose.' }) input: SkipDoseInput,
  ): Promise<SkipDosePayload> {
    return new SkipDosePayload(await skipDose(context, input));
  }

  @Access(mayAnswerOccurrence)
  @Mutation(() => SnoozeDosePayload, {
    nullable: true,
    description:
      'Lets the reminder of a dose come again later. OCCURRENCE_NOT_FOUND, FORBIDDEN, ' +
      'ALREADY_TAKEN for one that was taken or skipped, TOO_EARLY more than 24 hours before ' +
      'its time, TOO_LATE more than 24 hours after.',
  })
  async snoozeDose(
    @Ctx() context: RequestContext,
    @Arg('input', () => SnoozeDoseInput, { description: 'The dose, and for how long.' })
    input: SnoozeDoseInput,
  ): Promise<SnoozeDosePayload> {
    return new SnoozeDosePayload(await snoozeDose(context, input));
  }

  @Access(mayAnswerOccurrence)
  @Mutation(() => UndoDosePayload, {
    nullable: true,
    description: 'Takes an answer back. OCCURRENCE_NOT_FOUND, FORBIDDEN, NOTHING_LOGGED.',
  })
  async undoDose(
    @Ctx() context: RequestContext,
    @Arg('input', () => UndoDoseInput, { description: 'The dose.' }) input: UndoDoseInput,
  ): Promise<UndoDosePayload> {
    return new UndoDosePayload(await undoDose(context, input));
  }

  @Access(mayLogDose)
  @Mutation(() => LogDosePayload, {
    nullable: true,
    description:
      'Logs a dose that belongs to no occurrence: as needed, or out of turn. ' +
      'REMINDER_NOT_FOUND, FORBIDDEN, TIME_INVALID.',
  })
  async logDose(
    @Ctx() context: RequestContext,
    @Arg('input', () => LogDoseInput, { description: 'The dose.' }) input: LogDoseInput,
  ): Promise<LogDosePayload> {
    return new LogDosePayload(await logDose(context, input));
  }

  @Access(mayAttend)
  @Mutation(() => AttendAppointmentPayload, {
    nullable: true,
    description:
      'Marks an appointment as attended, from 24 hours before its time on, or takes the mark ' +
      'back. REMINDER_NOT_FOUND, FORBIDDEN, TOO_EARLY, UNSCHEDULED without a date.',
  })
  async attendAppointment(
    @Ctx() context: RequestContext,
    @Arg('input', () => AttendAppointmentInput, { description: 'The appointment.' })
    input: AttendAppointmentInput,
  ): Promise<AttendAppointmentPayload> {
    return new AttendAppointmentPayload(await attendAppointment(context, input));
  }
}
