import { Ctx, Resolver } from 'type-graphql';
import { Access } from '../../../core/access.js';
import type { RequestContext } from '../../../core/context.js';
import { InputArg } from '../../../core/marks.js';
import { Mutation } from '../../../core/root-fields.js';
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
    description:
      'Logs that a dose was taken. OCCURRENCE_NOT_FOUND, FORBIDDEN, ALREADY_TAKEN unless ' +
      'forced, TOO_EARLY, TIME_INVALID.',
  })
  async takeDose(
    @Ctx() context: RequestContext,
    @InputArg(TakeDoseInput) input: TakeDoseInput,
  ): Promise<TakeDosePayload> {
    return new TakeDosePayload(await takeDose(context, input));
  }

  @Access(mayAnswerOccurrence)
  @Mutation(() => SkipDosePayload, {
    description:
      'Logs that a dose is left out, refused or not needed. OCCURRENCE_NOT_FOUND, FORBIDDEN, ' +
      'ALREADY_TAKEN, TOO_EARLY.',
  })
  async skipDose(
    @Ctx() context: RequestContext,
    @InputArg(SkipDoseInput) input: SkipDoseInput,
  ): Promise<SkipDosePayload> {
    return new SkipDosePayload(await skipDose(context, input));
  }

  @Access(mayAnswerOccurrence)
  @Mutation(() => SnoozeDosePayload, {
    description:
      'Lets the reminder of a dose come again later. OCCURRENCE_NOT_FOUND, FORBIDDEN, ' +
      'ALREADY_TAKEN for one that was taken or skipped, TOO_EARLY more than 24 hours before ' +
      'its time, TOO_LATE more than 24 hours after.',
  })
  async snoozeDose(
    @Ctx() context: RequestContext,
    @InputArg(SnoozeDoseInput) input: SnoozeDoseInput,
  ): Promise<SnoozeDosePayload> {
    return new SnoozeDosePayload(await snoozeDose(context, input));
  }

  @Access(mayAnswerOccurrence)
  @Mutation(() => UndoDosePayload, {
    description: 'Takes an answer back. OCCURRENCE_NOT_FOUND, FORBIDDEN, NOTHING_LOGGED.',
  })
  async undoDose(
    @Ctx() context: RequestContext,
    @InputArg(UndoDoseInput) input: UndoDoseInput,
  ): Promise<UndoDosePayload> {
    return new UndoDosePayload(await undoDose(context, input));
  }

  @Access(mayLogDose)
  @Mutation(() => LogDosePayload, {
    description:
      'Logs a dose that belongs to no occurrence: as needed, or out of turn. ' +
      'REMINDER_NOT_FOUND, FORBIDDEN, TIME_INVALID.',
  })
  async logDose(
    @Ctx() context: RequestContext,
    @InputArg(LogDoseInput) input: LogDoseInput,
  ): Promise<LogDosePayload> {
    return new LogDosePayload(await logDose(context, input));
  }

  @Access(mayAttend)
  @Mutation(() => AttendAppointmentPayload, {
    description:
      'Marks an appointment as attended, from 24 hours before its time on, or takes the mark ' +
      'back. REMINDER_NOT_FOUND, FORBIDDEN, TOO_EARLY, UNSCHEDULED without a date.',
  })
  async attendAppointment(
    @Ctx() context: RequestContext,
    @InputArg(AttendAppointmentInput) input: AttendAppointmentInput,
  ): Promise<AttendAppointmentPayload> {
    return new AttendAppointmentPayload(await attendAppointment(context, input));
  }
}
