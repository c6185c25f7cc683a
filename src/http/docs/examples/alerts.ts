import type { Examples } from './example.ts';

const alert = {
  id: '019cae2a-77f0-7c3e-9a51-4d0e6a9b1d01',
  title: 'Few orders',
  question: { eventName: 'order_placed', aggregation: 'count', dateGrouping: 'hour' },
  condition: { type: 'threshold', operator: 'lt', value: 100, clear: 120 },
  every: '0 9 * * *',
  timezone: 'Europe/Berlin',
  language: 'en',
  cooldown: 3_600,
  targets: [{ type: 'webhook', url: 'https://example.com/hooks/alerts' }],
  enabled: true,
  state: 'ok',
  lastCheck: null,
  nextCheckAt: '2026-03-03T08:00:00.000Z',
  createdAt: '2026-03-02T10:05:10.000Z',
  updatedAt: '2026-03-02T10:05:10.000Z',
  createdBy: 'test',
};
const odd = {
  ...alert,
  id: '019cae2a-77f0-7c3e-9a51-4d0e6a9b1d02',
  title: 'Orders are odd',
  question: { eventName: 'order_placed', aggregation: 'count', dateGrouping: 'day' },
  condition: { type: 'anomaly' },
  timezone: 'UTC',
  language: 'en',
  targets: [{ type: 'slack', url: 'https://hooks.slack.com/…#9fbe5ae8' }],
};
const byId = { id: alert.id };
const alerting = {
  at: '2026-03-02T11:05:01.204Z',
  bucket: '2026-03-02T11:00:00+01:00',
  value: 64,
  comparedWith: 100,
  cases: 'AXE9ZovDqQrF3tTi5MScRLCjkfSaG5mZWViAbYVZam5sZG5sBnEIAA',
  error: null,
};
const givenUp = { state: 'dead', attempts: 9, error: 'The host did not answer.' };
const delivery = {
  id: '019cae2a-77f0-7c3e-9a51-4d0e6a9b1d07',
  source: { kind: 'alert', id: alert.id },
  type: 'alert.alerting',
  title: 'Few orders: 64 is below 100',
  targetType: 'webhook',
  target: 'https://example.com',
  state: 'sent',
  attempts: 1,
  error: null,
  createdAt: '2026-03-02T11:05:01.204Z',
  nextAttemptAt: null,
  finishedAt: '2026-03-02T11:05:01.310Z',
};

export const alertsExamples: Examples = {
  postObservabilityAlerts: {
    threshold: {
      summary: 'Fewer than 100 orders in an hour, until there are 120 again',
      body: {
        title: alert.title,
        question: alert.question,
        condition: alert.condition,
        every: alert.every,
        timezone: alert.timezone,
        targets: [{ type: 'webhook', url: 'https://example.com/hooks/alerts' }],
      },
      status: 201,
      answer: {
        success: true,
        alert,
        newSecrets: [
          { url: 'https://example.com/hooks/alerts', secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=' },
        ],
      },
    },
    anomaly: {
      summary: 'An odd day',
      body: {
        title: odd.title,
        question: { eventName: 'order_placed', aggregation: 'count' },
        condition: odd.condition,
        every: odd.every,
        targets: [{ type: 'slack', url: 'https://hooks.slack.com/services/T000/B000/XXXX' }],
      },
      status: 201,
      answer: { success: true, alert: odd, newSecrets: [] },
    },
  },
  getObservabilityAlerts: {
    newest: {
      summary: 'The newest of those that are ok',
      query: { state: 'ok', limit: '1' },
      answer: { alerts: [odd], total: 2, limit: 1, offset: 0 },
    },
  },
  getObservabilityAlertsId: {
    state: { summary: 'Its state', params: byId, answer: { success: true, alert } },
  },
  patchObservabilityAlertsId: {
    off: {
      summary: 'Switch it off',
      params: byId,
      body: { enabled: false },
      answer: { success: true, alert: { ...alert, enabled: false, nextCheckAt: null }, newSecrets: [] },
    },
  },
  postObservabilityAlertsIdTest: {
    test: {
      summary: 'What a check finds now, sent to the targets',
      params: byId,
      body: {},
      answer: {
        success: true,
        test: {
          state: 'alerting',
          bucket: alerting.bucket,
          cases: alerting.cases,
          value: 64,
          comparedWith: 100,
          error: null,
          deliveries: [{ id: delivery.id, target: delivery.target }],
        },
      },
    },
  },
  getObservabilityAlertsIdHistory: {
    changes: {
      summary: 'When it was alerting, and which messages were sent',
      params: byId,
      answer: {
        changes: [
          { id: '019cae2a-77f0-7c3e-9a51-4d0e6a9b1d05', from: 'ok', to: 'alerting', ...alerting, notified: true },
        ],
        total: 1,
        limit: 50,
        offset: 0,
        deliveries: [delivery],
      },
    },
  },
  deleteObservabilityAlertsId: {
    gone: { summary: 'No more checks', params: byId },
  },
  getObservabilityDeliveries: {
    dead: {
      summary: 'Messages that were given up',
      query: { state: 'dead' },
      answer: { deliveries: [{ ...delivery, ...givenUp }], total: 1, limit: 50, offset: 0 },
    },
  },
};
