import { dataOf } from './errors.js';
export async function uploadFile(client, { file, fileName, metadata, ...fields }, { signal, onProgress } = {}) {
    const name = fileName ?? (file instanceof File ? file.name : undefined);
    if (name === undefined)
        throw new TypeError('fileName: is required for a Blob that is not a File');
    const body = {
        ...fields,
        ...(metadata && { metadata: JSON.stringify(metadata) }),
        file: new File([file], name, { type: file.type }),
    };
    onProgress?.(0, file.size);
    const progress = onProgress && STREAMS_BODIES ? { size: file.size, onProgress } : null;
    const encoded = progress ? counted(multipart(body), progress) : { bodySerializer: multipart };
    const started = await dataOf(client.POST('/api/v1/runtime/v1/vectors/files/ingest', { body, signal, ...encoded }));
    if (!progress)
        onProgress?.(file.size, file.size);
    return started;
}
/** Browsers stream a body over HTTP/2 only, or not at all. */
const STREAMS_BODIES = typeof process === 'object' && process.versions?.node !== undefined;
const SLICE_BYTES = 64 * 1024;
function counted(form, progress) {
    const { body, headers } = new Response(form);
    return {
        bodySerializer: () => ReadableStream.from(countedSlices(body, progress)),
        headers: { 'content-type': headers.get('content-type') },
        duplex: 'half',
    };
}
/** Sliced, since a file in memory is one chunk. The network has a slice when it asks for the next. */
async function* countedSlices(body, { size, onProgress }) {
    let sent = 0;
    for await (const chunk of body) {
        for (let start = 0; start < chunk.byteLength; start += SLICE_BYTES) {
            const slice = chunk.subarray(start, start + SLICE_BYTES);
            yield slice;
            // The form's own bytes are not of the file.
            sent = Math.min(sent + slice.byteLength, size);
            onProgress(sent, size);
        }
    }
}
/**
 * A `bodySerializer` for requests with a file: `{ body: { file, vectorStore }, bodySerializer:
 * multipart }`.
 */
export function multipart(body) {
    const form = new FormData();
    for (const [name, value] of Object.entries(body)) {
        if (value instanceof Blob)
            form.append(name, value, value instanceof File ? value.name : name);
        else if (value !== undefined)
            form.append(name, String(value));
    }
    return form;
}
