import { CheckFailed } from '../check.js';
import { AccountTokens, type ServiceAccount } from './fcm-account.js';
import { dataOf, isTooLarge, textsOf } from './payload.js';
import type { Outcome, PushMessage, PushTransport } from './push-transport.js';
import { type ProviderResponse, post } from './request.js';
import { isWellFormed } from './token.js';
import { byStatus, FCM, type Verdict } from './verdicts.js';

/**
 * Firebase Cloud Messaging, HTTP v1: one message in each request, with a response at once. The
 * worker repeats messages.
 */
export class FcmTransport implements PushTransport {
  readonly name = 'fcm';
  readonly batch = 1;
  readonly concurrency = 100;
  readonly #tokens: AccountTokens;
  /** Whether FCM has accepted a message since the start. Then payloads and account are valid. */
  #proven = false;

  /** `url` is the origin of the service. */
  constructor(private readonly options: { url: string; account: ServiceAccount }) {
    this.#tokens = new AccountTokens(options.account);
  }

  send(messages: readonly PushMessage[], { signal }: { signal: AbortSignal }): Promise<Outcome[]> {
    return Promise.all(messages.map((message) => this.#sendOne(message, signal)));
  }

  /** Gets an access token, and lets FCM look at a message to nobody without sending it. */
  async check(signal: AbortSignal): Promise<void> {
    const access = await this.#tokens.get(signal);
    if ('failure' in access) throw new CheckFailed(`No access: ${access.failure}.`);
    const body = JSON.stringify({ validate_only: true, message: { token: 'none' } });
    const { status, failure } = await this.#ask(body, access.token, signal);
    // 400 and 404 are about the message: FCM knows the project and the account.
    if (![200, 400, 404].includes(status))
      throw new CheckFailed(`It answered with ${failure ?? status}.`);
  }

  async #sendOne(message: PushMessage, signal: AbortSignal): Promise<Outcome> {
    if (!isWellFormed(message.token)) return { kind: 'dead', code: 'malformed' };
    if (isTooLarge('fcm', message)) return { kind: 'refused', code: 'MessageTooBig' };
    let access = await this.#tokens.get(signal);
    if ('failure' in access) return { kind: 'retry', code: access.failure };
    let response = await this.#post(message, access.token, signal);
    if (response.status === 401 && errorOf(response.body).code !== 'THIRD_PARTY_AUTH_ERROR') {
      // Tries once more with a new token, because the old one may have been withdrawn before its
      // expiry. The third party is Apple or a push service: it is not about the token.
      access = await this.#tokens.get(signal, access.token);
      if ('failure' in access) return { kind: 'retry', code: access.failure };
      response = await this.#post(message, access.token, signal);
    }
    if (response.status === 200) this.#proven = true;
    return this.#outcomeOf(response);
  }

  #post(message: PushMessage, accessToken: string, signal: AbortSignal): Promise<ProviderResponse> {
    return this.#ask(JSON.stringify({ message: wireMessage(message) }), accessToken, signal);
  }

  #ask(body: string, accessToken: string, signal: AbortSignal): Promise<ProviderResponse> {
    const { url, account } = this.options;
    const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${accessToken}` };
    return post(`${url}/v1/projects/${encodeURIComponent(account.projectId)}/messages:send`, {
      body,
      headers,
      signal,
    });
  }

  #outcomeOf({ status, failure, body, retryAfter }: ProviderResponse): Outcome {
    if (status === 0) return { kind: 'retry', code: failure ?? 'network' };
    if (status === 200) return { kind: 'delivered' };
    const error = errorOf(body);
    const { code } = error;
    const verdict = this.#judge((code && FCM.get(code)) || byStatus(status), error);
    const named = (code ?? String(status)).slice(0, 60);
    if (verdict !== 'retry') return { kind: verdict, code: named };
    return {
      kind: 'retry',
      code: named,
      // FCM's own code is about one device, unless it names the project.
      pause: status === 429 && (code !== 'QUOTA_EXCEEDED' || error.isOfProject),
      ...(retryAfter !== undefined && { after: retryAfter }),
    };
  }

  /** An argument that is invalid is the token's only where FCM says so: a message may be too large. */
  #judge(verdict: Verdict, { code, field, message }: FcmProblem): Exclude<Verdict, 'suspect'> {
    if (verdict !== 'suspect') return verdict;
    if (code !== 'INVALID_ARGUMENT') return this.#proven ? 'dead' : 'refused';
    const isToken = field ? field === 'message.token' : ABOUT_TOKEN.test(message);
    return isToken ? 'dead' : 'refused';
  }
}

/** "The registration token is not a valid FCM registration token". */
const ABOUT_TOKEN = /\bregistration token\b/i;

/**
 * Before Android 8 the priority decides about the sound. Since then the app's channel decides; the
 * app reads `silent` from the data.
 */
const QUIET = { notification_priority: 'PRIORITY_LOW', default_sound: false };

/**
 * The collapse key keeps only one of several waiting messages. With the tag, a repetition
 * replaces the notification that is shown.
 */
function wireMessage(message: PushMessage): object {
  const { id, token, title, body, ttl, silent } = message;
  return {
    token,
    notification: { title, body },
    data: textsOf(dataOf(message)),
    android: {
      collapse_key: id,
      ttl: `${ttl}s`,
      priority: 'HIGH',
      notification: { tag: id, ...(silent && QUIET) },
    },
    apns: {
      headers: {
        'apns-collapse-id': id,
        'apns-expiration': String(Math.floor(Date.now() / 1000) + ttl),
        'apns-priority': '10',
      },
      payload: { aps: silent ? {} : { sound: 'default' } },
    },
  };
}

interface FcmError {
  readonly error?: {
    readonly status?: unknown;
    readonly message?: unknown;
    readonly details?: readonly {
      readonly errorCode?: unknown;
      readonly fieldViolations?: readonly { field?: unknown }[];
      readonly violations?: readonly { subject?: unknown }[];
    }[];
  };
}

/**
 * FCM's error code, the field that the error names, whether the quota that it names is one of the
 * project, and its words.
 */
interface FcmProblem {
  readonly code: string | undefined;
  readonly field: string | undefined;
  readonly isOfProject: boolean;
  readonly message: string;
}

function errorOf(body: unknown): FcmProblem {
  const { status, message, details } = (body as FcmError | null | undefined)?.error ?? {};
  const listed = Array.isArray(details)
    ? (details as NonNullable<NonNullable<FcmError['error']>['details']>)
    : [];
  const code = listed.find((detail) => typeof detail?.errorCode === 'string')?.errorCode ?? status;
  const field = listed.flatMap((detail) =>
    Array.isArray(detail?.fieldViolations) ? detail.fieldViolations : [],
  )[0]?.field;
  const isOfProject = listed
    .flatMap((detail) => (Array.isArray(detail?.violations) ? detail.violations : []))
    .some(
      (violation) =>
        typeof violation?.subject === 'string' && violation.subject.startsWith('project'),
    );
  return {
    isOfProject,
    code: typeof code === 'string' ? code : undefined,
    field: typeof field === 'string' ? field : undefined,
    message: typeof message === 'string' ? message.slice(0, 300) : '',
  };
}
