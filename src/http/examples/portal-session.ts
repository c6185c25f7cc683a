import type { Examples } from './example.ts';

const ada = {
  id: '019cae1c-a74a-78ff-8347-8ff347398ff3',
  email: 'ada@example.com',
  name: 'Ada Lima',
  role: 'ADMIN',
  tenantId: '019cae1c-a881-72e2-8ac0-2e2ac0ea2e2a',
};

export const portalSessionExamples: Examples = {
  postPortalLogin: {
    ada: {
      summary: 'An administrator logs in',
      body: { email: 'ada@example.com', password: 'correct horse battery staple' },
      status: 200,
      answer: {
        token: 'eyJhbGciOiJIUzI1NiJ9.eyJyb2xlIjoiQURNSU4ifQ.c2lnbmF0dXJl',
        expiresAt: '2026-03-02T21:45:26.000Z',
        user: ada,
      },
    },
  },
  getPortalMe: {
    ada: {
      summary: 'An administrator',
      status: 200,
      answer: {
        user: ada,
        tenant: { id: '019cae1c-a881-72e2-8ac0-2e2ac0ea2e2a', name: 'default', timezone: 'UTC' },
        scopes: ['*'],
      },
    },
  },
};
