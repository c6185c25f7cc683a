import createFetchClient, { type Client } from 'openapi-fetch';
import type { components, paths } from './api.ts';

export type { components, operations, paths } from './api.ts';

/** What requests and answers are made of, by name: `Schemas['Review']`. */
export type Schemas = components['schemas'];
/** The body of every error. */
export type ErrorBody = Schemas['Error'];

export interface AgentRuntimeOptions {
  /** Of the server: `http://127.0.0.1:3000`. */
  baseUrl: string;
  /** An API key, or the token of a portal login, with which alone the portal's paths answer. */
  apiKey: string;
  /** In place of the global one. */
  fetch?: (request: Request) => Promise<Response>;
}

/** A method for each HTTP method, typed by the paths of the API: `client.GET('/healthz')`. */
export type AgentRuntimeClient = Client<paths>;

/** A client of one server with one credential. */
export function createClient({ baseUrl, apiKey, fetch }: AgentRuntimeOptions): AgentRuntimeClient {
  return createFetchClient<paths>({
    baseUrl,
    headers: { authorization: `Bearer ${apiKey}` },
    ...(fetch ? { fetch } : {}),
  });
}

/** An answer that is no success. `message` is for people, `messages` has one for each field that is wrong. */
export class AgentRuntimeError extends Error {
  readonly status: number;
  readonly messages: string[];
  /** Of an error of the server: find it in its log. */
  readonly requestId: string | null;
  /** Seconds after which a retry makes sense. */
  readonly retryAfter: number | null;
  /** All that the server said of it: of a connector's call `Schemas['FailedCall']`, with `fallback`, `data` and `metadata`. */
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

/** In the body of an error, or in the envelope of a connector's call; null where something else has answered. */
function messagesOf(body: unknown): string[] | null {
  const { message, success, error } = (body || {}) as Partial<ErrorBody & Schemas['FailedCall']>;
  if (message !== undefined) return [message].flat();
  return success === false && error !== undefined ? [error] : null;
}

/** The data of an answer; throws an `AgentRuntimeError` when it is no success. */
export async function dataOf<Data>(
  pending: Promise<{ data?: Data; error?: unknown; response: Response }>,
): Promise<Exclude<Data, undefined>> {
  const { data, error, response } = await pending;
  if (!response.ok) throw new AgentRuntimeError(response, error);
  return data as Exclude<Data, undefined>;
}

/** For `bodySerializer` of a request with a file: `{ body: { file, vectorStore }, bodySerializer: multipart }`. */
export function multipart(body: Record<string, unknown>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(body)) {
    if (value instanceof Blob) form.append(name, value, value instanceof File ? value.name : name);
    else if (value !== undefined) form.append(name, String(value));
  }
  return form;
}
