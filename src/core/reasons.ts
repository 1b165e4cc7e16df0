/**
 * All reasons for which the service refuses a request, with their meaning. The names are part of
 * the interface: GraphQL shows them in `extensions.code`, and `rest/errors` maps each to a status
 * and a code.
 */
export const REASONS = {
  // The viewer and credentials
  UNAUTHENTICATED: 'Sign in first.',
  INVALID_CREDENTIALS: 'No account has this name and password.',
  TOKEN_EXPIRED: 'The access token has expired. Refresh it.',
  TOKEN_INVALID: 'The access token is malformed, or its session has ended. Sign in again.',
  REFRESH_TOKEN_INVALID: 'The refresh token is malformed, too old, or was used before.',
  PASSWORD_WRONG: 'The present password that came along is not right.',
  SIGN_IN_AGAIN: 'The account has no password, and the session began over 10 minutes ago.',
  FORBIDDEN: 'The viewer may not do this.',
  FORBIDDEN_CONTEXT: 'The viewer may not read the fields for editing.',
  FORBIDDEN_CREATE: 'The viewer may not create this, or not for this author.',
  FORBIDDEN_CREATE_TERM: 'The viewer may not create terms.',
  FORBIDDEN_DELETE: 'The viewer may not delete this.',
  FORBIDDEN_EDIT: 'The viewer may not edit this.',
  FORBIDDEN_EDIT_OTHERS: 'The viewer may not edit what other authors wrote.',
  FORBIDDEN_EDIT_TERM: 'The viewer may not edit terms.',
  FORBIDDEN_PUBLISH: 'The viewer may not publish.',
  FORBIDDEN_READ: 'The viewer may not read this.',
  FORBIDDEN_STATUS: 'The viewer may not list items of this status.',
  FORBIDDEN_STICKY: 'The viewer may not make posts sticky.',

  // Limits and the state of the service
  TOO_MANY_REQUESTS: 'A limit is reached. `retryAfter` says in how many seconds to try again.',
  TOO_MANY_SUBSCRIPTIONS: 'The account or the address has as many subscriptions as allowed.',
  TOO_EXPENSIVE: 'The statements of a request without an account took longer than a second.',
  TOO_MANY: 'A list holds more entries than it may.',
  UNAVAILABLE: 'The database does not answer, or takes no writes. Try again.',
  CONFLICT: 'What is to be changed has changed since it was read.',
  CURSOR_INVALID: 'The cursor names no position of this list.',
  PAGE_SIZES_BOTH: '`first` and `last` exclude each other.',
  ID_INVALID: 'The id is none, or that of another type.',
  IDEMPOTENCY_KEY_INVALID: 'The Idempotency-Key is not 1 to 200 visible ASCII characters.',
  IDEMPOTENCY_KEY_REUSED: 'This Idempotency-Key was used for another request.',
  IDEMPOTENCY_KEY_IN_USE: 'A request with this Idempotency-Key is still running.',
  PAGE_OUT_OF_RANGE: 'The list has no such page.',
  SEARCH_REQUIRED: 'The order by relevance needs a search.',
  INCLUDE_REQUIRED: 'The order by `include` needs ids to include.',

  // Accounts and sign-in
  USER_NOT_FOUND: 'There is no such account.',
  USERNAME_EXISTS: 'Another account has this user name.',
  USERNAME_INVALID: 'A user name has 1 to 60 letters, digits, spaces and . _ - @.',
  EMAIL_EXISTS: 'Another account has this e-mail address.',
  EMAIL_REQUIRED: 'An e-mail address is needed.',
  EMAIL_UNPROVEN: 'The viewer has not proven the e-mail address of the account yet.',
  PASSWORD_INVALID: 'The new password has fewer than 8 or more than 256 characters.',
  LANGUAGE_UNKNOWN: 'No language has this id.',
  ROLES_INVALID: 'An account has at least one role.',
  LAST_ADMINISTRATOR: 'The only administrator can neither leave nor lose the role.',
  LAST_SIGN_IN: 'Without this identity nothing would sign in to the account.',
  IDENTITY_NOT_FOUND: 'The account has no such identity at a provider.',
  SESSION_NOT_FOUND: 'The viewer has no such session.',
  SIGN_IN_CODE_INVALID: 'The mailed code is wrong, used or too old.',
  PROVIDER_NOT_CONFIGURED: 'The identity provider is not configured.',
  PROVIDER_TOKEN_INVALID: 'The token of the identity provider is not valid.',
  PROVIDER_TOKEN_USED: 'The token of the identity provider has signed in before.',
  PROVIDER_UNAVAILABLE: 'The identity provider does not answer. Try again.',
  APPLICATION_PASSWORD_NOT_FOUND: 'There is no such application password.',
  APPLICATION_PASSWORD_NOT_USED: 'The request was not signed in by an application password.',
  PASSWORD_LINK_INVALID: 'The link for a new password was used or is too old.',
  RESET_EMAIL_REQUIRED: 'The reset of a password needs an e-mail address.',
  CODE_REQUIRED: 'The reset of a password needs the mailed code.',
  NEW_PASSWORD_REQUIRED: 'The reset of a password needs a new password.',
  RESET_CODE_WRONG: 'The reset code is wrong, used or too old.',

  // Care
  MEMBER_NOT_FOUND: 'There is no such member, or the viewer may not know of them.',
  CLINICIAN_INVALID: 'The account is not that of a clinician.',
  CARE_NOT_FOUND: 'The member is not assigned to this account.',
  CARE_SELF: 'Nobody is a carer of themselves.',
  CARE_TOO_MANY: 'The member has as many carers or invitations as allowed.',
  CARE_CODE_INVALID: 'The code of the invitation is wrong, used or too old.',
  CARE_INVITATION_NOT_FOUND: 'The viewer has made no such invitation.',
  CARE_ORDER_INVALID: 'The order of carers must name each of them once.',

  // Reminders
  REMINDER_NOT_FOUND: 'There is no such reminder, or the viewer may not know of it.',
  OCCURRENCE_NOT_FOUND: 'The reminder has no occurrence at this time.',
  DATE_INVALID: 'A date or time is not written in a way that leaves no doubt.',
  END_BEFORE_START: 'The end lies before the start.',
  REMIND_BEFORE_INVALID: 'The lead of the reminder is not a length of time.',
  RANGE_TOO_LONG: 'The range has more days than can be asked for at once.',
  TOO_MANY_EVENTS: 'The range holds more events than can be answered at once.',
  TOO_MANY_REMINDERS: 'The member has as many reminders as allowed.',
  TOO_MANY_MEMBERS: 'More members are named than can be answered at once.',
  ALREADY_TAKEN: 'The dose was taken already.',
  NOTHING_LOGGED: 'There is no answer to take back.',
  TIME_INVALID: 'The time of what was taken lies in the future, or is none.',
  TOO_EARLY: 'A dose is answered for from 24 hours before its time.',
  TOO_LATE: 'A dose is put off until 24 hours after its time.',
  UNSCHEDULED: 'An appointment without a date cannot be attended.',
  TIMES_INVALID: 'The usual times are not clock times in their order.',
  ZONE_INVALID: 'The time zone is not an IANA name such as Europe/Berlin.',

  // Messages
  TITLE_REQUIRED: 'A message needs a title.',
  PUSH_TOO_LARGE: 'The message is larger than what providers of push take.',
  PUSH_TOKEN_INVALID: 'The push token is of no known kind.',
  SEND_AT_INVALID: 'The time of the message is none, or lies too far away.',
  QUIET_HOURS_INVALID: 'Quiet hours need a start and another end, or neither.',
  DEVICE_NOT_FOUND: 'The viewer has no such device.',
  OUTLOOK_NOT_CONFIGURED: 'No mailbox can be connected: its application is not configured.',
  OUTLOOK_UNREACHABLE: 'The server that connects mailboxes does not answer. Try again.',

  // Content
  POST_NOT_FOUND: 'There is no such item.',
  POST_EXISTS: 'A new item must not bring an id.',
  POST_PASSWORD_WRONG: 'The password of the item is not right.',
  ALREADY_TRASHED: 'The item is in the trash already.',
  TRASH_NOT_SUPPORTED: 'Items of this kind have no trash; delete them for good.',
  CONTENT_EMPTY: 'Content, title and excerpt are all empty.',
  PARENT_INVALID: 'There is no such parent.',
  AUTHOR_INVALID: 'There is no such author.',
  AUTHOR_NOT_FOUND: 'There is no such author.',
  TEMPLATE_UNKNOWN: 'The site has no such template.',
  FIELD_INVALID: 'These fields cannot be set together.',
  META_INVALID: 'The value does not fit the type of the meta field.',
  NO_AUTOSAVE: 'The item has no autosave of the viewer.',
  REVISION_PARENT_INVALID: 'There is no such item to have revisions.',
  REVISION_PARENT_MISMATCH: 'The revision belongs to another item.',
  REVISION_PAGE_OUT_OF_RANGE: 'The list of revisions has no such page.',
  REVISION_OFFSET_OUT_OF_RANGE: 'The list of revisions is shorter than the offset.',
  MEDIA_NOT_FOUND: 'There is no such medium.',
  MEDIA_ITEM_INVALID: 'There is no such item to attach the medium to.',
  SIZES_INVALID: 'The medium has more sizes than allowed.',
  TERM_NOT_FOUND: 'There is no such term.',
  TERM_IN_USE: 'The default category cannot be deleted.',
  TERM_NAME_INVALID: 'A term needs a name with letters or digits.',
  TERM_PARENT_INVALID: 'The parent is of another taxonomy, or below the term itself.',

  // Polls and policies
  POLL_NOT_FOUND: 'There is no such poll.',
  POLL_NOT_OPEN: 'The poll is not open yet.',
  POLL_CLOSED: 'The poll is closed.',
  POLL_OPTIONS_INVALID: 'The options are none of the poll, or too many of them.',
  POLL_TIMES_INVALID: 'A poll closes after it opens.',
  POLL_ANSWERED: 'The options of a poll that has answers stay as they are.',
  NOTHING_TO_AGREE: 'There is no statement or policy to agree to.',
  POLICY_NOT_FOUND: 'There is no such policy.',
  POLICY_IN_FORCE: 'A policy that is or was in force stays as it is.',
  IMPORT_FAILED: 'What is to be imported cannot be read.',
  // Content models
  MODEL_NOT_FOUND:
    'There is no such model, group, field or item, or the viewer may not know of it.',
  MODEL_EXISTS: 'Another model, or another part of the model, has this name.',
  MODEL_NAME_INVALID: 'A name has 1 to 100 letters of a to z, digits, - and _.',
  MODEL_NAME_RESERVED: 'The service uses this name itself.',
  MODEL_NAME_REQUIRED: 'A name or a label is needed.',
  MODEL_NOT_EXTENDABLE: 'Models of this kind extend nothing.',
  MODEL_TEXT_TOO_LONG: 'A label, a description or an option is too long.',
  MODEL_WOULD_LOSE: 'Values of items would be lost. `lost` says how many.',
  MODEL_VALUES_MISSING: 'Items lack a value that becomes required. `missing` says how many.',
  MODEL_FIELD_UNKNOWN: 'The model has no such field, or it cannot be used so.',
  MODEL_VALUE_INVALID: 'The value breaks the rule of its field.',
  MODEL_VALUE_REQUIRED: 'The field must have a value.',
  MODEL_FILE_INVALID: 'The file is no export of models.',
  // Videos and quotes
  VIDEO_NOT_FOUND: 'There is no such video.',
  QUOTE_NOT_FOUND: 'There is no such quote, or none to show on this day.',

  // The directory
  SERVICE_NOT_FOUND: 'There is no such healthcare service.',
  SERVICE_TYPE_NOT_FOUND: 'There is no such type of healthcare services.',
  SERVICE_TYPE_PARENT_INVALID: 'The type above is below the type itself, or the tree is too deep.',
  NEAR_INVALID: 'A place to search around needs latitude and longitude.',
  PHONE_INVALID: 'The telephone number is not valid in any country.',
  CSV_INVALID: 'The text is no CSV with a known header, or has too many rows.',

  // Forms
  FORM_NOT_FOUND: 'There is no such form, or it is closed.',
  FORM_BOUNDS_INVALID: 'The least score of a form is above the most.',
  FORM_SUBMISSION_NOT_FOUND: 'There is no such submission.',
  PLATFORM_INVALID: 'The platform is not known.',
  SCORE_INVALID: 'The score has more than two decimals, or is not within the bounds of the form.',

  // The service
  TITLE_INVALID: 'The title is empty or has several lines.',
  AUDIT_RETENTION: 'The last 24 hours of the audit cannot be pruned.',
} as const satisfies Readonly<Record<string, string>>;

/** A reason for which the service refuses a request. */
export type Reason = keyof typeof REASONS;

/** Returns whether a code is the name of a reason. */
export const isReason = (code: unknown): code is Reason =>
  typeof code === 'string' && Object.hasOwn(REASONS, code);

/** Reasons that only internal arguments and fields lead to: GraphQL callers never meet them. */
export const INTERNAL_REASONS: ReadonlySet<string> = new Set<Reason>([
  'FORBIDDEN_CONTEXT',
  'INCLUDE_REQUIRED',
  'META_INVALID',
  'PAGE_OUT_OF_RANGE',
  'REVISION_OFFSET_OUT_OF_RANGE',
  'REVISION_PAGE_OUT_OF_RANGE',
  'REVISION_PARENT_MISMATCH',
  'TEMPLATE_UNKNOWN',
  'TRASH_NOT_SUPPORTED',
]);
