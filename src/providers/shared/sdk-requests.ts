import { text } from 'node:stream/consumers';
import { type Connection, type ProviderCall, ProviderFault } from '../../core/chat/provider.ts';
import { requestHeaders, webHeaders } from '../../outbound/fetch.ts';
import { streamingRequest, type UpstreamResponse } from '../../outbound/request.ts';
import { faultOfConnection, faultOfStatus } from './faults.ts';
import { parseJson } from './json.ts';

/*
 * The SDKs of OpenAI, Anthropic and Groq, which Stainless generates, build the requests and the
 * errors. This module sends the requests itself.
 */

/** By default these SDKs retry, log, and read addresses and headers from the environment. */
export function sdkOptions(connection: Connection, vendorUrl: string) {
  return {
    baseURL: connection.baseUrl ?? vendorUrl,
    maxRetries: 0,
    // The caller's signal ends requests; the SDKs would end a long chat after ten minutes.
    timeout: 3_600_000,
    logLevel: 'off',
    fetch: () => Promise.reject(new Error('An SDK sent a request itself.')),
  } as const;
}

/**
 * Sets the default headers, a private field of the client; null removes one. Without it the SDK
 * would send `*_CUSTOM_HEADERS` of the environment to any server.
 */
export function withOwnHeaders<Client extends object>(client: Client, headers: Record<string, string | null>): Client {
  (client as unknown as { _options: { defaultHeaders: typeof headers } })._options.defaultHeaders = headers;
  return client;
}

/** The members of the SDKs' clients that are used here. */
interface SdkClient {
  buildRequest(options: object): Promise<{ url: string; req: { headers: Headers } }>;
}

/** The SDK's error class, which builds the error for a status. */
export interface SdkErrors {
  generate(status: number, body: object | undefined, message: string | undefined, headers: Headers): Error;
}

/** One client per connection: creating one takes longer than a request. */
export function clientPerConnection<Client extends SdkClient>(
  make: (connection: Connection) => Client,
): (connection: Connection) => Client {
  const clients = new WeakMap<Connection, Client>();
  return (connection) => {
    const client = clients.get(connection) ?? make(connection);
    clients.set(connection, client);
    return client;
  };
}

export interface SdkRequest {
  /** As in the SDK's own methods, relative to the client's base URL. */
  path: string;
  /** Added to those of the client. */
  headers?: Record<string, string>;
  body: object;
}

/** Everything of a request but its body. */
interface Head {
  origin: string;
  path: string;
  headers: string[];
}

/**
 * Sends what the SDK's own method would send, and streams the response. Requests of one client
 * differ only in their bodies, so the SDK builds each head once. Throws the SDK's error for a
 * status, or what `streamingRequest` rejects with; `faultOfSdk` reads both.
 */
export async function sendRequest(
  client: SdkClient,
  errors: SdkErrors,
  { path, headers = {}, body }: SdkRequest,
  { connection, signal }: Pick<ProviderCall, 'connection' | 'signal'>,
): Promise<UpstreamResponse> {
  const head = await headOf(client, path, headers);
  const answer = await streamingRequest(connection, { ...head, method: 'POST', body: JSON.stringify(body), signal });
  if (answer.status >= 200 && answer.status < 300) return answer;
  const words = await text(answer.body);
  const json = (parseJson(words) as object | null | undefined) ?? undefined;
  throw errors.generate(answer.status, json, json ? undefined : words, webHeaders(answer.headers));
}

const heads = new WeakMap<SdkClient, Map<string, Promise<Head>>>();

function headOf(client: SdkClient, path: string, headers: Record<string, string>): Promise<Head> {
  const known = heads.get(client) ?? new Map<string, Promise<Head>>();
  heads.set(client, known);
  const key = JSON.stringify([path, headers]);
  const head = known.get(key) ?? newHead(client, path, headers);
  known.set(key, head);
  return head;
}

async function newHead(client: SdkClient, path: string, headers: Record<string, string>): Promise<Head> {
  const { url, req } = await client.buildRequest({ method: 'post', path, headers, body: {}, stream: true });
  const { origin, pathname, search } = new URL(url);
  return { origin, path: pathname + search, headers: requestHeaders(req.headers) };
}

interface SdkError extends Error {
  status?: number;
  headers?: Headers;
  error?: unknown;
}

/** The fault for an error of the SDK, without its headers and keys. */
export function faultOfSdk(error: unknown): ProviderFault {
  if (error instanceof ProviderFault) return error;
  const { status, headers, error: body, message } = error as SdkError;
  if (status === undefined) return faultOfConnection(error);
  return faultOfStatus(status, messageOf(body) ?? message, headers && Object.fromEntries(headers));
}

/** The message in an error body. Vendors nest it once, twice or not at all. */
export function messageOf(body: unknown): string | null {
  if (typeof body === 'string') return body;
  const { message, error } = (body ?? {}) as { message?: unknown; error?: unknown };
  if (typeof message === 'string') return message;
  return error ? messageOf(error) : null;
}
