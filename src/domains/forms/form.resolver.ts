import { Arg, Args, Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import { Access, anyone, capable } from '../../core/access.js';
import type { RequestContext } from '../../core/context.js';
import { Rows } from '../../core/cost.js';
import { Judge, refusalsOf } from '../../core/judgement.js';
import { InputArg, Internal } from '../../core/marks.js';
import { type Order, OrderBy } from '../../core/ordering.js';
import { type Page, PageArgs } from '../../core/paging.js';
import { Mutation, Query } from '../../core/root-fields.js';
import {
  CreateFormInput,
  DeleteFormSubmissionInput,
  FileSubmissionInput,
  FormSubmissionFilter,
  SubmitFormInput,
  UpdateFormInput,
} from './form.inputs.js';
import { createForm, listForms, loadForms, refuseScore, updateForm } from './form.service.js';
import {
  CreateFormPayload,
  DeleteFormSubmissionPayload,
  Form,
  FormSubmission,
  FormSubmissionConnection,
  SubmitFormPayload,
  UpdateFormPayload,
} from './form.types.js';
import { phoneOf, platformOf, submitForm } from './submission.service.js';
import { fileSubmission } from './submission-filing.service.js';
import { deleteSubmission, listSubmissions, SUBMISSION_ORDERS } from './submission-list.service.js';

/** REST leaves out what does not fit its type: it is told beside what is judged. */
const JudgeSubmission = () =>
  Judge((_context: RequestContext, { input }: { input: Partial<SubmitFormInput> }) => {
    const { phone, country, platform, score } = input;
    return refusalsOf(
      () => phone !== undefined && phoneOf({ phone, country: country ?? null }),
      () => platform !== undefined && platformOf({ platform }),
      () => score !== undefined && refuseScore(score, 'score'),
    );
  });

/** Root fields and fields of forms. */
@Resolver(() => FormSubmission)
export class FormResolver {
  @Access(anyone)
  @JudgeSubmission()
  @Mutation(() => SubmitFormPayload, {
    description:
      'Sends a form; 10 an hour from one address. FORM_NOT_FOUND, PHONE_INVALID, ' +
      'PLATFORM_INVALID, SCORE_INVALID, TOO_MANY_REQUESTS.',
  })
  async submitForm(
    @Ctx() context: RequestContext,
    @InputArg(SubmitFormInput) input: SubmitFormInput,
  ): Promise<SubmitFormPayload> {
    return submitForm(context, input);
  }

  @Internal()
  @Access(anyone)
  @Mutation(() => SubmitFormPayload, {
    description:
      'Takes in what an app sends by a form, whatever it is; 10 an hour from one address. The same ' +
      'within ten minutes is a retry. TOO_MANY_REQUESTS.',
  })
  async fileSubmission(
    @Ctx() context: RequestContext,
    @InputArg(FileSubmissionInput) input: FileSubmissionInput,
  ): Promise<SubmitFormPayload> {
    return fileSubmission(context, input);
  }

  @Access(capable('read_forms'))
  @Rows(200)
  @Query(() => [Form], { description: 'All forms, at most 200. For staff.' })
  async forms(@Ctx() context: RequestContext): Promise<Form[]> {
    return listForms(context);
  }

  @Access(capable('read_forms'))
  @Rows(20)
  @Query(() => FormSubmissionConnection, {
    description:
      'What people sent by forms, newest first; 20 unless said otherwise. For staff; audited. ' +
      'CURSOR_INVALID, PAGE_SIZES_BOTH.',
  })
  async formSubmissions(
    @Ctx() context: RequestContext,
    @Arg('filter', () => FormSubmissionFilter, {
      nullable: true,
      description: 'Which submissions. Default: all.',
    })
    filter: FormSubmissionFilter | null | undefined,
    @Args(() => PageArgs) page: PageArgs,
    @OrderBy(SUBMISSION_ORDERS) order: Order | null | undefined,
  ): Promise<Page<FormSubmission>> {
    return listSubmissions(context, filter ?? {}, page, order);
  }

  @Access(capable('manage_options'))
  @Mutation(() => CreateFormPayload, {
    description:
      'Makes a form. For administrators; audited. FORM_BOUNDS_INVALID, SCORE_INVALID, TOO_MANY.',
  })
  async createForm(
    @Ctx() context: RequestContext,
    @InputArg(CreateFormInput) input: CreateFormInput,
  ): Promise<{ form: Form }> {
    return { form: await createForm(context, input) };
  }

  @Access(capable('manage_options'))
  @Mutation(() => UpdateFormPayload, {
    description: 'Changes a form. For administrators; audited. FORM_NOT_FOUND.',
  })
  async updateForm(
    @Ctx() context: RequestContext,
    @InputArg(UpdateFormInput) input: UpdateFormInput,
  ): Promise<{ form: Form }> {
    return { form: await updateForm(context, input) };
  }

  @Access(capable('manage_options'))
  @Mutation(() => DeleteFormSubmissionPayload, {
    description:
      'Deletes a submission for good. For administrators; audited. FORM_SUBMISSION_NOT_FOUND.',
  })
  async deleteFormSubmission(
    @Ctx() context: RequestContext,
    @InputArg(DeleteFormSubmissionInput) input: DeleteFormSubmissionInput,
  ): Promise<{ submission: FormSubmission }> {
    return { submission: await deleteSubmission(context, input) };
  }

  @Access(anyone)
  @FieldResolver(() => Form, { nullable: true, description: 'The form.' })
  async form(
    @Ctx() context: RequestContext,
    @Root() { formId }: FormSubmission,
  ): Promise<Form | undefined> {
    return formId === null ? undefined : context.loader(loadForms).load(formId);
  }
}
