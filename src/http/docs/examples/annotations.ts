import type { Examples } from './example.ts';

const annotation = {
  id: '019cae2a-77f0-7c3e-9a51-4d0e6a9b1c22',
  text: 'Release 2.3',
  at: '2026-03-02T09:00:00.000Z',
  createdAt: '2026-03-02T10:05:10.000Z',
  createdBy: 'test',
};
const byId = { id: annotation.id };

export const annotationsExamples: Examples = {
  postObservabilityAnnotations: {
    release: {
      summary: 'A release',
      body: { text: annotation.text, at: annotation.at },
      status: 201,
      answer: { success: true, annotation },
    },
  },
  getObservabilityAnnotations: {
    thatDay: {
      summary: 'What happened on a day',
      query: { dateFrom: '2026-03-02', dateTo: '2026-03-02' },
      answer: { annotations: [annotation], total: 1, limit: 100, offset: 0 },
    },
  },
  patchObservabilityAnnotationsId: {
    exact: {
      summary: 'A more exact text',
      params: byId,
      body: { text: 'Release 2.3 of the mobile app' },
      answer: { success: true, annotation: { ...annotation, text: 'Release 2.3 of the mobile app' } },
    },
  },
  deleteObservabilityAnnotationsId: {
    withdrawn: { summary: 'A release that did not happen', params: byId },
  },
};
