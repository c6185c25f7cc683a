import type { Examples } from './example.ts';

const digest = {
  id: '019cae2a-77f0-7c3e-9a51-4d0e6a9b1e01',
  title: 'Weekly numbers',
  tabId: '019cae1c-a4dc-7538-8453-538453d75384',
  every: '0 8 * * 1',
  timezone: 'Europe/Berlin',
  language: 'en',
  targets: [{ type: 'email', to: ['team@example.com'] }],
  enabled: true,
  lastSent: null,
  nextAt: '2026-03-09T07:00:00.000Z',
  createdAt: '2026-03-02T10:05:10.000Z',
  updatedAt: '2026-03-02T10:05:10.000Z',
  createdBy: 'test',
};
const byId = { id: digest.id };
const delivery = {
  id: '019cae2a-77f0-7c3e-9a51-4d0e6a9b1e07',
  source: { kind: 'digest', id: digest.id },
  type: 'digest',
  title: digest.title,
  targetType: 'email',
  target: 'team@example.com',
  state: 'sent',
  attempts: 1,
  error: null,
  createdAt: '2026-03-09T07:00:01.204Z',
  nextAttemptAt: null,
  finishedAt: '2026-03-09T07:00:02.310Z',
};

export const digestsExamples: Examples = {
  postObservabilityDigests: {
    weekly: {
      summary: 'A dashboard by e-mail on Monday morning',
      body: {
        title: digest.title,
        tabId: digest.tabId,
        every: digest.every,
        timezone: digest.timezone,
        targets: digest.targets,
      },
      status: 201,
      answer: { success: true, digest, newSecrets: [] },
    },
  },
  getObservabilityDigests: {
    all: {
      summary: 'All digests',
      answer: { digests: [digest], total: 1, limit: 50, offset: 0 },
    },
  },
  getObservabilityDigestsId: {
    one: { summary: 'When it is sent next', params: byId, answer: { success: true, digest } },
  },
  patchObservabilityDigestsId: {
    daily: {
      summary: 'Every working day',
      params: byId,
      body: { every: '0 8 * * 1-5' },
      answer: {
        success: true,
        digest: { ...digest, every: '0 8 * * 1-5', nextAt: '2026-03-03T07:00:00.000Z' },
        newSecrets: [],
      },
    },
  },
  postObservabilityDigestsIdTest: {
    now: {
      summary: 'Send it now',
      params: byId,
      body: {},
      answer: { success: true, deliveries: [{ id: delivery.id, target: delivery.target }] },
    },
  },
  getObservabilityDigestsIdHistory: {
    sent: { summary: 'Whether it arrived', params: byId, answer: { deliveries: [delivery] } },
  },
  deleteObservabilityDigestsId: {
    gone: { summary: 'No more digests', params: byId },
  },
};
