import type { Examples } from './example.ts';

const review = {
  id: '019cae1c-a3a5-7b54-8cda-b54cda26b54c',
  executionId: 'run-1042',
  agentId: 'support',
  rating: 'bad',
  comment: 'A data de entrega estava errada.',
  priority: 'high',
  tags: ['shipping'],
  status: 'pending_review',
  actionTaken: null,
  resolutionNotes: null,
  correctedOutput: null,
  reviewedBy: 'helpdesk',
  updatedBy: null,
  resolvedBy: null,
  resolvedAt: null,
  createdAt: '2026-03-02T09:55:44.000Z',
  updatedAt: '2026-03-02T09:55:44.000Z',
};

const resolved = {
  ...review,
  status: 'resolved',
  resolutionNotes: 'The carrier had changed the date.',
  correctedOutput: 'O seu pedido chega na quinta-feira.',
  updatedBy: 'helpdesk',
  resolvedBy: 'helpdesk',
  resolvedAt: '2026-03-02T09:55:53.000Z',
  updatedAt: '2026-03-02T09:55:53.000Z',
};

export const reviewsExamples: Examples = {
  postObservabilityExecutionsExecutionIdReviews: {
    bad: {
      summary: 'An answer that was wrong',
      params: { executionId: 'run-1042' },
      body: { rating: 'bad', comment: 'A data de entrega estava errada.', priority: 'high', tags: ['shipping'] },
      status: 201,
      answer: review,
    },
  },
  getObservabilityExecutionsExecutionIdReviewsExists: {
    reviewed: {
      summary: 'An execution with a review',
      params: { executionId: 'run-1042' },
      answer: {
        exists: true,
        review: {
          id: '019cae1c-a3a5-7b54-8cda-b54cda26b54c',
          rating: 'bad',
          status: 'pending_review',
          comment: 'A data de entrega estava errada.',
          createdAt: '2026-03-02T09:55:44.000Z',
        },
      },
    },
    unreviewed: {
      summary: 'An execution without a review',
      params: { executionId: 'run-1041' },
      answer: { exists: false, review: null },
    },
  },
  patchObservabilityReviewsReviewId: {
    resolved: {
      summary: 'A review with the right answer, resolved',
      params: { reviewId: '019cae1c-a3a5-7b54-8cda-b54cda26b54c' },
      body: {
        status: 'resolved',
        correctedOutput: 'O seu pedido chega na quinta-feira.',
        resolutionNotes: 'The carrier had changed the date.',
      },
      answer: resolved,
    },
  },
  getObservabilityReviewsReviewId: {
    resolved: {
      summary: 'A review that is resolved',
      params: { reviewId: '019cae1c-a3a5-7b54-8cda-b54cda26b54c' },
      answer: resolved,
    },
  },
  getObservabilityReviews: {
    search: {
      summary: 'Resolved reviews about wrong dates, in singular or plural',
      query: { status: 'resolved', search: 'datas erradas' },
      answer: {
        reviews: [resolved],
        total: 1,
        limit: 50,
        offset: 0,
      },
    },
  },
  getObservabilityReviewsStats: {
    support: {
      summary: 'The reviews of one agent, counted',
      query: { agentId: 'support' },
      answer: {
        total: 1,
        pending: 0,
        inProgress: 0,
        resolved: 1,
        badReviews: 1,
        needsImprovement: 0,
        critical: 0,
        highPriority: 1,
        avgResolutionHours: 0.25,
      },
    },
  },
  getObservabilityReviewsOutcomes: {
    bought: {
      summary: 'Purchases after executions that people rated',
      query: { eventName: 'book_bought', agentId: 'support' },
      answer: {
        eventName: 'book_bought',
        ratings: [
          { rating: 'good', reviews: 0, converted: 0 },
          { rating: 'bad', reviews: 1, converted: 0 },
          { rating: 'needs_improvement', reviews: 0, converted: 0 },
        ],
        isCut: false,
      },
    },
  },
  getObservabilityReviewsExportTrainingData: {
    document: {
      summary: 'Every review as an example, in one document',
      query: { status: 'resolved' },
      answer: {
        format: 'openai-conversational',
        generated_at: '2026-03-02T09:58:03.000Z',
        training_examples: [
          {
            messages: [
              { role: 'system', content: 'You help the customers of a shop for card readers.' },
              { role: 'user', content: 'Quando chega o meu pedido?' },
              { role: 'assistant', content: 'O seu pedido chega na quinta-feira.' },
            ],
            metadata: {
              review_id: '019cae1c-a3a5-7b54-8cda-b54cda26b54c',
              execution_id: 'run-1042',
              rating: 'bad',
              was_corrected: true,
            },
          },
        ],
        total: 1,
      },
    },
    preferences: {
      summary: 'Corrections against what was answered, for DPO',
      query: { format: 'dpo-jsonl' },
      answer:
        '{"input":{"messages":[{"role":"system","content":"You help the customers of a shop for card readers."},{"role":"user","content":"Quando chega o meu pedido?"}]},"preferred_output":[{"role":"assistant","content":"O seu pedido chega na quinta-feira."}],"non_preferred_output":[{"role":"assistant","content":"Amanhã."}]}\n',
      answerType: 'application/x-ndjson',
    },
  },
  getObservabilityReviewsExportTrainingDataCounts: {
    resolved: {
      summary: 'What each format would have of the resolved reviews',
      query: { status: 'resolved' },
      answer: {
        reviews: 1,
        formats: [
          { format: 'openai-conversational', lines: 1, skipped: 0, reasons: [] },
          { format: 'openai-jsonl', lines: 1, skipped: 0, reasons: [] },
          { format: 'dpo-jsonl', lines: 1, skipped: 0, reasons: [] },
          { format: 'kto-jsonl', lines: 2, skipped: 0, reasons: [] },
        ],
      },
    },
  },
  deleteObservabilityReviewsReviewId: {
    one: {
      summary: 'A review that is gone',
      params: { reviewId: '019cae1c-a3a5-7b54-8cda-b54cda26b54c' },
    },
  },
};
