// Over 300 lines: it is the table of all refusals, with a line for each reason.
import type { GraphQLError } from 'graphql';
import { DomainError, type Refusal } from '../core/errors.js';
import { isReason, type Reason } from '../core/reasons.js';
import { type Failure, failure } from './message.js';
import type { Operation } from './operation/operation.js';

/**
 * `denied` is 401 for the anonymous, 403 for the signed in. With 400, a `param` makes the refusal
 * one about that parameter.
 */
type RestError = readonly [status: number | 'denied', code: string];

/** The table from reasons to statuses and codes of the REST interface. Each reason has a row. */
const ANSWERS: Readonly<Record<Reason, RestError>> = {
  POST_NOT_FOUND: [404, 'rest_post_invalid_id'],
  REVISION_PARENT_INVALID: [404, 'rest_post_invalid_parent'],
  REVISION_PARENT_MISMATCH: [404, 'rest_revision_parent_id_mismatch'],
  REVISION_PAGE_OUT_OF_RANGE: [400, 'rest_revision_invalid_page_number'],
  REVISION_OFFSET_OUT_OF_RANGE: [400, 'rest_revision_invalid_offset_number'],
  NO_AUTOSAVE: [404, 'rest_post_no_autosave'],
  TRASH_NOT_SUPPORTED: [501, 'rest_trash_not_supported'],
  FORBIDDEN_READ: ['denied', 'rest_cannot_read'],
  MEDIA_NOT_FOUND: [404, 'rest_post_invalid_id'],
  TERM_NOT_FOUND: [404, 'rest_term_invalid'],
  AUTHOR_NOT_FOUND: [404, 'rest_user_invalid_id'],
  POST_EXISTS: [400, 'rest_post_exists'],
  POST_PASSWORD_WRONG: [403, 'rest_post_incorrect_password'],
  FORBIDDEN: ['denied', 'rest_forbidden'],
  UNAUTHENTICATED: ['denied', 'rest_forbidden'],
  FORBIDDEN_CONTEXT: ['denied', 'rest_forbidden_context'],
  FORBIDDEN_CREATE: ['denied', 'rest_cannot_create'],
  FORBIDDEN_EDIT: ['denied', 'rest_cannot_edit'],
  FORBIDDEN_DELETE: ['denied', 'rest_cannot_delete'],
  FORBIDDEN_PUBLISH: ['denied', 'rest_cannot_publish'],
  FORBIDDEN_EDIT_OTHERS: ['denied', 'rest_cannot_edit_others'],
  FORBIDDEN_STICKY: ['denied', 'rest_cannot_assign_sticky'],
  FORBIDDEN_STATUS: [400, 'rest_forbidden_status'],
  TEMPLATE_UNKNOWN: [400, 'rest_invalid_param'],
  PARENT_INVALID: [400, 'rest_post_invalid_id'],
  AUTHOR_INVALID: [400, 'rest_invalid_author'],
  FIELD_INVALID: [400, 'rest_invalid_field'],
  META_INVALID: [400, 'rest_invalid_type'],
  CONTENT_EMPTY: [400, 'empty_content'],
  ALREADY_TRASHED: [410, 'rest_already_trashed'],
  ROLLED_BACK: [409, 'rest_rolled_back'],
  NOT_TRASHED: [409, 'rest_not_trashed'],
  CONFLICT: [409, 'rest_conflict'],
  TOO_MANY_SUBSCRIPTIONS: [429, 'too_many_requests'],
  TOO_EXPENSIVE: [400, 'rest_too_expensive'],
  PAGE_OUT_OF_RANGE: [400, 'rest_post_invalid_page_number'],
  SEARCH_REQUIRED: [400, 'rest_no_search_term_defined'],
  INCLUDE_REQUIRED: [400, 'rest_orderby_include_missing_include'],
  REMINDER_NOT_FOUND: [404, 'rest_reminder_invalid_id'],
  DATE_INVALID: [400, 'rest_invalid_date'],
  END_BEFORE_START: [400, 'rest_end_before_start'],
  REMIND_BEFORE_INVALID: [400, 'rest_invalid_duration'],
  RANGE_TOO_LONG: [400, 'rest_range_too_long'],
  TOO_MANY_EVENTS: [400, 'rest_too_many_events'],
  TOO_MANY_REMINDERS: [400, 'rest_too_many_reminders'],
  ACCOUNT_SUSPENDED: [403, 'account_suspended'],
  INVALID_CREDENTIALS: [401, 'invalid_credentials'],
  REFRESH_TOKEN_INVALID: [401, 'refresh_token_invalid'],
  EMAIL_EXISTS: [409, 'email_exists'],
  EMAIL_REQUIRED: [400, 'email_required'],
  PASSWORD_INVALID: [400, 'password_invalid'],
  LANGUAGE_UNKNOWN: [400, 'language_unknown'],
  APPLICATION_PASSWORD_NOT_USED: [404, 'rest_no_authenticated_app_password'],
  PROVIDER_NOT_CONFIGURED: [501, 'provider_not_configured'],
  PROVIDER_TOKEN_INVALID: [401, 'invalid_credentials'],
  PROVIDER_TOKEN_USED: [401, 'invalid_credentials'],
  PROVIDER_UNAVAILABLE: [503, 'provider_unavailable'],
  RESET_EMAIL_REQUIRED: [400, 'no_email'],
  CODE_REQUIRED: [400, 'no_code'],
  NEW_PASSWORD_REQUIRED: [400, 'no_code'],
  RESET_CODE_WRONG: [400, 'bad_request'],
  TOKEN_EXPIRED: [401, 'token_expired'],
  TOKEN_INVALID: [401, 'token_invalid'],
  TOO_MANY_REQUESTS: [429, 'too_many_requests'],
  TITLE_REQUIRED: [400, 'rest_missing_callback_param'],
  PUSH_TOO_LARGE: [400, 'rest_push_too_large'],
  PUSH_TOKEN_INVALID: [400, 'rest_push_token_invalid'],
  SEND_AT_INVALID: [400, 'rest_invalid_date'],
  TOO_MANY: [400, 'rest_too_many_items'],
  TOO_MANY_DIMENSIONS: [400, 'rest_too_many_dimensions'],
  REPORT_BUDGET_SPENT: [429, 'rest_report_budget_spent'],
  ORDER_INVALID: [400, 'rest_invalid_order'],
  FILTER_INVALID: [400, 'rest_invalid_filter'],
  TOP_INVALID: [400, 'rest_invalid_top'],
  SERIES_INVALID: [400, 'rest_invalid_series'],
  IDEMPOTENCY_KEY_INVALID: [400, 'idempotency_key_invalid'],
  IDEMPOTENCY_KEY_REUSED: [422, 'idempotency_key_reused'],
  IDEMPOTENCY_KEY_IN_USE: [409, 'idempotency_key_in_use'],
  POLL_NOT_FOUND: [404, 'rest_poll_invalid_id'],
  POLL_NOT_OPEN: [409, 'rest_poll_not_open'],
  POLL_CLOSED: [409, 'rest_poll_closed'],
  POLL_OPTIONS_INVALID: [400, 'rest_poll_invalid_options'],
  POLL_QUESTION_REQUIRED: [400, 'rest_poll_question_required'],
  POLL_TIMES_INVALID: [400, 'rest_invalid_date'],
  POLL_ANSWERED: [409, 'rest_poll_answered'],
  NOTHING_TO_AGREE: [404, 'rest_nothing_to_agree'],
  POLICY_NOT_FOUND: [404, 'rest_policy_invalid_id'],
  POLICY_IN_FORCE: [409, 'rest_policy_in_force'],
  IMPORT_FAILED: [502, 'import_failed'],
  UNAVAILABLE: [503, 'service_unavailable'],
  PASSWORD_WRONG: [403, 'password_wrong'],
  SIGN_IN_AGAIN: [403, 'sign_in_again'],
  FORBIDDEN_CREATE_TERM: ['denied', 'rest_cannot_create'],
  FORBIDDEN_EDIT_TERM: ['denied', 'rest_cannot_edit'],
  CURSOR_INVALID: [400, 'rest_invalid_cursor'],
  PAGE_SIZES_BOTH: [400, 'rest_invalid_page_sizes'],
  ID_INVALID: [400, 'rest_invalid_id'],
  USER_NOT_FOUND: [404, 'rest_user_invalid_id'],
  USERNAME_EXISTS: [409, 'username_exists'],
  USERNAME_INVALID: [400, 'username_invalid'],
  EMAIL_UNPROVEN: [403, 'email_unproven'],
  LAST_ADMINISTRATOR: [409, 'last_administrator'],
  OWN_ACCOUNT: [409, 'own_account'],
  LAST_SIGN_IN: [409, 'last_sign_in'],
  IDENTITY_NOT_FOUND: [404, 'identity_not_found'],
  SESSION_NOT_FOUND: [404, 'session_not_found'],
  SIGN_IN_CODE_INVALID: [401, 'invalid_credentials'],
  APPLICATION_PASSWORD_NOT_FOUND: [404, 'rest_application_password_not_found'],
  PASSWORD_LINK_INVALID: [400, 'password_link_invalid'],
  MEMBER_NOT_FOUND: [404, 'rest_user_invalid_id'],
  CLINICIAN_INVALID: [400, 'clinician_invalid'],
  CARE_NOT_FOUND: [404, 'care_not_found'],
  BREAK_GLASS_NOT_FOUND: [404, 'break_glass_not_found'],
  LOOKUP_INVALID: [400, 'lookup_invalid'],
  CARE_SELF: [400, 'care_self'],
  CARE_TOO_MANY: [400, 'care_too_many'],
  CARE_CODE_INVALID: [400, 'care_code_invalid'],
  CARE_INVITATION_NOT_FOUND: [404, 'care_invitation_not_found'],
  CARE_ORDER_INVALID: [400, 'care_order_invalid'],
  OCCURRENCE_NOT_FOUND: [404, 'rest_occurrence_invalid_id'],
  TOO_MANY_MEMBERS: [400, 'rest_too_many_members'],
  ALREADY_TAKEN: [409, 'rest_already_taken'],
  NOTHING_LOGGED: [409, 'rest_nothing_logged'],
  TIME_INVALID: [400, 'rest_invalid_date'],
  MEANING_INVALID: [400, 'rest_invalid_meaning'],
  AMOUNTS_INVALID: [400, 'rest_invalid_amounts'],
  STOCK_INVALID: [400, 'rest_invalid_stock'],
  STOCK_UNKNOWN: [409, 'rest_stock_unknown'],
  COURSE_BEGUN: [409, 'rest_course_begun'],
  COURSE_ENDLESS: [409, 'rest_course_endless'],
  PAUSE_INVALID: [400, 'rest_invalid_date'],
  PAUSE_OVERLAPS: [409, 'rest_pause_overlaps'],
  NOT_PAUSED: [409, 'rest_not_paused'],
  TOO_EARLY: [409, 'rest_too_early'],
  TOO_LATE: [409, 'rest_too_late'],
  UNSCHEDULED: [409, 'rest_unscheduled'],
  SCHEDULE_INVALID: [400, 'rest_invalid_param'],
  SCHEDULE_NEVER: [400, 'rest_invalid_param'],
  TIMES_INVALID: [400, 'rest_invalid_times'],
  ZONE_INVALID: [400, 'rest_invalid_time_zone'],
  QUIET_HOURS_INVALID: [400, 'rest_invalid_quiet_hours'],
  DEVICE_NOT_FOUND: [404, 'rest_device_invalid_id'],
  CHANNEL_NOT_FOUND: [404, 'rest_channel_invalid_id'],
  CHANNELS_NOT_CONFIGURED: [501, 'rest_channels_not_configured'],
  CHANNEL_ADDRESS_INVALID: [400, 'rest_invalid_param'],
  ACCOUNT_TOO_YOUNG: [403, 'account_too_young'],
  CHANNEL_ADDRESS_GONE: [400, 'rest_channel_address_gone'],
  CHANNEL_UNREACHABLE: [503, 'rest_channel_unreachable'],
  CHANNEL_CODE_INVALID: [400, 'rest_channel_code_invalid'],
  CHANNEL_UNVERIFIED: [409, 'rest_channel_unverified'],
  OUTLOOK_NOT_CONFIGURED: [501, 'outlook_not_configured'],
  OUTLOOK_UNREACHABLE: [503, 'outlook_unreachable'],
  MEDIA_ADDRESS_PRIVATE: [400, 'rest_invalid_param'],
  MEDIA_ITEM_INVALID: [400, 'rest_post_invalid_id'],
  MEDIA_SOURCE_INVALID: [400, 'rest_invalid_param'],
  UPLOAD_NOT_FOUND: [404, 'rest_upload_invalid_id'],
  UPLOAD_USED: [409, 'rest_upload_used'],
  UPLOAD_MISSING: [409, 'rest_upload_missing'],
  UPLOAD_TOO_LARGE: [413, 'rest_upload_file_too_big'],
  UPLOADS_TOO_MANY: [409, 'rest_upload_limited_space'],
  UPLOAD_SIZE_WRONG: [400, 'rest_upload_size_wrong'],
  UPLOAD_CHANGED: [409, 'rest_upload_changed'],
  FILE_TYPE_REFUSED: [400, 'rest_upload_unknown_error'],
  FILE_UNREADABLE: [400, 'rest_upload_image_error'],
  SIZES_INVALID: [400, 'rest_too_many_items'],
  TERM_IN_USE: [409, 'rest_term_in_use'],
  TERM_NAME_INVALID: [400, 'rest_term_name_invalid'],
  TERM_PARENT_INVALID: [400, 'rest_term_parent_invalid'],
  MODEL_NOT_FOUND: [404, 'rest-object-not-found'],
  MODEL_EXISTS: [409, 'rest-object-not-added-already-exists'],
  MODEL_NAME_INVALID: [400, 'rest_invalid_param'],
  MODEL_NAME_RESERVED: [400, 'rest_invalid_param'],
  MODEL_NAME_REQUIRED: [400, 'rest-object-not-added-fields-required'],
  MODEL_NOT_EXTENDABLE: [400, 'rest-object-extend-type-not-supported'],
  MODEL_TEXT_TOO_LONG: [400, 'rest_invalid_param'],
  MODEL_WOULD_LOSE: [409, 'rest-object-would-lose-values'],
  MODEL_VALUES_MISSING: [409, 'rest-object-values-missing'],
  MODEL_FIELD_UNKNOWN: [400, 'rest_invalid_param'],
  MODEL_VALUE_INVALID: [400, 'rest_invalid_param'],
  MODEL_VALUE_REQUIRED: [400, 'rest_invalid_param'],
  MODEL_FILE_INVALID: [400, 'rest_invalid_param'],
  TITLE_INVALID: [400, 'rest_title_invalid'],
  VIDEO_NOT_FOUND: [404, 'rest_video_invalid_id'],
  EMBED_NOT_FOUND: [404, 'oembed_invalid_url'],
  SAVED_REPORT_NOT_FOUND: [404, 'rest_saved_report_invalid_id'],
  SAVED_REPORTS_FULL: [409, 'rest_saved_reports_full'],
  REPORT_RECIPIENT_INVALID: [400, 'rest_report_recipient_invalid'],
  REPORT_MAILING_NOT_FOUND: [404, 'rest_report_mailing_invalid_id'],
  REPORT_EMBED_NOT_FOUND: [404, 'rest_report_embed_invalid_id'],
  REPORT_EMBEDS_FULL: [409, 'rest_report_embeds_full'],
  REPORT_NOT_EMBEDDABLE: [400, 'rest_report_not_embeddable'],
  REPORT_DOCUMENT_INVALID: [400, 'rest_report_document_invalid'],
  QUOTE_NOT_FOUND: [404, 'rest_quote_invalid_id'],
  SERVICE_NOT_FOUND: [404, 'rest_service_invalid_id'],
  SERVICE_TYPE_NOT_FOUND: [404, 'rest_service_type_invalid_id'],
  SERVICE_TYPE_PARENT_INVALID: [400, 'rest_service_type_invalid_parent'],
  NEAR_INVALID: [400, 'rest_invalid_param'],
  PHONE_INVALID: [400, 'rest_invalid_phone'],
  CSV_INVALID: [400, 'rest_invalid_csv'],
  FORM_NOT_FOUND: [400, 'rest_form_invalid_id'],
  FORM_BOUNDS_INVALID: [400, 'rest_invalid_param'],
  FORM_SUBMISSION_NOT_FOUND: [404, 'rest_form_submission_invalid_id'],
  PLATFORM_INVALID: [400, 'rest_invalid_platform'],
  SCORE_INVALID: [400, 'rest_invalid_score'],
  AUDIT_RETENTION: [409, 'audit_retention'],
};

