import type { Client } from 'openapi-fetch';
import type { operations, paths } from '../api.d.ts';
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
export declare function uploadFile(client: Client<paths>, { file, fileName, metadata, ...fields }: Upload, { signal, onProgress }?: UploadOptions): Promise<StartedIngestion>;
/**
 * A `bodySerializer` for requests with a file: `{ body: { file, vectorStore }, bodySerializer:
 * multipart }`.
 */
export declare function multipart(body: Record<string, unknown>): FormData;
export {};
