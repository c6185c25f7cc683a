import type { Examples } from '../example.ts';

const ticket = 'q0mWb3sJ2vYkTnE8rA5xLd7PfGhC1uZi9oQeN4wRyXt';
const name = 'agent-runtime-2026-03-02T10-06-00Z.backup';
const whole = { note: null, counted: null, count: null };

export const portalDataExamples: Examples = {
  getPortalData: {
    all: {
      summary: 'What the tenant stores',
      answer: { events: 29_486, documentBytes: 4_182_310, deliveryBytes: 20_480 },
    },
  },
  getPortalDataOlderEvents: {
    quarter: {
      summary: 'Events that a retention of 90 days would remove',
      query: { days: '90' },
      answer: { days: 90, before: '2025-12-02T10:06:00.000Z', events: 11_240 },
    },
  },
  getPortalStorage: {
    files: {
      summary: 'A data directory',
      answer: {
        kind: 'files',
        place: '/var/lib/agent-runtime',
        stores: [
          { ...whole, store: 'events', bytes: 61_865_984, count: 29_486, counted: 'events' },
          { ...whole, store: 'spool', bytes: 4_194_304, count: 0, counted: 'batches that wait to become queryable' },
          { ...whole, store: 'state', bytes: 2_097_152 },
          {
            ...whole,
            store: 'logs',
            bytes: null,
            note: 'Logs go to standard error: whoever runs the server keeps them.',
          },
        ],
        disk: { freeBytes: 41_231_686_042, totalBytes: 64_424_509_440 },
      },
    },
  },
  postPortalErasure: {
    thread: {
      summary: 'A conversation',
      body: { threadId: 'order-4711' },
      answer: {
        threadId: 'order-4711',
        userId: null,
        erased: { reviews: 1, events: 14, executions: 3 },
        resumed: false,
      },
    },
    endUser: {
      summary: 'An end user',
      body: { userId: 'u-17' },
      answer: { threadId: null, userId: 'u-17', erased: { reviews: 2, events: 61, executions: 9 }, resumed: false },
    },
  },
  getPortalBackup: {
    sending: {
      summary: 'A download in progress',
      answer: {
        refusal: null,
        current: {
          state: 'sending',
          startedAt: '2026-03-02T10:06:00.000Z',
          isOwn: true,
          sentBytes: 12_582_912,
          packedBytes: 31_457_280,
          totalBytes: 68_157_440,
        },
        last: null,
      },
    },
  },
  postPortalBackup: {
    begun: {
      summary: 'A backup for the browser',
      body: { passphrase: 'seven words that nobody else would choose' },
      status: 202,
      answer: { url: `/api/v1/portal/backup/${ticket}`, name },
    },
  },
  getPortalBackupTicket: {
    file: {
      summary: 'The file',
      params: { ticket },
      answer: 'age-encryption.org/v1 …',
      answerType: 'application/octet-stream',
    },
  },
  deletePortalBackup: { cancelled: { summary: 'Not needed any more' } },
};

export const portalSystemExamples: Examples = {
  getPortalSystem: {
    files: {
      summary: 'One server with files',
      answer: {
        versions: [
          { name: 'agent-runtime', version: '0.2.0' },
          { name: 'Node.js', version: '24.11.0' },
          { name: 'SQLite', version: '3.51.0' },
          { name: 'DuckDB', version: 'v1.5.5' },
        ],
        startedAt: '2026-03-02T09:30:00.000Z',
        data: { kind: 'files', directory: '/var/lib/agent-runtime' },
        memory: { limitBytes: 1_073_741_824, limitedBy: 'the limit of the container', usedBytes: 312_475_648 },
        nodes: null,
        logLevel: 'info',
        recentErrors: [
          {
            at: '2026-03-02T10:01:12.000Z',
            level: 'warn',
            message: 'request not answered for now',
            detail: 'The provider does not answer.',
            requestId: '019cae1c-ac2d-7b22-9a11-b229a11b22a9',
          },
        ],
      },
    },
  },
  postPortalSystemDoctor: {
    warning: {
      summary: 'One warning',
      body: {},
      answer: {
        ok: true,
        checkedAt: '2026-03-02T10:06:30.000Z',
        findings: [
          { check: 'SQLite', status: 'ok', message: '3.51.0' },
          {
            check: 'trusted proxies',
            status: 'warning',
            message:
              'none, though AGENT_RUNTIME_PUBLIC_URL is set: all clients of a proxy count as its one address. Name it in AGENT_RUNTIME_TRUSTED_PROXIES',
          },
        ],
      },
    },
  },
};
