import { Ctx, Resolver } from 'type-graphql';
import { Access } from '../../../core/access.js';
import type { RequestContext } from '../../../core/context.js';
import { InputArg } from '../../../core/marks.js';
import { Mutation } from '../../../core/root-fields.js';
import type { MedicineReminder } from '../reminder/medicine-reminder.types.js';
import { mayEdit } from '../reminder/reminder.access.js';
import { showReminder } from '../reminder/shown-reminder.service.js';
import { MoveMedicineCourseInput } from './course.inputs.js';
import { moveMedicineCourse } from './course.service.js';
import { MoveMedicineCoursePayload } from './course.types.js';

@Resolver()
export class CourseResolver {
  @Access(mayEdit('medicine'))
  @Mutation(() => MoveMedicineCoursePayload, {
    description:
      'Moves a course of so many days or doses that was never begun: its end and the steps of its ' +
      'amounts move along. What was missed until now stays missed. REMINDER_NOT_FOUND, FORBIDDEN, ' +
      'CONFLICT, COURSE_BEGUN, COURSE_ENDLESS, DATE_INVALID.',
  })
  async moveMedicineCourse(
    @Ctx() context: RequestContext,
    @InputArg(MoveMedicineCourseInput) input: MoveMedicineCourseInput,
  ): Promise<MoveMedicineCoursePayload> {
    const reminder = await showReminder(context, await moveMedicineCourse(context, input));
    return new MoveMedicineCoursePayload(reminder as MedicineReminder);
  }
}
