import type { Examples } from './example.ts';

const job = {
  jobId: '019cae1c-a137-778d-8de6-78dde6c478dd',
  status: 'completed',
  originalName: 'faq.md',
  totalChunks: 2,
  processedChunks: 2,
  progress: 1,
  documentId: '019cae1c-a26e-7171-8560-171560751715',
  error: null,
  notes: [],
  startedAt: '2026-03-02T09:50:03.000Z',
  completedAt: '2026-03-02T09:53:29.000Z',
  createdAt: '2026-03-02T09:49:59.000Z',
};

const store = {
  name: 'help',
  embedder: 'none',
  dimensions: null,
  createdAt: '2026-03-02T09:49:59.000Z',
  documents: 1,
  chunks: 2,
  size: 158,
};

const document = {
  documentId: '019cae1c-a26e-7171-8560-171560751715',
  name: 'faq.md',
  format: 'md',
  size: 158,
  chunks: 2,
  sourceId: 'faq',
  metadata: { sourceId: 'faq', lang: 'en' },
  createdAt: '2026-03-02T09:49:59.000Z',
};

export const knowledgeExamples: Examples = {
  postVectorsFilesIngest: {
    faq: {
      summary: 'A Markdown file with metadata',
      form: {
        fields: { vectorStore: 'help', metadata: '{"sourceId":"faq","lang":"en"}' },
        file: {
          name: 'faq.md',
          content:
            '# Refunds\n\n## How long does a refund take?\n\nUp to five working days after we have approved it.\n\n# Shipping\n\nCard readers are shipped within two working days.\n',
        },
      },
      status: 202,
      answer: {
        success: true,
        jobId: '019cae1c-a137-778d-8de6-78dde6c478dd',
        status: 'queued',
        statusUrl: '/runtime/v1/vectors/ingestion-jobs/019cae1c-a137-778d-8de6-78dde6c478dd',
        vectorStore: 'help',
        message: 'faq.md is stored and waits to be ingested.',
      },
    },
  },
  getVectorsIngestionJobsJobId: {
    completed: {
      summary: 'A job that is done',
      params: { jobId: '019cae1c-a137-778d-8de6-78dde6c478dd' },
      answer: job,
    },
  },
  getRuntimeV1VectorsIngestionJobsJobId: {
    completed: {
      summary: 'The same job by its statusUrl',
      params: { jobId: '019cae1c-a137-778d-8de6-78dde6c478dd' },
      answer: job,
    },
  },
  postVectorsIngestionJobsJobIdCancel: {
    waiting: {
      summary: 'A job that still waits',
      params: { jobId: '019cae1c-a139-74c0-8f2e-31d07a5be902' },
      body: {},
      answer: {
        ...job,
        jobId: '019cae1c-a139-74c0-8f2e-31d07a5be902',
        status: 'failed',
        originalName: 'handbook.txt',
        totalChunks: 0,
        processedChunks: 0,
        progress: 0,
        documentId: null,
        error: 'cancelled',
        startedAt: job.createdAt,
      },
    },
  },
  getVectorsStores: {
    one: {
      summary: 'The vector stores of a tenant with one',
      answer: {
        stores: [store],
        total: 1,
      },
    },
  },
  postVectorsStores: {
    empty: {
      summary: 'An empty vector store',
      body: { name: 'handbooks' },
      status: 201,
      answer: { ...store, name: 'handbooks', documents: 0, chunks: 0, size: 0 },
    },
  },
  getVectorsStoresName: { help: { summary: 'One vector store', params: { name: 'help' }, answer: store } },
  patchVectorsStoresName: {
    renamed: {
      summary: 'Another name',
      params: { name: 'handbooks' },
      body: { name: 'manuals' },
      answer: { ...store, name: 'manuals', documents: 0, chunks: 0, size: 0 },
    },
  },
  getVectorsFilesLimits: {
    none: {
      summary: 'A tenant without a quota',
      answer: {
        extensions: ['pdf', 'docx', 'txt', 'text', 'log', 'md', 'markdown', 'json', 'jsonl', 'ndjson', 'csv', 'tsv'],
        fileBytes: 2_147_483_648,
        documentBytes: null,
        storedBytes: null,
        embedder: 'none',
      },
    },
  },
  getVectorsStoresNameIngestionJobs: {
    completed: {
      summary: 'The jobs that are done',
      params: { name: 'help' },
      query: { status: 'completed', limit: '10' },
      answer: { success: true, vectorStore: 'help', jobs: [job], total: 1 },
    },
  },
  getVectorsStoresNameDocuments: {
    all: {
      summary: 'The documents of a vector store',
      params: { name: 'help' },
      answer: {
        documents: [document],
        total: 1,
      },
    },
  },
  getVectorsStoresNameDocumentsDocumentId: {
    passages: {
      summary: 'A document with its first passage',
      params: { name: 'help', documentId: '019cae1c-a26e-7171-8560-171560751715' },
      query: { limit: '1' },
      answer: {
        ...document,
        passages: [
          {
            chunkIndex: 0,
            text: 'Up to five working days after we have approved it.',
            line: 5,
            heading: 'Refunds > How long does a refund take?',
          },
        ],
      },
    },
  },
  postVectorsStoresNameSearch: {
    question: {
      summary: 'A question, among the English documents',
      params: { name: 'help' },
      body: { query: 'How long does a refund take?', limit: 3, filter: { lang: 'en' } },
      answer: {
        results: [
          {
            documentId: '019cae1c-a26e-7171-8560-171560751715',
            chunkIndex: 0,
            text: 'Up to five working days after we have approved it.',
            metadata: { sourceId: 'faq', lang: 'en' },
            score: 0.42,
            source: { name: 'faq.md', line: 5, heading: 'Refunds > How long does a refund take?' },
          },
        ],
        mode: 'lexical',
        embedder: 'none',
        total: 1,
        words: ['how', 'long', 'does', 'a', 'refund', 'take'],
      },
    },
  },
  deleteVectorsStoresNameDocumentsDocumentId: {
    one: {
      summary: 'A document that is gone',
      params: { name: 'help', documentId: '019cae1c-a26e-7171-8560-171560751715' },
    },
  },
  deleteVectorsStoresName: { help: { summary: 'A vector store that is gone', params: { name: 'help' } } },
};
