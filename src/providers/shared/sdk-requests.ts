import { text } from 'node:stream/consumers';
import {
  type Connection,
  type ProviderCall,
  ProviderFault,
  type ProviderStream,
} from '../../core/agents/chat/provider.ts';
import { requestHeaders, webHeaders } from '../../outbound/fetch.ts';
import { streamingRequest, type UpstreamResponse } from '../../outbound/request.ts';
import { faultOfConnection, faultOfStatus, requestIdOf } from './faults.ts';
import { tryParseJson } from './json.ts';
import { type MessageReader, readEvents } from './reading.ts';

/** By default these SDKs retry, log, and read addresses and headers from the environment. */
export function sdkOptions(connection: Connection, vendorUrl: string) {
  return {
    baseURL: connection.baseUrl ?? vendorUrl,
    maxRetries: 0,
    // Otherwise the SDKs would end a long chat after ten minutes.
    timeout: 3_600_000,
    logLevel: 'off',
    fetch: () => Promise.reject(new Error('An SDK sent a request itself.')),
  } as const;
}

/** Private field: otherwise the SDK sends `*_CUSTOM_HEADERS` of the environment to any server. */
export function withOwnHeaders<Client extends object>(client: Client, headers: Record<string, string | null>): Client {
  (client as unknown as { _options: { defaultHeaders: typeof headers } })._options.defaultHeaders = headers;
  return client;
}

export interface SdkClient {
  buildRequest(options: object): Promise<{ url: string; req: { headers: Headers } }>;
}

export interface SdkErrors {
  generate(status: number, body: object | undefined, message: string | undefined, headers: Headers): Error;
}

/** Creating a client takes longer than a request. */
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
  /** Relative to the client's base URL. */
  path: string;
  headers?: Record<string, string>;
  body: object;
}

interface Head {
  origin: string;
  path: string;
  headers: string[];
}

/** The SDK builds the head, once per client; we send it. Throws what `faultOfSdk` reads. */
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
  const json = (tryParseJson(words) as object | null | undefined) ?? undefined;
  throw errors.generate(answer.status, json, json ? undefined : words, webHeaders(answer.headers));
}

export async function streamRequest(
  reader: MessageReader,
  ...request: Parameters<typeof sendRequest>
): Promise<ProviderStream> {
  const { headers, body } = await sendRequest(...request);
  return { requestId: requestIdOf(headers), events: readEvents(body, reader) };
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

export function faultOfSdk(error: unknown): ProviderFault {
  if (error instanceof ProviderFault) return error;
  const { status, headers, error: body, message } = error as SdkError;
  if (status === undefined) return faultOfConnection(error);
  return faultOfStatus(status, messageOf(body) ?? message, headers && Object.fromEntries(headers));
}

/** Vendors nest the message once, twice or not at all. */
export function messageOf(body: unknown): string | null {
  if (typeof body === 'string') return body;
  // Google sends a list of one error.
  const { message, error, detail } = ((Array.isArray(body) ? body[0] : body) ?? {}) as Record<string, unknown>;
  if (typeof message === 'string') return message;
  if (typeof detail === 'string') return detail;
  return error ? messageOf(error) : null;
}
