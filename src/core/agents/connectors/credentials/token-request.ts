import type { CallPolicy, UpstreamRequest } from '../call/transport.ts';
import type { Auth } from '../definition/environment-schema.ts';

/** Client credentials (RFC 6749, 4.4). */
export interface TokenRequest {
  policy: CallPolicy;
  auth: Extract<Auth, { type: 'oauth2' }>;
  clientId: string;
  clientSecret: string;
  /** The revision of the credential. Each has its own token. */
  version: string | number;
}

const MAX_ANSWER_BYTES = 64 * 1024;

export function tokenRequestOf({ auth, clientId, clientSecret }: TokenRequest, signal: AbortSignal): UpstreamRequest {
  const { tokenUrl, scopes, audience, clientAuthentication } = auth;
  const form = new URLSearchParams({ grant_type: 'client_credentials' });
  if (scopes.length > 0) form.set('scope', scopes.join(' '));
  if (audience !== undefined) form.set('audience', audience);
  const headers = ['content-type', 'application/x-www-form-urlencoded', 'accept', 'application/json'];
  if (clientAuthentication === 'basic') {
    headers.push('authorization', `Basic ${basicOf(clientId, clientSecret)}`);
  } else {
    form.set('client_id', clientId);
    form.set('client_secret', clientSecret);
  }
  return {
    method: 'POST',
    url: new URL(tokenUrl),
    headers,
    body: form.toString(),
    maxBytes: MAX_ANSWER_BYTES,
    signal,
  };
}

/** Unlike plain HTTP Basic, both parts are form-encoded (RFC 6749, 2.3.1). */
export function basicOf(clientId: string, clientSecret: string): string {
  return Buffer.from(`${formEncoded(clientId)}:${formEncoded(clientSecret)}`).toString('base64');
}

export function formEncoded(text: string): string {
  return new URLSearchParams({ '': text }).toString().slice(1);
}
