import type { Examples } from './example.ts';

export const portalAuditLogExamples: Examples = {
  getPortalAuditLog: {
    settings: {
      summary: 'Who changed the settings',
      query: { action: 'settings.updated' },
      status: 200,
      answer: {
        entries: [
          {
            id: '019cae1c-aaef-76a9-89b4-6a99b44c6a99',
            actor: { kind: 'user', id: '019cae1c-a74a-78ff-8347-8ff347398ff3', label: 'ada@example.com' },
            action: 'settings.updated',
            target: '019cae1c-a881-72e2-8ac0-2e2ac0ea2e2a',
            details: { timezone: { from: 'UTC', to: 'America/Sao_Paulo' }, retentionDays: { from: null, to: 730 } },
            at: '2026-03-02T10:04:00.000Z',
          },
        ],
        total: 1,
        limit: 50,
        offset: 0,
      },
    },
  },
};
