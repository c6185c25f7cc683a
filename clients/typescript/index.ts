import createFetchClient, { type Client } from 'openapi-fetch';
import type { components, paths } from './api.ts';

export type { components, operations, paths } from './api.ts';

/** Request and response types by name: `Schemas['Review']`. */
export type Schemas = components['schemas'];
/** The body of every error. */
export type ErrorBody = Schemas['Error'];

export interface AgentRuntimeOptions {
  /** Of the server: `http://127.0.0.1:3000`. */
  baseUrl: string;
  /** An API key, or a portal token, which the portal's paths require. */
  apiKey: string;
  /** Replaces the global `fetch`. */
  fetch?: (request: Request) => Promise<Response>;
}

/** A method per HTTP method, typed by the API's paths: `client.GET('/healthz')`. */
export type AgentRuntimeClient = Client<paths>;

/** A client of one server with one credential. */
export function createClient({ baseUrl, apiKey, fetch }: AgentRuntimeOptions): AgentRuntimeClient {
  return createFetchClient<paths>({
    baseUrl,
    headers: { authorization: `Bearer ${apiKey}` },
    ...(fetch ? { fetch } : {}),
  });
}

/** An error response. `message` is for people, `messages` has one entry per invalid field. */
export class AgentRuntimeError extends Error {
  readonly status: number;
  readonly messages: string[];
  /** Of a server error; the server's log has the details under it. */
  readonly requestId: string | null;
  /** Seconds until a retry makes sense. */
  readonly retryAfter: number | null;
  /**
   * The whole body; of a connector call `Schemas['FailedCall']`, with `fallback`, `data` and
   * `metadata`.
   */
  readonly body: unknown;

  constructor({ status, headers }: Response, body: unknown) {
    const messages = messagesOf(body) ?? [`The server answered ${status}.`];
    super(messages.join('; '));
    this.name = 'AgentRuntimeError';
    this.status = status;
    this.messages = messages;
    this.requestId = headers.get('x-request-id');
    this.retryAfter = headers.has('retry-after') ? Number(headers.get('retry-after')) : null;
    this.body = body;
  }
}

/** From an error body or a connector's envelope; null for a response of another program. */
function messagesOf(body: unknown): string[] | null {
  const { message, success, error } = (body || {}) as Partial<ErrorBody & Schemas['FailedCall']>;
  if (message !== undefined) return [message].flat();
  return success === false && error !== undefined ? [error] : null;
}

/** The data of a response; throws an `AgentRuntimeError` for an error response. */
export async function dataOf<Data>(
  pending: Promise<{ data?: Data; error?: unknown; response: Response }>,
): Promise<Exclude<Data, undefined>> {
  const { data, error, response } = await pending;
  if (!response.ok) throw new AgentRuntimeError(response, error);
  return data as Exclude<Data, undefined>;
}

/**
 * A `bodySerializer` for requests with a file: `{ body: { file, vectorStore }, bodySerializer:
 * multipart }`.
 */
export function multipart(body: Record<string, unknown>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(body)) {
    if (value instanceof Blob) form.append(name, value, value instanceof File ? value.name : name);
    else if (value !== undefined) form.append(name, String(value));
  }
  return form;
}
