import { text } from 'node:stream/consumers';
import { type Connection, type ProviderCall, ProviderFault } from '../../core/chat/provider.ts';
import { requestHeaders, webHeaders } from '../../outbound/fetch.ts';
import { streamingRequest, type UpstreamResponse } from '../../outbound/request.ts';
import { faultOfConnection, faultOfStatus } from './faults.ts';

/* What the SDKs of OpenAI, Anthropic and Groq have in common, which one generator makes. */

/**
 * What these SDKs are told alike. They would retry, log requests and read their environment for addresses and headers: all
 * of that is decided here.
 */
export function sdkOptions(connection: Connection, vendorUrl: string) {
  return {
    baseURL: connection.baseUrl ?? vendorUrl,
    maxRetries: 0,
    // Whoever asks ends what takes too long; the SDKs would give up after ten minutes, and a chat may wait for an hour.
    timeout: 3_600_000,
    logLevel: 'off',
    fetch: () => Promise.reject(new Error('An SDK asked by itself.')),
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

/** Of the SDKs' clients, what is used here. */
interface SdkClient {
  buildRequest(options: object): Promise<{ url: string; req: { headers: Headers } }>;
}

/** The SDK's class of errors, which makes the one that a status means. */
export interface SdkErrors {
  generate(status: number, body: object | undefined, message: string | undefined, headers: Headers): Error;
}

/** A client, made for each connection once: making one takes longer than asking with it. */
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
  /** As the SDK's own methods name it, below the client's base URL. */
  path: string;
  /** Beside those of the client. */
  headers?: Record<string, string>;
  body: object;
}

/** Where a request goes and what stands above its body. */
interface Head {
  origin: string;
  path: string;
  headers: string[];
}

/**
 * Sends what the SDK's own method would send, and hands on what is answered as it comes.
 * Requests of one client differ in nothing but their bodies, so the SDK is asked once for what stands above them. Throws the
 * SDK's error for a status, and what `streamingRequest` rejects with; `faultOfSdk` knows both.
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
  const told = jsonIn(words);
  throw errors.generate(answer.status, told, told ? undefined : words, webHeaders(answer.headers));
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

function jsonIn(text: string): object | undefined {
  try {
    return (JSON.parse(text) as object | null) ?? undefined;
  } catch {
    return undefined;
  }
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
  return faultOfStatus(status, messageOf(body) ?? message, headers && Object.fromEntries(headers));
}

/** The words in the body of an error. Vendors nest them once, twice or not at all. */
export function messageOf(body: unknown): string | null {
  if (typeof body === 'string') return body;
  const { message, error } = (body ?? {}) as { message?: unknown; error?: unknown };
  if (typeof message === 'string') return message;
  return error ? messageOf(error) : null;
}
