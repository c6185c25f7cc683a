import type { Examples } from '../example.ts';

const id = 'V1StGXR8Z5jdHi6B-myT4fB2qYcN0pLwKs7uOe3aXgM';
const client = {
  id: '8sC2hJ4vQkYw0bRZ5nTfLx1uGd7eMi3oPa6yKjN9tXE',
  name: 'MCP Inspector',
  kind: 'registered',
  host: null,
};

export const portalGrantsExamples: Examples = {
  getPortalAuthorizationsId: {
    inspector: {
      summary: 'What an application asks for',
      params: { id },
      answer: {
        client,
        redirectTo: 'http://localhost:6274',
        resource: 'https://runtime.example.com/mcp',
        tenant: 'default',
        scopes: [
          { scope: 'mcp:read', grantable: true },
          { scope: 'knowledge:read', grantable: true },
        ],
        limits: null,
        defaultDays: 90,
        maxDays: 366,
        expiresAt: '2026-03-02T10:17:45.000Z',
      },
    },
  },
  postPortalAuthorizationsIdAllow: {
    reading: {
      summary: 'Let the application read for 30 days',
      params: { id },
      body: { scopes: ['mcp:read', 'knowledge:read'], days: 30 },
      answer: { continueAt: `https://runtime.example.com/oauth/authorize/${id}` },
    },
  },
  postPortalAuthorizationsIdRefuse: {
    inspector: {
      summary: 'Refuse the application',
      params: { id },
      body: {},
      answer: { continueAt: `https://runtime.example.com/oauth/authorize/${id}` },
    },
  },
  getPortalGrants: {
    newest: {
      summary: 'The newest grant',
      query: { limit: '1' },
      answer: {
        grants: [
          {
            id: '019cae1c-b111-7a3f-9c41-0a2e2ac0ea2e',
            user: { id: '019cae1c-a74a-78ff-8347-8ff347398ff3', email: 'ada@example.com' },
            client,
            limits: null,
            identityProvider: null,
            resource: 'https://runtime.example.com/mcp',
            scopes: ['mcp:read', 'knowledge:read'],
            createdAt: '2026-03-02T10:02:45.000Z',
            expiresAt: '2026-05-31T10:02:45.000Z',
            lastUsedAt: null,
          },
        ],
        total: 1,
        limit: 1,
        offset: 0,
      },
    },
  },
  deletePortalGrantsId: {
    inspector: {
      summary: 'End the access of an application',
      params: { id: '019cae1c-b111-7a3f-9c41-0a2e2ac0ea2e' },
    },
  },
};
