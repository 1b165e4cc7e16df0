import { TIME_LIMIT } from './push-transport.js';
import { limited } from './time-limit.js';

/** The response of a provider. */
export interface ProviderResponse {
  /** HTTP status; 0 when there was no response. */
  readonly status: number;
  /** Why there was no response, when `status` is 0: `timeout` or `network`. */
  readonly failure?: string;
  /** The body as JSON; undefined when it is not JSON. */
  readonly body?: unknown;
  /** Milliseconds that the provider asks to wait, from Retry-After. */
  readonly retryAfter?: number;
}

const LARGEST_RESPONSE = 1024 * 1024;

/** Posts to a provider's fixed address, within TIME_LIMIT. Follows no redirect. Never throws. */
export async function post(
  url: string,
  {
    body,
    headers,
    signal,
    leaves = () => false,
  }: {
    body: string;
    headers: Readonly<Record<string, string>>;
    signal: AbortSignal;
    /** Whether the body of a response with this status is left unread. Default: never. */
    leaves?: (status: number) => boolean;
  },
): Promise<ProviderResponse> {
  try {
    return await limited(signal, TIME_LIMIT, async (limit) => {
      const response = await fetch(url, {
        method: 'POST',
        body,
        headers,
        signal: limit,
        redirect: 'manual',
      });
      if (leaves(response.status)) {
        response.body?.cancel().catch(() => {});
        return { status: response.status };
      }
      const text = await textOf(response);
      const retryAfter = waitOf(response.headers.get('retry-after'));
      return {
        status: response.status,
        body: json(text),
        ...(retryAfter !== undefined && { retryAfter }),
      };
    });
  } catch (error) {
    return { status: 0, failure: failureOf(error) };
  }
}

/** Returns `timeout` when this process gave up, `network` when the connection failed. */
export const failureOf = (error: unknown) =>
  error instanceof Error && /^(Timeout|Abort)Error$/.test(error.name) ? 'timeout' : 'network';

async function textOf(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > LARGEST_RESPONSE) throw new Error('The response is too large.');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Returns the milliseconds of a Retry-After header, which has seconds or a date (RFC 9110, 10.2.3).
 */
export function waitOf(header: string | null | undefined): number | undefined {
  if (!header) return undefined;
  if (/^\d{1,9}$/.test(header.trim())) return Number(header) * 1000;
  const at = Date.parse(header);
  return Number.isNaN(at) ? undefined : Math.max(0, at - Date.now());
}
