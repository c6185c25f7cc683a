import { api, type Schemas } from '../../api/client.ts';
import { invalidate } from '../../api/session.ts';

const VECTORS = '/api/v1/runtime/v1/vectors';
export const INGEST = `${VECTORS}/files/ingest` as const;
export const LIMITS = `${VECTORS}/files/limits` as const;
export const STORES = `${VECTORS}/stores` as const;
export const STORE = `${STORES}/{name}` as const;
export const DOCUMENTS = `${STORE}/documents` as const;
export const DOCUMENT = `${DOCUMENTS}/{documentId}` as const;
export const SEARCH = `${STORE}/search` as const;
export const JOBS = `${STORE}/ingestion-jobs` as const;
export const CANCEL = `${VECTORS}/ingestion-jobs/{jobId}/cancel` as const;

export type VectorStore = Schemas['VectorStore'];
export type StoredDocument = Schemas['Document'];
export type Job = Schemas['IngestionJob'];
export type UploadLimits = Schemas['UploadLimits'];
export type SearchResult = Schemas['SearchResult'];
export type Found = SearchResult['results'][number];

export const limitsQuery = api.queryOptions('get', LIMITS, {});

/** After a change of what stores hold: they are listed, searched and measured anew. */
export const contentsChanged = () => invalidate((path) => path.startsWith(VECTORS));
