import type { Examples } from './example.ts';

const formula = {
  eventName: 'ticket_resolved',
  aggregation: 'median',
  propertyKey: 'minutes',
};

const definition = {
  title: 'Time to resolution',
  description: 'Median minutes from the first message to the solution.',
  synonyms: ['handling time'],
  unit: 'minutes',
  goodDirection: 'down',
  formula,
};

const version = {
  ...definition,
  name: 'time_to_resolution',
  version: 1,
  state: 'proposed',
  createdAt: '2026-03-02T10:12:04.000Z',
  createdBy: 'test',
  decidedAt: null,
  decidedBy: null,
};
const approval = {
  state: 'approved',
  decidedAt: '2026-03-02T10:15:31.000Z',
  decidedBy: 'ada@example.com',
};
const proposed = { ...version, latestVersion: 1, approvedVersion: null };
const approved = { ...version, ...approval, latestVersion: 2, approvedVersion: 1 };
const byName = { name: 'time_to_resolution' };
const changes = [{ path: 'owner', after: 'Support' }];

const term = {
  term: 'TTR',
  definition: 'Time to resolution, as the support team says.',
  metric: 'time_to_resolution',
  createdAt: '2026-03-02T10:21:40.000Z',
  updatedAt: '2026-03-02T10:21:40.000Z',
};

/** After those of KPIs, whose answers say where an approved metric was not used. */
export const metricsExamples: Examples = {
  postObservabilityMetrics: {
    timeToResolution: {
      summary: 'A median with its meaning',
      body: { ...byName, ...definition },
      status: 201,
      answer: { success: true, metric: proposed },
    },
  },
  patchObservabilityMetricsName: {
    owner: {
      summary: 'A new version with an owner',
      params: byName,
      body: { owner: 'Support' },
      answer: {
        success: true,
        metric: { ...version, owner: 'Support', version: 2, latestVersion: 2, approvedVersion: null },
      },
    },
  },
  postObservabilityMetricsNameApprove: {
    first: {
      summary: 'The version that was looked at',
      params: byName,
      body: { version: 1 },
      answer: { success: true, metric: approved },
    },
  },
  getObservabilityMetrics: {
    found: {
      summary: 'The meaning of a word',
      query: { search: 'handling' },
      answer: { metrics: [approved], total: 1, limit: 100, offset: 0 },
    },
  },
  getObservabilityMetricsName: {
    approved: {
      summary: 'The approved version',
      params: byName,
      answer: { success: true, metric: approved },
    },
  },
  getObservabilityMetricsNameVersions: {
    both: {
      summary: 'An approved version and a proposed one',
      params: byName,
      answer: {
        success: true,
        versions: [
          { ...version, owner: 'Support', version: 2, changes },
          { ...version, ...approval, changes: [] },
        ],
        total: 2,
      },
    },
  },
  getObservabilityMetricsNameDiff: {
    newest: {
      summary: 'What the newest version changes',
      params: byName,
      answer: { success: true, from: 1, to: 2, changes },
    },
  },
  deleteObservabilityMetricsName: {
    outOfUse: {
      summary: 'A metric out of use, by an administrator',
      params: byName,
      answer: {
        success: true,
        metric: {
          ...version,
          ...approval,
          owner: 'Support',
          version: 2,
          state: 'deprecated',
          latestVersion: 2,
          approvedVersion: null,
        },
      },
    },
  },
  postObservabilityTerms: {
    ttr: {
      summary: 'An abbreviation for a metric',
      body: { term: term.term, definition: term.definition, metric: term.metric },
      status: 201,
      answer: { success: true, term },
    },
  },
  patchObservabilityTermsTerm: {
    synonym: {
      summary: 'Another word for it',
      params: { term: term.term },
      body: { synonyms: ['MTTR'] },
      answer: { success: true, term: { ...term, synonyms: ['MTTR'] } },
    },
  },
  getObservabilityTerms: {
    found: {
      summary: 'Terms with a part of a word',
      query: { search: 'ttr' },
      answer: { terms: [{ ...term, synonyms: ['MTTR'] }], total: 1, limit: 100, offset: 0 },
    },
  },
  getObservabilityTermsTerm: {
    ttr: {
      summary: 'One term',
      params: { term: term.term },
      answer: { success: true, term: { ...term, synonyms: ['MTTR'] } },
    },
  },
  deleteObservabilityTermsTerm: {
    ttr: { summary: 'A term that nobody uses', params: { term: term.term } },
  },
};
