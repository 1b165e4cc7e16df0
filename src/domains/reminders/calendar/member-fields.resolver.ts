import { type ClassType, Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import { Access, anyone } from '../../../core/access.js';
import type { RequestContext } from '../../../core/context.js';
import { accountsById } from '../../accounts/account.service.js';
import { Account } from '../../accounts/account.types.js';
import { SetDoseAmountsPayload } from '../amount/amount.types.js';
import { MoveMedicineCoursePayload } from '../course/course.types.js';
import { Adherence, MedicineCounts } from '../dose/adherence.types.js';
import { ANSWER_PAYLOADS, AttendAppointmentPayload } from '../dose/dose-payload.types.js';
import { PAUSE_PAYLOADS } from '../pause/pause.types.js';
import { AppointmentReminder } from '../reminder/appointment-reminder.types.js';
import { MedicineReminder } from '../reminder/medicine-reminder.types.js';
import type { Reminder } from '../reminder/reminder.types.js';
import { REMINDER_PAYLOADS } from '../reminder/reminder-payload.types.js';
import { reminderShown } from '../reminder/shown-reminder.service.js';
import { LimitDosesPayload } from '../safety/limit.types.js';
import { CareSettings, UpdateCareSettingsPayload } from '../setting/setting.types.js';
import { STOCK_PAYLOADS } from '../stock/stock.types.js';
import { calendarDay } from './calendar.service.js';
import { Calendar, CalendarDay } from './calendar.types.js';
import { memberHome } from './home.service.js';
import { MemberHome } from './home.types.js';

/** What belongs to a member. */
interface OfMember {
  readonly memberId: number;
}
type TypeOf<T> = abstract new (...parts: never[]) => T;

/** Makes the field `member` of a type. */
function withMember(type: TypeOf<OfMember>): new () => object {
  @Resolver(() => type as ClassType)
  class MemberFieldResolver {
    @Access(anyone)
    @FieldResolver(() => Account, { description: 'The member it belongs to.' })
    async member(
      @Ctx() context: RequestContext,
      @Root() { memberId }: OfMember,
    ): Promise<Account | undefined> {
      return context.loader(accountsById).load(memberId);
    }
  }
  return MemberFieldResolver;
}

/** Makes the field `memberHome` of a payload. */
function withHome(type: TypeOf<OfMember>): new () => object {
  @Resolver(() => type as ClassType)
  class HomeFieldResolver {
    @Access(anyone)
    @FieldResolver(() => MemberHome, {
      nullable: true,
      description: 'What the member sees first after the change. TOO_MANY_EVENTS.',
    })
    async memberHome(
      @Ctx() context: RequestContext,
      @Root() { memberId }: OfMember,
    ): Promise<MemberHome> {
      return memberHome(context, memberId);
    }
  }
  return HomeFieldResolver;
}

/** Makes the fields `day` and `adherence` of a payload. */
function withDay(type: TypeOf<OfMember & { readonly at: number }>): new () => object {
  @Resolver(() => type as ClassType)
  class DayFieldResolver {
    @Access(anyone)
    @FieldResolver(() => CalendarDay, {
      nullable: true,
      description: 'The day of the event after the change, with its counts. TOO_MANY_EVENTS.',
    })
    async day(
      @Ctx() context: RequestContext,
      @Root() { memberId, at }: OfMember & { readonly at: number },
    ): Promise<CalendarDay> {
      return calendarDay(context, memberId, at);
    }

    @Access(anyone)
    @FieldResolver(() => Adherence, {
      nullable: true,
      description:
        'What became of the doses of today and the six days before it, after the change. ' +
        'TOO_MANY_EVENTS.',
    })
    async adherence(
      @Ctx() context: RequestContext,
      @Root() { memberId }: OfMember,
    ): Promise<Adherence> {
      return (await memberHome(context, memberId)).week;
    }
  }
  return DayFieldResolver;
}

/** The medicine of counts. */
@Resolver(() => MedicineCounts)
class CountedMedicineResolver {
  @Access(anyone)
  @FieldResolver(() => MedicineReminder, {
    nullable: true,
    description: 'The medicine; null when its reminder was deleted.',
  })
  async reminder(
    @Ctx() context: RequestContext,
    @Root() { reminderId }: MedicineCounts,
  ): Promise<Reminder | undefined> {
    return reminderShown(context, reminderId);
  }
}

/** The appointment that was attended. */
@Resolver(() => AttendAppointmentPayload)
class AttendedResolver {
  @Access(anyone)
  @FieldResolver(() => AppointmentReminder, {
    nullable: true,
    description: 'The appointment as it is now.',
  })
  async reminder(
    @Ctx() context: RequestContext,
    @Root() { event }: AttendAppointmentPayload,
  ): Promise<Reminder | undefined> {
    return reminderShown(context, event.reminderId);
  }
}

/** Fields of members, of their homes and days, on the types that show them. */
export const MEMBER_FIELD_RESOLVERS = [
  ...[MedicineReminder, AppointmentReminder, Calendar, MemberHome, CareSettings].map(withMember),
  ...[
    ...ANSWER_PAYLOADS,
    ...REMINDER_PAYLOADS,
    ...PAUSE_PAYLOADS,
    LimitDosesPayload,
    MoveMedicineCoursePayload,
    SetDoseAmountsPayload,
    ...STOCK_PAYLOADS,
    UpdateCareSettingsPayload,
  ].map(withHome),
  ...ANSWER_PAYLOADS.map(withDay),
  CountedMedicineResolver,
  AttendedResolver,
];