/** Returns the REST response to a refusal. */
export function failureOf({ reason, message, param, detail }: Refusal, signedIn: boolean): Failure {
  const [kind, code] = ANSWERS[reason];
  const status = kind === 'denied' ? (signedIn ? 403 : 401) : kind;
  if (!param || status !== 400) return failure(status, code, message, detail && { ...detail });
  return invalidParameters({
    [param]: {
      code,
      message,
      data: code === 'rest_forbidden_status' ? { status: signedIn ? 403 : 401 } : null,
    },
  });
}

export interface Detail {
  readonly code?: string | undefined;
  readonly message: string;
  readonly data: unknown;
}

/**
 * Returns 400 for parameters that do not fit: why, by name, in the order of the route's parameters.
 * `details` is an empty list when every check says "Invalid parameter." alone.
 */
export function invalidParameters(validationErrors: Readonly<Record<string, Detail>>): Failure {
  const params = Object.fromEntries(
    Object.entries(validationErrors).map(([name, { message }]) => [name, message]),
  );
  const details = Object.entries(validationErrors).map(
    ([name, { code = 'rest_invalid_param', message, data }]) => [name, { code, message, data }],
  );
  return failure(
    400,
    'rest_invalid_param',
    `Invalid parameter(s): ${Object.keys(validationErrors).join(', ')}`,
    {
      params,
      details: Object.values(validationErrors).some(({ code }) => code)
        ? Object.fromEntries(details)
        : [],
    },
  );
}

