import createFetchClient, {} from 'openapi-fetch';
import { streamChat } from './chat.js';
import { connectionError } from './errors.js';
import { uploadFile } from './upload.js';
export { AgentRuntimeError, dataOf } from './errors.js';
export { multipart } from './upload.js';
/**
 * A client of one server with one credential.
 *
 * ```ts
 * const client = createClient({ baseUrl: 'http://127.0.0.1:3000', apiKey: 'ar_...' });
 * const { data, error } = await client.GET('/api/v1/runtime/v1/usage');
 * ```
 */
export function createClient({ baseUrl, apiKey, fetch }) {
    const client = createFetchClient({
        baseUrl,
        headers: { authorization: `Bearer ${apiKey}` },
        ...(fetch ? { fetch } : {}),
    });
    // An abort rejects with its reason.
    client.use({ onError: ({ error, request }) => (request.signal.aborted ? undefined : connectionError(error)) });
    return Object.assign(client, {
        chat: (request, options) => streamChat(client, request, options),
        upload: (upload, options) => uploadFile(client, upload, options),
    });
}
