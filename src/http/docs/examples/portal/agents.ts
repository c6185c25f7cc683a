import type { Examples } from '../example.ts';

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
      status: 200,
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
