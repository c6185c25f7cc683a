import type { Examples } from '../example.ts';
import { portalQuotasExamples } from './quotas.ts';

const issued = {
  id: 'jBW9akKotQV9',
  key: 'ar_jBW9akKotQV9_shownOnceKeepItNow',
  tenantId: '019cae1c-a881-72e2-8ac0-2e2ac0ea2e2a',
  agentId: 'support',
  label: 'claude-desktop',
  scopes: ['mcp:read'],
  expiresAt: '2027-03-01T00:00:00.000Z',
};
const key = {
  id: 'jBW9akKotQV9',
  tenantId: '019cae1c-a881-72e2-8ac0-2e2ac0ea2e2a',
  agentId: 'support',
  label: 'claude-desktop',
  scopes: ['mcp:read'],
  createdAt: '2026-03-02T10:02:45.000Z',
  createdBy: '019cae1c-a74a-78ff-8347-8ff347398ff3',
  maker: {
    id: '019cae1c-a74a-78ff-8347-8ff347398ff3',
    name: 'Ada Lima',
    email: 'ada@example.com',
    isActive: true,
  },
  expiresAt: '2027-03-01T00:00:00.000Z',
  lastUsedAt: null,
  revokedAt: null,
  formerSecretUntil: null,
};

export const portalKeysExamples: Examples = {
  postPortalKeys: {
    reader: {
      summary: 'A key that may read over MCP',
      body: { label: 'claude-desktop', agentId: 'support', scopes: ['mcp:read'], expiresAt: '2027-03-01T00:00:00Z' },
      status: 201,
      answer: issued,
    },
  },
  getPortalKeys: {
    leavers: {
      summary: 'Keys of people who left that still work',
      query: { leavers: 'true' },
      answer: { keys: [], total: 0, limit: 50, offset: 0 },
    },
    newest: {
      summary: 'The newest key',
      query: { limit: '1' },
      answer: { keys: [key], total: 2, limit: 1, offset: 0 },
    },
  },
  postPortalKeysIdRotate: {
    reader: {
      summary: 'A new secret for a key',
      params: { id: 'jBW9akKotQV9' },
      body: { overlapSeconds: 86_400 },
      answer: { ...issued, formerSecretUntil: '2026-03-03T10:02:57.000Z' },
    },
  },
  // Before the key is revoked.
  ...portalQuotasExamples,
  deletePortalKeys: {
    leaver: {
      summary: 'The keys of somebody who leaves',
      query: { createdBy: '019cae1c-a74a-78ff-8347-8ff347398ff3' },
      answer: { revoked: [{ ...key, revokedAt: '2026-03-02T10:02:57.000Z' }] },
    },
  },
  deletePortalKeysId: {
    reader: {
      summary: 'A key that is revoked',
      params: { id: 'jBW9akKotQV9' },
      answer: { ...key, revokedAt: '2026-03-02T10:02:57.000Z' },
    },
  },
};
