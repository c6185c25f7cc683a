import type { Client } from 'openapi-fetch';
import type { operations, paths } from '../api.d.ts';
import { dataOf } from './errors.ts';

type Ingest = operations['postVectorsFilesIngest'];
type IngestForm = NonNullable<Ingest['requestBody']>['content']['multipart/form-data'];
/** `jobId` tells how the ingestion goes. */
export type StartedIngestion = Ingest['responses'][202]['content']['application/json'];

/** A file with the fields of its ingestion. */
export interface Upload extends Omit<IngestForm, 'file' | 'metadata'> {
  file: Blob;
  /** Its extension tells how it is read. Required for a `Blob` that is not a `File`. */
  fileName?: string;
  /** Merged into every document's metadata. */
  metadata?: Record<string, unknown>;
}

export interface UploadOptions {
  signal?: AbortSignal;
  /**
   * Called with the bytes of the file that were given to the network, and its size. A `fetch` in
   * browsers does not say how far it is, so there it is called at the beginning and at the end.
   */
  onProgress?: (sentBytes: number, totalBytes: number) => void;
}

export async function uploadFile(
  client: Client<paths>,
  { file, fileName, metadata, ...fields }: Upload,
  { signal, onProgress }: UploadOptions = {},
): Promise<StartedIngestion> {
  const name = fileName ?? (file instanceof File ? file.name : undefined);
  if (name === undefined) throw new TypeError('fileName: is required for a Blob that is not a File');
  const body = {
    ...fields,
    ...(metadata && { metadata: JSON.stringify(metadata) }),
    file: new File([file], name, { type: file.type }),
  };
  onProgress?.(0, file.size);
  const progress = onProgress && STREAMS_BODIES ? { size: file.size, onProgress } : null;
  const encoded = progress ? counted(multipart(body), progress) : { bodySerializer: multipart };
  const started = await dataOf(client.POST('/api/v1/runtime/v1/vectors/files/ingest', { body, signal, ...encoded }));
  if (!progress) onProgress?.(file.size, file.size);
  return started;
}

/** Browsers stream a body over HTTP/2 only, or not at all. */
const STREAMS_BODIES = typeof process === 'object' && process.versions?.node !== undefined;

interface Progress {
  size: number;
  onProgress: NonNullable<UploadOptions['onProgress']>;
}

const SLICE_BYTES = 64 * 1024;

function counted(form: FormData, progress: Progress) {
  const { body, headers } = new Response(form);
  return {
    bodySerializer: () => ReadableStream.from(countedSlices(body!, progress)),
    headers: { 'content-type': headers.get('content-type') },
    duplex: 'half' as const,
  };
}

/** Sliced, since a file in memory is one chunk. The network has a slice when it asks for the next. */
async function* countedSlices(body: ReadableStream<Uint8Array>, { size, onProgress }: Progress) {
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
export function multipart(body: Record<string, unknown>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(body)) {
    if (value instanceof Blob) form.append(name, value, value instanceof File ? value.name : name);
    else if (value !== undefined) form.append(name, String(value));
  }
  return form;
}
