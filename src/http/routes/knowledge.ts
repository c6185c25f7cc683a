import { z } from 'zod';
import { FORMATS, formatOf } from '../../core/knowledge/reader.ts';
import {
  acceptedSchema,
  documentListSchema,
  documentPassagesSchema,
  ignoredFields,
  ingestFieldsSchema,
  jobListSchema,
  jobSchema,
  listDocumentsSchema,
  listJobsSchema,
  newStoreSchema,
  pageSchema,
  readDocumentSchema,
  searchResultSchema,
  searchSchema,
  storeListSchema,
  storeNameSchema,
  storeSchema,
  uploadLimitsSchema,
} from '../../core/knowledge/schema.ts';
import { type Route, route } from '../route.ts';

const VECTORS = '/api/v1/runtime/v1/vectors';
/** Without the API's prefix, as responses show it. */
const STATUS_URL = '/runtime/v1/vectors/ingestion-jobs';
const READ = { access: 'knowledge:read', tag: 'Knowledge' } as const;
const WRITE = { access: 'knowledge:write', tag: 'Knowledge' } as const;
const SEARCH_BYTES = 256 * 1024;
const FOR_CSV_ALONE = 'is for CSV files alone and was ignored';

const byStore = z.strictObject({ name: storeNameSchema });
const byJob = z.strictObject({ jobId: z.string().describe('The id that the server made.') });
const byDocument = byStore.extend({ documentId: z.string().describe('The id that the completed job names.') });
const NO_STORE = { 404: 'There is no such vector store.' };
const NO_DOCUMENT = 'There is no such vector store, or no such document in it.';
const NO_JOB = { 404: 'There is no such job.' };

function jobRoute(path: string, summary: string): Route {
  return route({
    method: 'get',
    path,
    ...READ,
    summary,
    description: 'How far the ingestion of a file is, or how it ended. Jobs that have ended are kept for 90 days.',
    params: byJob,
    faults: NO_JOB,
    responses: { 200: { description: 'The job.', schema: jobSchema } },
    answer: ({ services, caller, params }) => services.knowledge.job(caller, params.jobId),
  });
}

function sameContentNote({ documentId, name }: { documentId: string; name: string }): string {
  return (
    `file: the document ${documentId} (${name}) has the same content. Searches find it once, in the first of them ` +
    'whose metadata passes the filter. Delete one, or give both the same metadata.sourceId to replace the first.'
  );
}

