import { createHmac } from 'node:crypto';

/**
 * Returns the headers by which the receiver of a webhook verifies it: `webhook-id`,
 * `webhook-timestamp` in seconds since 1970, and `webhook-signature`, which has a signature by each
 * secret (Standard Webhooks 1.0: HMAC-SHA256 of `id.timestamp.body`).
 */
export function signedHeaders(
  secrets: readonly Buffer[],
  { id, body, at }: { id: string; body: string; at: number },
): Record<string, string> {
  const timestamp = String(Math.floor(at / 1000));
  const signatures = secrets.map((secret) => {
    const mac = createHmac('sha256', secret).update(`${id}.${timestamp}.${body}`);
    return `v1,${mac.digest('base64')}`;
  });
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  };
}
