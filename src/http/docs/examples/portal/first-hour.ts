import type { Examples } from '../example.ts';

const steps = {
  event: '2026-03-02T10:02:33.000Z',
  client: null,
  question: '2026-03-02T10:02:34.000Z',
  card: '2026-03-02T10:02:36.000Z',
};
const progress = {
  steps,
  event: { eventName: 'ticket_opened' },
  call: null,
  putAway: false,
  sampleData: 'absent',
  suggestions: null,
};
const sample = {
  state: 'loaded',
  agentId: 'sample',
  loadedAt: '2026-03-02T10:02:36.000Z',
  cards: 8,
  metrics: ['sample_conversations', 'sample_resolution_rate', 'sample_minutes_to_solution', 'sample_escalation_rate'],
};

export const portalFirstHourExamples: Examples = {
  getPortalFirstHour: {
    almost: { summary: 'A workspace that no MCP client has asked yet', answer: progress },
  },
  putPortalFirstHour: {
    away: { summary: 'Put away', body: { putAway: true }, answer: { ...progress, putAway: true } },
  },
  postPortalSampleData: { loaded: { summary: 'The sample data', body: {}, status: 201, answer: sample } },
  getPortalSampleData: { loaded: { summary: 'The sample data is there', answer: sample } },
  deletePortalSampleData: { removed: { summary: 'Without the sample data' } },
};