export const knowledgeRoutes: Route[] = [
  route({
    method: 'post',
    path: `${VECTORS}/files/ingest`,
    ...WRITE,
    summary: 'Ingest a file',
    description:
      'Ingests a file into a vector store asynchronously; statusUrl shows the progress. The file is on disk when this ' +
      'responds. A CSV becomes one document with a text for each row. The same file with the same fields, sent again ' +
      'while its job runs, returns that job. Beyond what can be written at once, a file waits for its turn.',
    multipart: {
      fields: ingestFieldsSchema,
      file: 'file',
      fileDescription: 'PDF, DOCX, TXT, MD, JSON (a list, one object, or NDJSON) or CSV.',
      formats: FORMATS,
      formatOf,
      ignored: ignoredFields,
      maxBytes: (services) => services.knowledge.maxUploadBytes,
      store: (services) => services.knowledge.uploads,
      admit: (services, caller) => services.knowledge.admit(caller),
    },
    faults: {
      409: 'The store was made with another embedder.',
      503: 'Too many files wait; `Retry-After` says when to send it again.',
    },
    responses: { 202: { description: 'The file is stored and its job waits.', schema: acceptedSchema } },
    run: async ({ services, caller, upload }) => {
      const { job, isNew, same } = await services.knowledge.ingest(caller, upload);
      const { jobId, status } = job;
      const message = isNew
        ? `${job.originalName} is stored and waits to be ingested.`
        : `${job.originalName} is being ingested already, with the same options.`;
      const notes = upload.ignored.map((field) => `${field}: ${FOR_CSV_ALONE}`);
      if (same) notes.push(sameContentNote(same));
      return {
        status: 202,
        body: {
          success: true,
          jobId,
          status,
          statusUrl: `${STATUS_URL}/${jobId}`,
          vectorStore: upload.fields.vectorStore,
          message,
          ...(notes.length > 0 && { notes }),
        },
      };
    },
  }),
  route({
    method: 'get',
    path: `${VECTORS}/files/limits`,
    ...READ,
    summary: 'Get the limits of uploads',
    description: 'What a file must meet, so that a client can refuse it before it is sent.',
    responses: { 200: { description: 'The limits.', schema: uploadLimitsSchema } },
    answer: ({ services, caller }) => services.knowledge.uploadLimits(caller),
  }),
  jobRoute(`${VECTORS}/ingestion-jobs/:jobId`, 'Get an ingestion job'),
  jobRoute(`${STATUS_URL}/:jobId`, 'Get an ingestion job by its statusUrl'),
  route({
    method: 'post',
    path: `${VECTORS}/ingestion-jobs/:jobId/cancel`,
    ...WRITE,
    summary: 'Cancel an ingestion job',
    description: 'Ends a job that is not done, as failed with the error "cancelled". What it has stored goes.',
    params: byJob,
    body: { schema: z.strictObject({}), maxBytes: 1024, optional: true },
    faults: { ...NO_JOB, 409: 'The job has ended already.' },
    responses: { 200: { description: 'The job.', schema: jobSchema } },
    answer: ({ services, caller, params }) => services.knowledge.cancel(caller, params.jobId),
  }),
  route({
    method: 'get',
    path: `${VECTORS}/stores`,
    ...READ,
    summary: 'List vector stores',
    description: 'The vector stores of the tenant, by name.',
    query: pageSchema,
    responses: { 200: { description: 'One page of vector stores.', schema: storeListSchema } },
    answer: ({ services, caller, query }) => services.vectorStores.list(caller, query),
  }),
  route({
    method: 'post',
    path: `${VECTORS}/stores`,
    ...WRITE,
    summary: 'Create a vector store',
    description: 'An empty store, with the embedder that the server is set up with. Its first file would make it, too.',
    body: { schema: newStoreSchema, maxBytes: 1024 },
    faults: { 409: 'There is a store of this name.', 422: 'The embedder has no key, or the tenant has 1,000 stores.' },
    responses: { 201: { description: 'The store.', schema: storeSchema } },
    run: async ({ services, caller, body }) => ({
      status: 201,
      body: await services.vectorStores.create(caller, body.name),
    }),
  }),
  route({
    method: 'get',
    path: `${VECTORS}/stores/:name`,
    ...READ,
    summary: 'Get a vector store',
    description: 'Its embedder, and how much can be found in it.',
    params: byStore,
    faults: NO_STORE,
    responses: { 200: { description: 'The store.', schema: storeSchema } },
    answer: ({ services, caller, params }) => services.vectorStores.get(caller, params.name),
  }),
  route({
    method: 'patch',
    path: `${VECTORS}/stores/:name`,
    ...WRITE,
    summary: 'Rename a vector store',
    description: 'Documents and jobs stay as they are. Agents and programs find the store by its new name only.',
    params: byStore,
    body: { schema: newStoreSchema, maxBytes: 1024 },
    faults: { ...NO_STORE, 409: 'There is a store of the new name.' },
    responses: { 200: { description: 'The store.', schema: storeSchema } },
    answer: ({ services, caller, params, body }) => services.vectorStores.rename(caller, params.name, body.name),
  }),
  route({
    method: 'delete',
    path: `${VECTORS}/stores/:name`,
    ...WRITE,
    summary: 'Delete a vector store',
    description: 'Deletes the store with all its documents. Jobs that fill it fail.',
    params: byStore,
    faults: NO_STORE,
    responses: { 204: { description: 'The store is deleted.' } },
    run: ({ services, caller, params }) => services.vectorStores.drop(caller, params.name),
  }),
  route({
    method: 'get',
    path: `${VECTORS}/stores/:name/ingestion-jobs`,
    ...READ,
    summary: 'List the ingestion jobs of a vector store',
    description: 'Newest first; those that have ended are kept for 90 days.',
    params: byStore,
    query: listJobsSchema,
    faults: NO_STORE,
    responses: { 200: { description: 'One page of jobs.', schema: jobListSchema } },
    answer: async ({ services, caller, params, query }) => ({
      success: true,
      vectorStore: params.name,
      ...(await services.knowledge.jobs(caller, params.name, query)),
    }),
  }),
  route({
    method: 'get',
    path: `${VECTORS}/stores/:name/documents`,
    ...READ,
    summary: 'List the documents of a vector store',
    description: 'Newest first; a file becomes a document when its ingestion is completed.',
    params: byStore,
    query: listDocumentsSchema,
    faults: NO_STORE,
    responses: { 200: { description: 'One page of documents.', schema: documentListSchema } },
    answer: ({ services, caller, params, query }) => services.documents.list(caller, params.name, query),
  }),
  route({
    method: 'get',
    path: `${VECTORS}/stores/:name/documents/:documentId`,
    ...READ,
    summary: 'Read a document',
    description: 'A document with its passages from one on: those around the passage that a search has found.',
    params: byDocument,
    query: readDocumentSchema,
    faults: { 404: NO_DOCUMENT },
    responses: { 200: { description: 'The document.', schema: documentPassagesSchema } },
    answer: ({ services, caller, params, query }) =>
      services.documents.read(caller, params.name, params.documentId, query),
  }),
  route({
    method: 'delete',
    path: `${VECTORS}/stores/:name/documents/:documentId`,
    ...WRITE,
    summary: 'Delete a document',
    description: 'The document is no longer found once this responds; its disk space is freed soon after.',
    params: byDocument,
    faults: { 404: NO_DOCUMENT },
    responses: { 204: { description: 'The document is deleted.' } },
    run: ({ services, caller, params }) => services.documents.delete(caller, params.name, params.documentId),
  }),
  route({
    method: 'post',
    path: `${VECTORS}/stores/:name/search`,
    ...READ,
    summary: 'Search a vector store',
    description:
      'The passages that answer a query best, by their words (BM25, misspelt words corrected), their vectors, or both ' +
      '(reciprocal rank fusion), each with where it stands.',
    params: byStore,
    body: { schema: searchSchema, maxBytes: SEARCH_BYTES },
    faults: { ...NO_STORE, 422: 'Vectors are asked for in a store without an embedder.' },
    responses: { 200: { description: 'The passages.', schema: searchResultSchema } },
    answer: ({ services, caller, params, body, signal }) =>
      services.knowledgeSearch.search(caller, params.name, body, signal),
  }),
];
