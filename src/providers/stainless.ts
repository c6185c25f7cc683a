import type { Connection } from '../core/chat/provider.ts';
import { ProviderFault } from '../core/chat/provider.ts';
import { streamingFetch } from '../outbound/fetch.ts';
import { faultOfConnection, faultOfStatus } from './faults.ts';

/**
 * What the SDKs of OpenAI, Anthropic and Groq, which one generator makes, are told alike. They would retry, log requests
 * and read their environment for addresses and headers: all of that is decided here.
 */
export function sdkOptions(connection: Connection, vendorUrl: string) {
  return {
    baseURL: connection.baseUrl ?? vendorUrl,
    maxRetries: 0,
    // Whoever asks ends what takes too long; the SDKs would give up after ten minutes, and a chat may wait for an hour.
    timeout: 3_600_000,
    logLevel: 'off',
    fetch: streamingFetch(connection) as unknown as typeof fetch,
  } as const;
}

/**
 * Gives the SDK's client our headers and none of `*_CUSTOM_HEADERS` in the environment, which it would send to any server,
 * a custom one too. Null takes one of the SDK's own away.
 */
export function withOwnHeaders<Client extends object>(client: Client, headers: Record<string, string | null>): Client {
  (client as unknown as { _options: { defaultHeaders: typeof headers } })._options.defaultHeaders = headers;
  return client;
}

interface SdkError extends Error {
  status?: number;
  headers?: Headers;
  error?: unknown;
}

/** Of what an SDK throws, what may be kept. */
export function faultOfSdk(error: unknown): ProviderFault {
  if (error instanceof ProviderFault) return error;
  const { status, headers, error: body, message } = error as SdkError;
  if (status === undefined) return faultOfConnection(error);
  return faultOfStatus(status, messageOf(body) ?? message, headers);
}

/** The words in the body of an error. Vendors nest them once, twice or not at all. */
export function messageOf(body: unknown): string | null {
  if (typeof body === 'string') return body;
  const { message, error } = (body ?? {}) as { message?: unknown; error?: unknown };
  if (typeof message === 'string') return message;
  return error ? messageOf(error) : null;
}
