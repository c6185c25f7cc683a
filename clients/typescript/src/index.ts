import createFetchClient, { type Client } from 'openapi-fetch';
import type { components, paths } from '../api.d.ts';
import { type ChatEvent, type ChatOptions, streamChat } from './chat.ts';
import { connectionError } from './errors.ts';
import { type StartedIngestion, type Upload, type UploadOptions, uploadFile } from './upload.ts';

export type { components, operations, paths } from '../api.d.ts';
export type { ChatEvent, ChatOptions, ChatUsage, ToolCall } from './chat.ts';
export { AgentRuntimeError, dataOf, type ErrorBody, type ErrorCode } from './errors.ts';
export { multipart, type StartedIngestion, type Upload, type UploadOptions } from './upload.ts';

/** Request and response types by name: `Schemas['Review']`. */
export type Schemas = components['schemas'];

export interface AgentRuntimeOptions {
  /** Of the server: `http://127.0.0.1:3000`. */
  baseUrl: string;
  /** An API key, or a portal token, which the portal's paths require. */
  apiKey: string;
  /** Replaces the global `fetch`. */
  fetch?: (request: Request) => Promise<Response>;
}

/** A method per HTTP method, typed by the API's paths: `client.GET('/healthz')`. */
export interface AgentRuntimeClient extends Client<paths> {
  /**
   * Asks a model, and yields its answer as it comes. The last event is `done`; an answer that fails
   * or breaks off throws an `AgentRuntimeError`, also after its first text. The request is sent
   * with the first iteration; leaving the loop ends it, and so does `signal`.
   *
   * ```ts
   * const messages: Schemas['ChatRequest']['messages'] = [{ role: 'user', content: 'Hello!' }];
   * for await (const event of client.chat({ projectId: 'shop', provider: 'openai', model: 'gpt-5.1', messages })) {
   *   if (event.type === 'text') process.stdout.write(event.text);
   * }
   * ```
   */
  chat(request: Schemas['ChatRequest'], options?: ChatOptions): AsyncGenerator<ChatEvent, void, undefined>;
  /**
   * Sends a file to a vector store, and resolves with its ingestion job, which then runs on the
   * server. Throws an `AgentRuntimeError` for an error response.
   *
   * ```ts
   * const file = await openAsBlob('faq.pdf'); // of node:fs; in a browser: input.files[0]
   * const { jobId } = await client.upload(
   *   { file, fileName: 'faq.pdf', vectorStore: 'help', metadata: { lang: 'en' } },
   *   { onProgress: (sent, total) => console.log(`${sent} of ${total} bytes`) },
   * );
   * ```
   */
  upload(upload: Upload, options?: UploadOptions): Promise<StartedIngestion>;
}

/**
 * A client of one server with one credential.
 *
 * ```ts
 * const client = createClient({ baseUrl: 'http://127.0.0.1:3000', apiKey: 'ar_...' });
 * const { data, error } = await client.GET('/api/v1/runtime/v1/usage');
 * ```
 */
export function createClient({ baseUrl, apiKey, fetch }: AgentRuntimeOptions): AgentRuntimeClient {
  const client = createFetchClient<paths>({
    baseUrl,
    headers: { authorization: `Bearer ${apiKey}` },
    ...(fetch ? { fetch } : {}),
  });
  // An abort rejects with its reason.
  client.use({ onError: ({ error, request }) => (request.signal.aborted ? undefined : connectionError(error)) });
  return Object.assign(client, {
    chat: (request: Schemas['ChatRequest'], options?: ChatOptions) => streamChat(client, request, options),
    upload: (upload: Upload, options?: UploadOptions) => uploadFile(client, upload, options),
  });
}