const LONGEST_NAME = 100;

/**
 * Makes a 400 of the first parameter that is not read, because it nests too deep or comes after too
 * many others.
 */
export class Beyond {
  failure: Failure | undefined;

  readonly take = (name: string, why: string): void => {
    const parameter = name.split('[', 1).join().slice(0, LONGEST_NAME);
    this.failure ??= invalidParameters({
      [parameter]: { code: 'rest_invalid_param', message: `${parameter} ${why}`, data: null },
    });
  };
}

export const NO_ROUTE = failure(
  404,
  'rest_no_route',
  'No route was found matching the URL and request method.',
);

/**
 * Returns the REST response to an error of an execution: a refusal by the table; for a variable
 * that its type refused, what the type expects; undefined for a surprise, which the caller logs and
 * answers with 500.
 */
export function failureOfError(
  error: GraphQLError,
  operation: Pick<Operation, 'inParameters'>,
  signedIn: boolean,
): Failure | undefined {
  const cause = error.originalError instanceof DomainError ? error.originalError : error;
  if (cause instanceof DomainError)
    return failureOf(operation.inParameters(cause.refusal), signedIn);
  const reason = error.extensions?.code;
  if (isReason(reason))
    return failureOf({ reason, message: (error.originalError ?? error).message }, signedIn);
  const [, variable] = /^Variable "\$(\w+)"/.exec(error.message) ?? [];
  if (!variable) return undefined;
  const [, expected] = /^\w+ must be (.*)$/.exec(error.originalError?.message ?? '') ?? [];
  const message = expected ? `${variable} must be ${expected}` : 'Invalid parameter.';
  return invalidParameters({ [variable]: { message, data: null } });
}
