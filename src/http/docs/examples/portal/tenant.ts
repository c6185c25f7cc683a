import type { Examples } from '../example.ts';

export const portalSettingsExamples: Examples = {
  getPortalSettings: {
    asTheyWere: {
      summary: 'A tenant that keeps its events for ever',
      answer: {
        timezone: 'UTC',
        retentionDays: null,
        executionRetentionDays: null,
        secondFactor: 'optional',
        passwordLogin: true,
        roleLimits: null,
      },
    },
  },
  patchPortalSettings: {
    saoPaulo: {
      summary: 'Another time zone, and two years of events',
      body: { timezone: 'America/Sao_Paulo', retentionDays: 730 },
      answer: {
        timezone: 'America/Sao_Paulo',
        retentionDays: 730,
        executionRetentionDays: null,
        secondFactor: 'optional',
        passwordLogin: true,
        roleLimits: null,
      },
    },
  },
};

export const portalAgentsExamples: Examples = {
  postPortalAgents: {
    sales: {
      summary: 'An agent before its first use',
      body: { name: 'sales' },
      status: 201,
      answer: {
        name: 'sales',
        createdAt: '2026-03-02T10:02:36.000Z',
        createdBy: '019cae1c-a74a-78ff-8347-8ff347398ff3',
      },
    },
  },
  getPortalAgents: {
    all: {
      summary: 'The agents of a tenant',
      answer: {
        agents: [
          { name: 'default', createdAt: '2026-03-02T09:30:00.000Z', createdBy: null },
          { name: 'sales', createdAt: '2026-03-02T10:02:36.000Z', createdBy: '019cae1c-a74a-78ff-8347-8ff347398ff3' },
          { name: 'support', createdAt: '2026-03-02T09:37:33.000Z', createdBy: null },
        ],
        total: 3,
        limit: 50,
        offset: 0,
      },
    },
  },
};

export const portalAuditLogExamples: Examples = {
  getPortalAuditLog: {
    settings: {
      summary: 'Who changed the settings',
      query: { action: 'settings.updated' },
      answer: {
        entries: [
          {
            id: '019cae1c-aaef-76a9-89b4-6a99b44c6a99',
            actor: { kind: 'user', id: '019cae1c-a74a-78ff-8347-8ff347398ff3', label: 'ada@example.com' },
            action: 'settings.updated',
            target: '019cae1c-a881-72e2-8ac0-2e2ac0ea2e2a',
            details: { timezone: { from: 'UTC', to: 'America/Sao_Paulo' }, retentionDays: { from: null, to: 730 } },
            at: '2026-03-02T10:04:00.000Z',
            address: '127.0.0.1',
            requestId: '019cae1c-ac2b-71f0-9d53-1f09d530e2a7',
          },
        ],
        total: 1,
        limit: 50,
        offset: 0,
        older: null,
        newer: null,
      },
    },
  },
  getPortalAuditLogExport: {
    keys: {
      summary: 'Keys that were made this year',
      query: { action: 'key.created', dateFrom: '2026-01-01' },
      answer:
        '{"id":"019cae1c-ab02-7d14-8b12-5d148b125d14","at":"2026-03-02T10:05:00.000Z","tenantId":"019cae1c-a881-72e2-8ac0-2e2ac0ea2e2a","actor":{"kind":"user","id":"019cae1c-a74a-78ff-8347-8ff347398ff3","label":"ada@example.com"},"action":"key.created","target":"3WvqLpZr8KtN","details":{"label":"Nightly report","agentId":null,"scopes":["mcp:read"]},"address":"127.0.0.1","requestId":"019cae1c-ac2c-7a11-8f00-a118f0011aa1"}\n',
      answerType: 'application/x-ndjson',
    },
    asCsv: {
      summary: 'Everything on one key, for a spreadsheet',
      query: { format: 'csv', target: '3WvqLpZr8KtN' },
      answer:
        'at,actor,actorKind,actorId,client,action,target,details,address,requestId,id\r\n2026-03-02T10:05:00.000Z,ada@example.com,user,019cae1c-a74a-78ff-8347-8ff347398ff3,,key.created,3WvqLpZr8KtN,"{""label"":""Nightly report""}",127.0.0.1,019cae1c-ac2c-7a11-8f00-a118f0011aa1,019cae1c-ab02-7d14-8b12-5d148b125d14\r\n',
      answerType: 'text/csv',
    },
  },
};
