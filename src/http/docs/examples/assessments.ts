import type { Examples } from './example.ts';

const isRight = { id: 'is_right', text: 'Is the answer right?', type: 'boolean', guidance: 'By the handbook.' };
const clarity = { id: 'clarity', text: 'How clear is it?', type: 'scale' };
const tone = { id: 'tone', text: 'How does it sound?', type: 'choice', choices: ['warm', 'neutral', 'cold'] };

const rubric = {
  name: 'answer_quality',
  title: 'Quality of answers',
  questions: [isRight, clarity],
  version: 1,
  createdAt: '2026-03-02T09:55:44.000Z',
  createdBy: 'helpdesk',
};

const second = { ...rubric, questions: [isRight, clarity, tone], version: 2, createdAt: '2026-03-02T09:56:10.000Z' };

const assessment = {
  id: '019cae1c-a3a5-7b54-8cda-b54cda26b55d',
  executionId: 'run-1042',
  rubric: 'answer_quality',
  version: 2,
  assessor: { type: 'key', id: 'ak_3f9c2b7d1e5a', label: 'helpdesk' },
  answers: { is_right: false, clarity: 4, tone: 'neutral' },
  comment: 'The date is of another order.',
  createdAt: '2026-03-02T09:57:02.000Z',
  updatedAt: '2026-03-02T09:57:02.000Z',
};

const ofRun = { executionId: 'run-1042' };
const ofRubric = { name: 'answer_quality' };

export const assessmentsExamples: Examples = {
  postObservabilityRubrics: {
    quality: {
      summary: 'Two questions: yes or no, and 1 to 5',
      body: { name: 'answer_quality', title: 'Quality of answers', questions: [isRight, clarity] },
      status: 201,
      answer: rubric,
    },
  },
  patchObservabilityRubricsName: {
    third: {
      summary: 'A third question makes version 2',
      params: ofRubric,
      body: { questions: [isRight, clarity, tone] },
      answer: second,
    },
  },
  getObservabilityRubricsName: {
    newest: { summary: 'The newest version', params: ofRubric, answer: second },
    former: {
      summary: 'Version 1, which stays as it was',
      params: { name: 'answer_quality@1' },
      answer: rubric,
    },
  },
  getObservabilityRubrics: {
    all: {
      summary: 'Every rubric',
      query: { limit: '50' },
      answer: { rubrics: [second], nextCursor: null, total: 1 },
    },
  },
  postObservabilityExecutionsExecutionIdAssessments: {
    first: {
      summary: 'Answers to all questions',
      params: ofRun,
      body: {
        rubric: 'answer_quality',
        answers: { is_right: false, clarity: 4, tone: 'neutral' },
        comment: 'The date is of another order.',
      },
      status: 201,
      answer: assessment,
    },
    changed: {
      summary: 'The same key thinks again',
      params: ofRun,
      body: { rubric: 'answer_quality@2', answers: { is_right: true } },
      answer: { ...assessment, answers: { is_right: true }, comment: null, updatedAt: '2026-03-02T09:58:40.000Z' },
    },
  },
  getObservabilityExecutionsExecutionIdAssessments: {
    all: {
      summary: 'What everybody answered',
      params: ofRun,
      answer: {
        assessments: [
          { ...assessment, answers: { is_right: true }, comment: null, updatedAt: '2026-03-02T09:58:40.000Z' },
        ],
        nextCursor: null,
        total: 1,
      },
    },
  },
  getObservabilityRubricsNameAgreement: {
    version: {
      summary: 'The agreement of people on version 2, of all time',
      params: ofRubric,
      query: { version: '2' },
      answer: {
        rubric: 'answer_quality',
        version: 2,
        questions: ['is_right', 'clarity', 'tone'].map((id) => ({
          ...{ id, items: 0, assessors: 0, raw: null },
          ...{ kappa: null, low: null, high: null, method: null },
        })),
      },
    },
  },
  deleteObservabilityExecutionsExecutionIdAssessmentsAssessmentId: {
    own: {
      summary: 'The own assessment is gone',
      params: { executionId: 'run-1042', assessmentId: '019cae1c-a3a5-7b54-8cda-b54cda26b55d' },
    },
  },
};
